package pages

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/oldclient"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// olderArm is an older client with the arm that it has created.
type olderArm struct {
	*cell
	oldclient.Arm
	at []float64 // where its last motion was planned to end
}

func same(n int, v float64) (list []float64) {
	for range n {
		list = append(list, v)
	}
	return list
}

func home() []float64 { return []float64{0.1, 0.5, -0.2, 1.2, 0.1, -0.8, 0.3} }

// newOlderArm creates an arm as older clients do.
func newOlderArm(t *testing.T, path string, headers ...string) *olderArm {
	t.Helper()
	o := &olderArm{cell: withArms(t), at: home(), Arm: oldclient.Arm{
		Name: "lwr", Vel: []float64{1.9, 1.9, 2.2, 2.2, 3.5, 3.2, 3.2}, Acc: same(7, 9), Min: same(7, -2.05), Max: same(7, 2.05),
	}}
	form := o.Form("kuka_lwr_sim", home())
	r := request("POST", path, form, append(headers, "Content-Type", "application/x-www-form-urlencoded")...)
	r.RequestURI = path
	a := o.answer(r)
	if a.StatusCode != http.StatusCreated {
		t.Fatal(a.Status, a.text)
	}
	o.advance(20 * time.Millisecond)
	return o
}

// prepare loads a net that is told its override, as the client does it.
func (o *olderArm) prepare(text string, override float64) *rcc.Net {
	o.t.Helper()
	n, err := o.Nets.Load(rcc.LoadRequest{Text: text, Period: 2 * time.Millisecond})
	if err != nil {
		o.t.Fatal(err)
	}
	if n.State() != rcc.Ready {
		o.t.Fatal(n.State(), n.Problems())
	}
	if n.HasInput("inoverride") {
		o.override(n, override)
	}
	return n
}

func (o *olderArm) override(n *rcc.Net, value float64) {
	o.t.Helper()
	if err := n.Set([]rcc.KeyValue{{Key: "inoverride", Value: fmt.Sprint(value)}}); err != nil {
		o.t.Fatal(err)
	}
}

// when gives a rule: a net is stopped when a variable of it is true, and another one started in the next cycle, if there is one.
func (o *olderArm) when(stop *rcc.Net, key string, next *rcc.Net) {
	o.t.Helper()
	req := rcc.RuleRequest{Condition: "t"}
	if stop != nil {
		req.Condition, req.Stop = stop.Name()+"."+key, []string{stop.Name()}
	}
	if next != nil {
		req.Start = []string{next.Name()}
	}
	if _, err := o.Rules.Add(o.t.Context(), req); err != nil {
		o.t.Fatal(err)
	}
}

// until lets time pass until a net has ended.
func (o *olderArm) until(what string, n *rcc.Net) {
	o.t.Helper()
	for range 5000 {
		if n.State() == rcc.Terminated {
			o.judge(what, n)
			return
		}
		o.advance(2 * time.Millisecond)
	}
	o.t.Fatalf("%s: the net is %v", what, n.State())
}

// judge checks whether a net could command the arm.
func (o *olderArm) judge(what string, n *rcc.Net) {
	o.t.Helper()
	for _, v := range n.Values().All() {
		if v.Key == "outfailed" && v.Value != "false" {
			o.t.Fatalf("%s: failed is %s: %s", what, v.Value, o.trouble())
		}
	}
}

func (o *olderArm) trouble() string {
	d, err := o.Devices.Get(o.Name)
	if err != nil {
		o.t.Fatal(err)
	}
	return d.Status.Cause
}

// rests checks whether the arm is exactly where it was led.
func (o *olderArm) rests(what string) {
	o.t.Helper()
	o.advance(60 * time.Millisecond)
	for i, got := range o.commanded() {
		if want := o.at[i]; math.Abs(got-want) > 1e-9 {
			o.t.Fatalf("%s: joint %d is at %v instead of %v; %s", what, i, got, want, o.trouble())
		}
	}
}

// flange returns where the flange is with some joints.
func (o *olderArm) flange(joints []float64) geom.Frame {
	o.t.Helper()
	net := "{j=Core::DoubleArray(Size='7')"
	last := "j"
	for i, v := range joints {
		value := fmt.Sprintf("v%d=Core::DoubleValue(Value='%v'),j%d=Core::DoubleArraySet(inArray=%s.outArray,inValue=v%d.outValue,Size='7',Index='%d')", i, v, i, last, i, i)
		net, last = net+","+value, fmt.Sprintf("j%d", i)
	}
	net += ",kin=ArmKinematics::Kin(Robot='lwr',inJoints=" + last + ".outArray),outFrame=kin.outFrame}"
	values, err := o.Nets.Eval(o.t.Context(), rcc.EvalRequest{Text: net})
	if err != nil || len(values.Values) != 1 {
		o.t.Fatal(err, values)
	}
	f, err := value.Of[geom.Frame]().Parse(values.Values[0].Value)
	if err != nil {
		o.t.Fatal(err)
	}
	return f
}

// somewhere returns a goal.
func (o *olderArm) somewhere(rnd *rand.Rand) []float64 {
	to := make([]float64, len(o.at))
	for i := range to {
		to[i] = min(max(o.at[i]+1.2*(rnd.Float64()-0.5), -1.6), 1.6)
	}
	return to
}

const never = 1e9

// ptp moves the arm, and the client waits until that is done.
func (o *olderArm) ptp(to []float64) {
	o.t.Helper()
	n := o.prepare(o.PTP(o.at, to).Net(never), 1)
	o.when(n, "outdone", nil)
	o.when(nil, "", n)
	o.until("PTP", n)
	o.at = to
}

// lin moves the flange on a straight line.
func (o *olderArm) lin(by geom.Vector) {
	o.t.Helper()
	from := o.flange(o.at)
	to := from
	to.Pos = to.Pos.Add(by)
	n := o.prepare(o.LIN(from, to, o.at, 0.4, 1.5).Net(never), 1)
	o.when(n, "outdone", nil)
	o.when(nil, "", n)
	o.until("LIN", n)
	o.here()
}

// here is where the client asks for its joints, before it goes on.
func (o *olderArm) here() {
	o.t.Helper()
	o.advance(60 * time.Millisecond)
	o.at = o.commanded()
}

// commanded returns where the joints are commanded to be.
func (o *olderArm) commanded() (list []float64) {
	o.t.Helper()
	for _, j := range o.cellJSON().Arms[0].Joints {
		list = append(list, float64(j.Commanded))
	}
	return list
}

// blend leaves a motion at a share of its time for another one, which begins where the first one was planned to be then.
func (o *olderArm) blend(over, to []float64, share float64) {
	o.t.Helper()
	first := o.PTP(o.at, over)
	leave := share * first.Duration()
	pos, vel := first.At(leave)
	a, b := o.prepare(first.Net(leave), 1), o.prepare(o.Blended(over, to, pos, vel).Net(never), 1)
	o.when(a, "outleave", b)
	o.when(b, "outdone", nil)
	o.when(nil, "", a)
	o.until("before the blend", a)
	o.until("blend", b)
	o.at = to
}

// slower changes the override of a motion while it runs.
func (o *olderArm) slower(to []float64, overrides ...float64) {
	o.t.Helper()
	m := o.PTP(o.at, to)
	n := o.prepare(m.Net(never), overrides[0])
	o.when(n, "outdone", nil)
	o.when(nil, "", n)
	for _, v := range overrides[1:] {
		o.advance(time.Duration(m.Duration() / float64(len(overrides)) * 1e9))
		o.override(n, v)
	}
	o.until("override", n)
	o.at = to
}

// chain has one motion follow the other in the cycle in which that completes.
func (o *olderArm) chain(goals ...[]float64) {
	o.t.Helper()
	var nets []*rcc.Net
	for _, to := range goals {
		nets = append(nets, o.prepare(o.PTP(o.at, to).Net(never), 1))
		o.at = to
	}
	for i, n := range nets {
		var next *rcc.Net
		if i+1 < len(nets) {
			next = nets[i+1]
		}
		o.when(n, "outdone", next)
	}
	o.when(nil, "", nets[0])
	for i, n := range nets {
		o.until(fmt.Sprintf("motion %d of a chain", i+1), n)
	}
}

// reset has the joints jump.
func (o *olderArm) reset(to []float64) {
	o.t.Helper()
	n := o.prepare(o.Reset(to), 1)
	o.when(n, "outdone", nil)
	o.when(nil, "", n)
	o.until("reset", n)
	o.at = to
}

// TestOlderMotions has an older client do what it does with its arm, planned with exactly the limits that it has given: no net is refused,
// and the arm is where the client believes it to be.
func TestOlderMotions(t *testing.T) {
	for seed := range uint64(2) {
		rnd := rand.New(rand.NewPCG(seed, 22))
		o := newOlderArm(t, "//devices/")
		for range 2 {
			o.ptp(o.somewhere(rnd))
			o.rests("PTP")
			o.ptp(home()) // where lines are free of singular poses
			o.lin(geom.Vector{X: 0.03 * rnd.Float64(), Y: 0.1 * rnd.NormFloat64(), Z: -0.05 * rnd.Float64()})
			o.ptp(o.somewhere(rnd))
			o.ptp(o.somewhere(rnd)) // while the one before has just ended
			over := o.somewhere(rnd)
			o.blend(over, o.somewhere(rnd), 0.5+0.4*rnd.Float64())
			o.rests("blend")
			o.slower(o.somewhere(rnd), 1, 0.3, 0.9, 0.1, 1)
			o.rests("override")
			o.chain(o.somewhere(rnd), o.somewhere(rnd), o.somewhere(rnd))
			o.rests("chain")
			o.reset(same(7, rnd.Float64()))
			o.rests("reset")
		}
	}
}

// TestArmsOfOlderClients: only what older clients create is judged by what they plan. Nets follow each other on all other arms as well, but
// these refuse what breaks their limits, and never jump.
func TestArmsOfOlderClients(t *testing.T) {
	for _, tt := range []struct {
		name, path, agent, margin, strict string
	}{
		{"two slashes", "//devices/", "", "1", "false"},
		{"their library", "/devices/", "Java/1.8.0_292", "1", "false"},
		{"somebody else", "/devices/", "curl/8.5.0", "0.01", "true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := newOlderArm(t, tt.path, "User-Agent", tt.agent)
			have := map[string]string{}
			d, err := o.Devices.Get(o.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range d.Params {
				have[p.Name] = p.Value
			}
			if have["margin"] != tt.margin || have["strict"] != tt.strict {
				t.Errorf("margin %s, strict %s", have["margin"], have["strict"])
			}
			rnd := rand.New(rand.NewPCG(1, 23))
			o.ptp(o.somewhere(rnd))
			o.ptp(home())
			o.lin(geom.Vector{Y: 0.05})
			o.chain(o.somewhere(rnd), o.somewhere(rnd), o.somewhere(rnd))
			o.rests("chain")

			away := append([]float64{}, o.at...)
			away[3] += 0.003
			o.refused("a net that begins elsewhere", o.PTP(away, o.at).Net(never))
			if have["strict"] == "true" {
				o.refused("a jump", o.Reset(same(7, 0.5)))
			}
		})
	}
}

// refused runs a net that must not command the arm, which stays where it is.
func (o *olderArm) refused(what, text string) {
	o.t.Helper()
	n := o.prepare(text, 1)
	o.when(nil, "", n)
	o.advance(10 * time.Millisecond)
	if why := o.trouble(); !strings.Contains(why, "a net began where the joint was not: ") {
		o.t.Errorf("%s: %q", what, why)
	}
	if err := n.Abort(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	o.rests(what)
}

// TestResetsInFragments: the first generation writes the constant in a fragment, and the joint in another one with a guard.
func TestResetsInFragments(t *testing.T) {
	o := newOlderArm(t, "//devices/")
	n := o.prepare(`{goal={outPos=v.outValue,v=Core::DoubleValue(Value='-0.75')}(),on=Core::BooleanValue(Value='true'),`+
		`arm={joint=RobotArm::JointPosition(Robot='lwr',Axis='3',inPosition=parent.inPos),outFailed=joint.outErrorJointFailed}(inPos=goal.outPos,inActive=on.outValue),`+
		`failed=Core::BooleanNetcommOut(Key='failed',inValue=arm.outFailed),time=Core::Clock(),end=Core::DoubleGreater(inFirst=time.outValue,Second='0.001'),`+
		`outTerminate=end.outValue}`, 1)
	o.when(nil, "", n)
	o.until("reset", n)
	o.at[3] = -0.75
	o.rests("reset")
}
