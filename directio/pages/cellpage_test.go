package pages

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// slowly moves the first joint of an arm at 0.5 rad/s².
const slowly = `{time=Core::Clock(),square=Core::DoubleMultiply(inFirst=time.outValue,inSecond=time.outValue),way=Core::DoubleMultiply(inFirst=square.outValue,Second='0.25'),` +
	`joint=RobotArm::JointPosition(Robot='lwr',Axis='0',inPosition=way.outValue),` +
	`show=Core::DoubleNetcommOut(inValue=way.outValue,Key='Way'),outTerminate=Cancel().outCancel}`

func withArms(t *testing.T) *cell {
	t.Helper()
	return newCellOf(t, Options{Version: "1.2.3"}, primitives.All(), func(cfg *rcc.Config) { cfg.DeviceTypes = append(devices.Types(), testdevice.Type) })
}

func (c *cell) create(name, typeName string, params map[string]string) {
	c.t.Helper()
	if err := c.Devices.Create(name, typeName, params); err != nil {
		c.t.Fatal(err)
	}
}

// TestCell compares what one sees of a cell: an arm whose kinematics are known, axes beside it that cannot be drawn, a device
// without joints, a base, a net that runs and one that does not.
func TestCell(t *testing.T) {
	c := withArms(t)
	inAllFormsAs(t, c, "/cell/", "cell_empty")
	c.create("kr", "kuka_kr_arm_sim", map[string]string{"linear_axis": "{x:0,y:1,z:0}", "faults": "0s fail 2"})
	c.create("table", "kuka_kr_extaxis", map[string]string{"kr_arm": "kr"})
	c.create("sensors", testdevice.Type.Name, nil)
	c.create("cart", "robotbase_sim", map[string]string{"home": "{pos:{x:1,y:-0.5,z:0},rot:{a:0.25,b:0,c:0}}", "power": "false"})
	c.Cell.SetPlace("kr", geom.Frame{Pos: geom.Vector{Z: 0.5}})
	c.Cell.SetFrame("tray", "kr", geom.Frame{Pos: geom.Vector{X: 0.25}})
	c.load(counting, "not started", "")
	if err := c.load(counting, "counts <up>", "").Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(20 * time.Millisecond)
	inAllFormsAs(t, c, "/cell/", "cell")
}

func inAllFormsAs(t *testing.T, c *cell, path, name string) {
	t.Helper()
	for form, accept := range allForms {
		checkGolden(t, "get_"+name+"."+form, c.answer(request("GET", path, "", "Accept", accept)))
	}
}

// cellJSON returns what programs read.
func (c *cell) cellJSON() (view cellView) {
	c.t.Helper()
	a := c.answer(request("GET", "/cell/", "", "Accept", forJSON))
	if a.StatusCode != http.StatusOK {
		c.t.Fatal(a.Status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &view); err != nil {
		c.t.Fatal(err, a.text)
	}
	return view
}

// TestCellFollowsArms looks at an arm that a net moves.
func TestCellFollowsArms(t *testing.T) {
	c := withArms(t)
	c.create("lwr", "kuka_lwr_sim", nil)
	straight := c.cellJSON().Arms[0]
	if got := straight.Flange.Z; math.Abs(float64(got)-1.1785) > 1e-6 {
		t.Errorf("stretched out, the flange of an LWR is 1.1785 m high, not %v", got)
	}
	if err := c.load(slowly, "", "").Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(400 * time.Millisecond)
	view := c.cellJSON()
	arm := view.Arms[0]
	if j := arm.Joints[0]; math.Abs(float64(j.Commanded)-0.04) > 0.002 || math.Abs(float64(j.Measured)-0.04) > 0.02 || j.Fault != "" {
		t.Errorf("after 0.4 s at 0.5 rad/s²: %+v", j)
	}
	if got, want := float64(arm.Flange.A-straight.Flange.A), float64(arm.Joints[0].Measured); math.Abs(math.Remainder(got-want, 2*math.Pi)) > 1e-5 {
		t.Errorf("the flange has turned by %v, its only joint that moves by %v", got, want)
	}
	if len(arm.Axes) != 7 || len(view.Nets) != 1 || len(view.Nets[0].Name) == 0 {
		t.Errorf("%d axes, nets %+v", len(arm.Axes), view.Nets)
	}
}

// TestDemonstration runs the net of the built-in cell: both arms and the base move within their limits and are never refused, and
// rest when it has been cancelled; the gripper opens and closes.
func TestDemonstration(t *testing.T) {
	c := withArms(t)
	c.create("lwr", "kuka_lwr_sim", nil)
	c.create("tx90l", "staubli_tx90_sim", nil)
	c.create("base", "robotbase_sim", nil)
	c.create("gripper", "schunk_wsg_sim", nil)
	c.create("io", "io_sim", map[string]string{"loopback": "true"})
	text, err := configs.Files.ReadFile("demo.dio")
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Nets.Load(rcc.LoadRequest{Text: string(text), Period: 2 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	least, most := map[string]float64{}, map[string]float64{}
	measure := func(key string, at float64) { least[key], most[key] = min(least[key], at), max(most[key], at) }
	look := func() {
		view := c.cellJSON()
		for _, b := range view.Bases {
			measure("base x", float64(b.X))
			measure("base y", float64(b.Y))
			if b.Cause != "" || math.Abs(float64(b.X)) > 1 || math.Abs(float64(b.Y)) > 1 {
				t.Fatalf("%+v", b)
			}
		}
		for _, net := range view.Nets {
			for _, v := range net.Values {
				if width, err := strconv.ParseFloat(v.Value, 64); v.Key == "outWidth" && err == nil {
					measure("ten times the width of the gripper", 10*width)
				}
			}
		}
		for _, arm := range view.Arms {
			for _, j := range arm.Joints {
				at, key := float64(j.Measured), arm.Name+j.Name
				measure(key, at)
				if j.Fault != "" || at < float64(j.Min) || at > float64(j.Max) {
					t.Fatalf("%s: %+v", arm.Name, j)
				}
			}
		}
	}
	for range 150 {
		c.advance(100 * time.Millisecond)
		look()
	}
	for key := range most {
		if most[key]-least[key] < 0.5 {
			t.Errorf("%s has hardly moved: %v to %v", key, least[key], most[key])
		}
	}
	if err := n.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(2 * time.Second)
	if n.State() != rcc.Terminated || len(most) != 16 {
		t.Errorf("%v, %d that move", n.State(), len(most))
	}
	look()
	for _, b := range c.Cell.Bases() {
		if b.Measured != (geom.Twist{}) {
			t.Errorf("the base does not rest: %v", b.Measured)
		}
	}
	for _, arm := range c.Cell.Arms() {
		for _, j := range arm.Joints {
			if j.Commanded.Vel != 0 || math.Abs(j.Measured.Vel) > 1e-3 || math.Abs(j.Measured.Pos-j.Commanded.Pos) > 1e-3 {
				t.Errorf("%s %s does not rest: %+v", arm.Name, j.Name, j.JointState)
			}
		}
	}
}

// UnmarshalJSON reads values as an object.
func (list *keyValues) UnmarshalJSON(text []byte) error {
	var values map[string]string
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	for key, v := range values {
		*list = append(*list, keyValue{key, v})
	}
	return nil
}

// TestCellHammer looks at a cell from many places while its arms come and go. Every answer is complete.
func TestCellHammer(t *testing.T) {
	const watchers, rounds = 8, 60
	c := withArms(t)
	c.create("stays", "staubli_tx90_sim", nil)
	var watching sync.WaitGroup
	done := make(chan struct{})
	for range watchers {
		watching.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, arm := range c.cellJSON().Arms {
					if arm.Name == "stays" && len(arm.Axes) != 6 || len(arm.Joints) != len(arm.Axes) || arm.State == device.Offline.String() {
						t.Errorf("%+v", arm)
					}
				}
			}
		})
	}
	for range rounds {
		c.create("goes", "kuka_lwr_sim", nil)
		c.advance(2 * time.Millisecond)
		if err := c.Devices.Remove("goes"); err != nil {
			t.Error(err)
		}
	}
	close(done)
	watching.Wait()
	if n := len(c.cellJSON().Arms); n != 1 {
		t.Errorf("%d arms are left", n)
	}
}

// TestBars is where the bars of joints are.
func TestBars(t *testing.T) {
	for _, tt := range []struct {
		joint          jointView
		x, width, mark string
		limited        bool
	}{
		{jointView{Min: -1, Max: 3, Measured: 1, Commanded: 3}, "25.00", "25.00", "99.00", true},
		{jointView{Min: -1, Max: 3, Measured: -0.5, Commanded: -1}, "12.50", "12.50", "0.00", true},
		{jointView{Min: 1, Max: 3, Measured: 2, Commanded: 2}, "0.00", "50.00", "49.50", true},
		{jointView{Min: -3, Max: -1, Measured: -2, Commanded: -2}, "50.00", "50.00", "49.50", true},
	} {
		if j := tt.joint; j.BarX() != tt.x || j.BarWidth() != tt.width || j.Mark() != tt.mark || j.Limited() != tt.limited {
			t.Errorf("%+v: %s %s %s %v", j, j.BarX(), j.BarWidth(), j.Mark(), j.Limited())
		}
	}
	for _, j := range []jointView{{Min: quantity(math.NaN()), Max: 1}, {Min: 1, Max: 1}, {Min: quantity(math.Inf(-1)), Max: 1}} {
		if j.Limited() {
			t.Errorf("%+v has limits", j)
		}
	}
}

// TestPause: who looks at the cell, by any means, is told why its program does not go on.
func TestPause(t *testing.T) {
	why := ""
	c := newCell(t, Options{Realtime: degraded, Pause: func() string { return why }})
	for _, why = range []string{"", "the arm <is> stopped"} {
		for accept, text := range map[string]string{browser: "the arm &lt;is&gt; stopped", forJSON: `"pause":"the arm \u003cis\u003e stopped"`} {
			a := c.answer(request("GET", "/cell/", "", "Accept", accept))
			if got := strings.Contains(a.text, text) || strings.Contains(a.text, `"pause":"the arm <is> stopped"`); got != (why != "") {
				t.Errorf("%q: %s", why, a.text)
			}
		}
	}
}

// TestProgram: who looks at the cell reads what moves it; who asks for numbers is told them only.
func TestProgram(t *testing.T) {
	c := newCell(t, Options{Realtime: degraded, Program: "if a < b {\n\tmove()\n}"})
	for accept, shown := range map[string]bool{browser: true, forJSON: false, forXML: false} {
		w := httptest.NewRecorder()
		c.pages.ServeHTTP(w, request("GET", "/cell/", "", "Accept", accept))
		if got := strings.Contains(w.Body.String(), "if a &lt; b {\n\tmove()\n}"); got != shown || w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", accept, w.Code, w.Body)
		}
	}
}
