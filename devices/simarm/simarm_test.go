package simarm_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

type params = map[string]string

// cell has devices by their names.
type cell map[string]device.Device

func (c cell) open(t testing.TB, name, typeName string, p params) (device.Device, error) {
	t.Helper()
	for _, kind := range simarm.Types() {
		if kind.Name != typeName {
			continue
		}
		d, err := kind.Open(&device.Env{Name: name, Device: func(other string) (device.Device, error) {
			if c[other] == nil {
				return nil, fmt.Errorf("no device %q", other)
			}
			return c[other], nil
		}}, p)
		if err == nil {
			c[name] = d
		}
		return d, err
	}
	t.Fatalf("no type %s", typeName)
	return nil, nil
}

// simulated is what all devices here are.
type simulated interface {
	device.MultiJoint
	device.Cyclic
}

func open(t testing.TB, typeName string, p params) simulated {
	t.Helper()
	c := cell{}
	if typeName == "kuka_kr_extaxis" {
		if _, err := c.open(t, "kr", "kuka_kr_arm_sim", nil); err != nil {
			t.Fatal(err)
		}
	}
	d, err := c.open(t, "it", typeName, p)
	if err != nil {
		t.Fatal(err)
	}
	return d.(simulated)
}

// devices are all types with their number of joints, and some in other forms.
var devices = []struct {
	name   string
	kind   string
	params params
	joints int
	arm    bool
	ports  string // digin digout anin anout
}{
	{"LWR", "kuka_lwr_sim", nil, 7, true, "8 8 0 8"},
	{"iiwa", "kuka_iiwa_sim", nil, 7, true, "8 8 0 8"},
	{"KR", "kuka_kr_arm_sim", nil, 6, true, "4 4 0 0"},
	{"TX90L", "staubli_tx90_sim", nil, 6, true, "8 8 0 0"},
	{"LWA", "schunk_lwa_sim", nil, 6, true, ""},
	{"youBot", "kuka_youbot_arm_sim", nil, 5, true, ""},
	{"external axes", "kuka_kr_extaxis", params{"kr_arm": "kr", "axiscount": "2"}, 2, false, ""},
	{"LWR on a linear axis", "kuka_lwr_sim", params{"linear_axis": "{x:1,y:0,z:0}"}, 8, true, "8 8 0 8"},
	{"KR on a linear unit", "kuka_kr_arm_sim", params{"linear_axis": "{x:0,y:1,z:0}", "linear_max": "4", "linear_home": "1"}, 7, true, "4 4 0 0"},
	{"noise and lag", "staubli_tx90_sim", params{"noise": "0.00001", "lag": "8ms", "bandwidth": "10", "cycle": "4ms"}, 6, true, "8 8 0 0"},
	{"slow tools", "kuka_lwr_sim", params{"tool_time": "1.5s", "cycle": "1ms"}, 7, true, "8 8 0 8"},
}

func TestConform(t *testing.T) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			conform.Joints(t, func(t *testing.T) *conform.Mechanism { return conform.Ticking(open(t, d.kind, d.params)) })
			is := open(t, d.kind, d.params)
			if is.Joints() != d.joints {
				t.Errorf("%d joints, not %d", is.Joints(), d.joints)
			}
			_, arm := is.(device.ArmKinematics)
			if arm != d.arm {
				t.Fatalf("an arm: %t", arm)
			}
			if arm {
				conform.Kinematics(t, func(t *testing.T) device.ArmKinematics { return open(t, d.kind, d.params).(device.ArmKinematics) })
			}
			io, ported := is.(device.IO)
			if ported != (d.ports != "") {
				t.Fatalf("has ports: %t", ported)
			}
			if ported {
				p := io.Ports()
				if got := fmt.Sprint(p.DigitalIn, p.DigitalOut, p.AnalogIn, p.AnalogOut); got != d.ports {
					t.Errorf("ports %s, not %s", got, d.ports)
				}
				conform.IO(t, func(t *testing.T) device.IO { return open(t, d.kind, d.params).(device.IO) })
			}
			if s := is.Status(); s != (device.Status{State: device.Operational}) {
				t.Error(s)
			}
			if err := is.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnnounced is what clients look for when they have created a device.
func TestAnnounced(t *testing.T) {
	want := []device.Interface{
		{Name: "armkinematics"},
		{Name: "robotarm", Params: params{"jointcount": "7"}},
		{Name: "multijoint", Params: params{"jointcount": "7"}},
		{Name: "io", Params: params{"digin": "8", "digout": "8", "anin": "0", "anout": "8"}},
	}
	if diff := cmp.Diff(want, open(t, "kuka_lwr_sim", nil).Interfaces()); diff != "" {
		t.Error(diff)
	}
}

// TestModels: without a table, poses are those of the model, up to rounding.
func TestModels(t *testing.T) {
	for kind, arm := range map[string]*kinematics.Arm{
		"kuka_lwr_sim": robots.LWR4(), "kuka_kr_arm_sim": robots.KR16(), "staubli_tx90_sim": robots.TX90L(),
		"schunk_lwa_sim": robots.LWA4P(), "kuka_youbot_arm_sim": robots.YouBot(),
	} {
		q := []float64{0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7}[:arm.Len()]
		got, want := open(t, kind, nil).(device.ArmKinematics).Arm().Forward(q), arm.Forward(q)
		if !got.Near(want, 1e-12, 1e-12) {
			t.Errorf("%s: %v, not %v", kind, got, want)
		}
	}
}

// TestSolvedInClosedForm, although they are described again.
func TestSolvedInClosedForm(t *testing.T) {
	for kind, want := range map[string]string{
		"kuka_lwr_sim": "*kinematics.SRS", "kuka_iiwa_sim": "*kinematics.SRS", "kuka_kr_arm_sim": "*kinematics.Wrist",
		"staubli_tx90_sim": "*kinematics.Wrist", "schunk_lwa_sim": "*kinematics.Wrist",
	} {
		if got := fmt.Sprintf("%T", open(t, kind, nil).(device.ArmKinematics).Arm().Solver); got != want {
			t.Errorf("%s: %s, not %s", kind, got, want)
		}
	}
}

// TestTables: with a table or with lengths of links, poses are those that these give. The numbers are check values of the
// KR6 R900 sixx, of the LWR and of an LBR iiwa that is stretched.
func TestTables(t *testing.T) {
	const quarter = math.Pi / 2
	degrees := func(values ...float64) []float64 {
		for i := range values {
			values[i] *= math.Pi / 180
		}
		return values
	}
	// KUKA counts axes 1, 4 and 6 the other way: with a table, joints are those of the table.
	kr6 := params{
		"dh_d": "[0.4,0,0,0.42,0,0.08]", "dh_a": "[0.025,0.455,-0.035,0,0,0]",
		"dh_t":  list(0, 0, quarter, 0, 0, 0),
		"dh_al": list(-quarter, 0, quarter, -quarter, quarter, 0),
	}
	for name, tt := range map[string]struct {
		kind   string
		params params
		q      []float64
		want   geom.Vector
	}{
		"KR6":            {"kuka_kr_arm_sim", kr6, degrees(-10, -80, 70, -20, 30, -40), geom.Vector{X: 0.575025, Y: -0.115284, Z: 0.930502}},
		"LWR":            {"kuka_lwr_sim", nil, degrees(10, 20, 30, 40, 50, 60, 70), geom.Vector{X: -0.049808, Y: 0.068830, Z: 1.102093}},
		"lengths of it":  {"kuka_lwr_sim", params{"link_lengths": "[0.1105,0.2,0.2,0.2,0.2,0.19,0,0.078]"}, degrees(10, 20, 30, 40, 50, 60, 70), geom.Vector{X: -0.049808, Y: 0.068830, Z: 1.102093}},
		"longer":         {"kuka_lwr_sim", params{"link_lengths": "[1,2,3,4,5,6,7,8]"}, make([]float64, 7), geom.Vector{Z: 36}},
		"iiwa stretched": {"kuka_iiwa_sim", nil, make([]float64, 7), geom.Vector{Z: 1.266}},
		"TX90L":          {"staubli_tx90_sim", nil, degrees(10, 20, 30, 40, 50, 60), geom.Vector{X: 0.700983, Y: 0.224373, Z: 1.297744}},
		"on an axis":     {"staubli_tx90_sim", params{"linear_axis": "{x:0,y:2,z:0}"}, append([]float64{1.5}, degrees(10, 20, 30, 40, 50, 60)...), geom.Vector{X: 0.700983, Y: 1.724373, Z: 1.297744}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := open(t, tt.kind, tt.params).(device.ArmKinematics).Arm().Forward(tt.q).Pos; got.Sub(tt.want).Length() > 2e-6 {
				t.Errorf("%v, not %v", got, tt.want)
			}
		})
	}
}

func list(values ...float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// TestParameters: limits, home and load are those that were sent.
func TestParameters(t *testing.T) {
	d := open(t, "kuka_lwr_sim", params{
		"min_joint": "[-1.0,-1.0,-1.0,-1.0,-1.0,-1.0,-1.0]", "max_joint": "[1.0,1.0,1.0,1.0,1.0,1.0,2.0]",
		"home_joint": "[0.1,0.2,0.3,0.4,0.5,0.6,1.7]", "max_vel": "[1,1,1,1,1,1,1]", "max_acc": "[5,5,5,5,5,5,5]", "max_jerk": "[9,9,9,9,9,9,9]",
		"mass": "2.5", "moi": "{x:1,y:2,z:3}", "com": "{pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}", "tcp": "{pos:{x:0,y:0,z:0.2},rot:{a:0,b:0,c:0}}",
	})
	for i, want := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.7} {
		s := d.Joint(i)
		if s.Commanded != (device.JointMotion{Pos: want}) || s.Measured != s.Commanded {
			t.Errorf("joint %d begins at %+v, not %v", i, s, want)
		}
	}
	if d.CheckPosition(5, 1.5) != device.PositionOutOfRange || d.CheckPosition(6, 1.5) != device.PositionGood {
		t.Error("limits are not those that were sent")
	}
	want := kinematics.Joint{Name: "A6", Min: -1, Max: 2, Velocity: 1, Acceleration: 5, Jerk: 9, Effort: 30}
	if got := d.(device.ArmKinematics).Arm().Joint(6); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	tool := device.Tool{Mass: 2.5, COM: geom.Vector{Z: 0.1}, Inertia: geom.Vector{X: 1, Y: 2, Z: 3}}
	if got := d.(interface{ Tool(joint int) device.Tool }).Tool(6); got != tool {
		t.Errorf("%+v, not %+v", got, tool)
	}
}

func TestRefused(t *testing.T) {
	for want, tt := range map[string]struct {
		kind   string
		params params
	}{
		"parameter max_vel: 2 values of 7 joints":                {"kuka_lwr_sim", params{"max_vel": "[1,1]"}},
		"parameter home_joint: 1 values of 5 joints":             {"kuka_youbot_arm_sim", params{"home_joint": "[1]"}},
		"parameter link_lengths: 7 lengths instead of 8":         {"kuka_iiwa_sim", params{"link_lengths": "[1,1,1,1,1,1,1]"}},
		"parameter dh_a: 0 values of 6 joints":                   {"kuka_kr_arm_sim", params{"dh_d": "[1,1,1,1,1,1]"}},
		"joint joint1: 4 is not between":                         {"schunk_lwa_sim", params{"home_joint": "[4,0,0,0,0,0]"}},
		"parameter faults: \"1s of\": unknown event of":          {"kuka_lwr_sim", params{"faults": "1s of"}},
		"cannot be brought to rest":                              {"kuka_lwr_sim", params{"max_acc": "[0,1,1,1,1,1,1]"}},
		`no device "nobody"`:                                     {"kuka_kr_extaxis", params{"kr_arm": "nobody"}},
		"parameter kr_arm: is missing":                           {"kuka_kr_extaxis", nil},
		"a controller has axes up to 11, not 12":                 {"kuka_kr_extaxis", params{"kr_arm": "kr", "first_axis": "11", "axiscount": "2"}},
		"the controller of the arm moves no external axes":       {"kuka_kr_extaxis", params{"kr_arm": "lwr"}},
		"another device has some of the axes 6 to 6":             {"kuka_kr_extaxis", params{"kr_arm": "kr"}},
		"parameter link_length: kuka_lwr_sim has no such parame": {"kuka_lwr_sim", params{"link_length": "[]"}},
	} {
		c := cell{}
		for name, kind := range map[string]string{"kr": "kuka_kr_arm_sim", "lwr": "kuka_lwr_sim"} {
			if _, err := c.open(t, name, kind, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.open(t, "E1", "kuka_kr_extaxis", params{"kr_arm": "kr"}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.open(t, "it", tt.kind, tt.params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %v: %v, not %q", tt.kind, tt.params, err, want)
		}
	}
}

// TestExternalAxes have power when those of the arm have, and are free again when they are gone.
func TestExternalAxes(t *testing.T) {
	c := cell{}
	arm, err := c.open(t, "kr", "kuka_kr_arm_sim", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d, err := c.open(t, "turntable", "kuka_kr_extaxis", params{"kr_arm": "kr", "first_axis": "7", "axiscount": "2", "home_joint": "[1,1.5]"})
		if err != nil {
			t.Fatal(err)
		}
		m := conform.Ticking(d.(simulated))
		m.Cycle()
		if s := m.Joint(1); s.Fault != device.JointGood || s.Measured.Pos != 1.5 {
			t.Errorf("%+v", s)
		}
		arm.(*simarm.RobotWithPorts).Plant().EmergencyStop(true)
		m.Cycle()
		if s := d.Status(); m.Joint(0).Fault != device.JointDrivesOff || s != (device.Status{State: device.SafeOperational, Cause: "emergency stop"}) {
			t.Errorf("%v %v", m.Joint(0).Fault, s)
		}
		arm.(*simarm.RobotWithPorts).Plant().EmergencyStop(false)
		arm.(*simarm.RobotWithPorts).Plant().Power(true)
		m.Cycle()
		if d.Status().State != device.Operational || m.Joint(0).Fault != device.JointGood {
			t.Error("power is not back")
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFaults: what the script says happens in its tick, is reported by joints and status, and no joint ever jumps.
func TestFaults(t *testing.T) {
	d := open(t, "staubli_tx90_sim", params{
		"cycle": "1ms", "faults": "100ms off; 200ms on; 300ms fail 1; 400ms repair 1; 500ms limit 2; 600ms repair 2; 700ms estop; 800ms release; 850ms on",
	})
	m := conform.Ticking(d)
	safe := func(cause string) device.Status { return device.Status{State: device.SafeOperational, Cause: cause} }
	want := map[int]struct {
		faults [3]device.JointFault
		status device.Status
	}{
		98:  {},
		101: {[3]device.JointFault{2, 2, 2}, safe("drives are off")},
		201: {},
		301: {[3]device.JointFault{0, 1, 0}, safe("joint J2: the joint has failed")},
		401: {},
		501: {[3]device.JointFault{0, 0, device.JointLimitPosition}, safe("joint J3: limit of position")},
		601: {},
		701: {[3]device.JointFault{2, 2, 2}, safe("emergency stop")},
		801: {[3]device.JointFault{2, 2, 2}, safe("drives are off")},
		851: {},
	}
	// The joint is led back and forth, by a net that stops when it hears of a fault and begins again where the joint is.
	var last float64
	began, from := 0, 0.0
	for k := 0; k < 1000; k++ {
		s := m.Joint(0)
		if s.Fault != device.JointGood || k%100 == 50 {
			began, from = -1, 0
		}
		if s.Fault == device.JointGood && began < 0 && s.Commanded.Vel == 0 && k%100 > 20 && k%100 < 50 {
			began, from = k, s.Commanded.Pos
		}
		if began >= 0 && k > 20 {
			m.CommandPosition(0, from+0.05*(1-math.Cos(0.02*float64(k-began)*0.5)), m.Now())
		}
		m.Cycle()
		s = m.Joint(0)
		if step := math.Abs(s.Measured.Pos - last); k > 0 && step > 2e-3 {
			t.Fatalf("cycle %d: the joint jumps by %v", k, step)
		}
		last = s.Measured.Pos
		if w, ok := want[k]; ok {
			got := [3]device.JointFault{m.Joint(0).Fault, m.Joint(1).Fault, m.Joint(2).Fault}
			w.status.State = max(w.status.State, device.SafeOperational)
			if w.status.Cause == "" {
				w.status.State = device.Operational
			}
			if got != w.faults || d.Status() != w.status {
				t.Errorf("cycle %d: %v %+v, not %v %+v", k, got, d.Status(), w.faults, w.status)
			}
		}
	}
}

// TestRefusalsAreTold with the name of the joint, the limit and the cycle.
func TestRefusalsAreTold(t *testing.T) {
	d := open(t, "kuka_kr_arm_sim", nil)
	m := conform.Ticking(d)
	at := m.Joint(4).Commanded.Pos
	m.CommandPosition(4, at, m.Now())
	m.Cycle()
	m.CommandPosition(4, at+0.5, m.Now())
	m.Cycle()
	want := "joint A5: limit of velocity: 250 rad/s, 5.75959 is allowed, in cycle 2 at 2023-11-14T22:13:20.002Z"
	if s := d.Status(); s.State != device.Operational || s.Cause != want {
		t.Errorf("%+v, not %s", s, want)
	}
	for range 20 {
		m.Cycle()
	}
	if s := d.Status(); s.Cause != "" {
		t.Errorf("still told: %+v", s)
	}
}

// TestToolTime: a tool is in use when its time has passed, and the next one takes as long again.
func TestToolTime(t *testing.T) {
	d := open(t, "kuka_lwr_sim", params{"tool_time": "100ms", "cycle": "1ms"})
	m := conform.Ticking(d)
	for range 2 {
		ticket := m.SetTool(6, device.Tool{Mass: 1})
		cycles := 0
		for done := false; !done; cycles++ {
			m.Cycle()
			done, _ = m.ToolDone(6, ticket)
		}
		if cycles != 101 {
			t.Errorf("%d cycles of 1 ms", cycles)
		}
	}
}

func TestPeriod(t *testing.T) {
	if p := open(t, "kuka_lwr_sim", params{"cycle": "4ms"}).Period(); p != 4*time.Millisecond {
		t.Error(p)
	}
}
