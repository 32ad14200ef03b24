package preview_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/preview"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func TestMain(m *testing.M) { leak.Main(m) }

// cell has an arm that is where its joints are, in a time that stands still.
func cell(t *testing.T, params map[string]string) *cells.Cell {
	t.Helper()
	return cells.New(t, cells.Only(), cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim", Params: params}))
}

// parabola lets a joint go with a constant acceleration for some time, or until it is cancelled. Once it has a velocity it says so.
func parabola(acceleration, ends float64) string {
	return fmt.Sprintf("{t=Core::Clock(),s=Core::DoubleMultiply(inFirst=t.outValue,inSecond=t.outValue),q=Core::DoubleMultiply(inFirst=s.outValue,Second='%v'),"+
		"j=RobotArm::JointPosition(Robot='lwr',Axis='0',inPosition=q.outValue),c=Cancel(),l=Core::DoubleGreater(inFirst=t.outValue,Second='%v'),"+
		"e=Core::BooleanOr(inFirst=c.outCancel,inSecond=l.outValue),h=Core::DoubleGreater(inFirst=t.outValue,Second='0.0999'),"+
		"o=Core::BooleanNetcommOut(inValue=h.outValue,Key='late'),outTerminate=e.outValue}", acceleration/2, ends)
}

func run(t *testing.T, c *cells.Cell, p preview.Plan) *preview.Result {
	t.Helper()
	r, err := preview.Run(t.Context(), c.Core, &p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func one(text string) preview.Plan {
	return preview.Plan{Nets: []preview.Net{{Text: text, Start: true}}}
}

func ptp(t *testing.T, to ...float64) string {
	t.Helper()
	p, err := robotics.Map(robotics.NewCommand(actuator.NewArm("lwr", robots.LWR4()), motions.PTP{To: to}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Text
}

// TestMotion: a motion is predicted as it happens later, and nothing has moved.
func TestMotion(t *testing.T) {
	c := cell(t, map[string]string{"home_joint": "[0.1,0.2,0,1,0,0.5,0]"})
	text, goal := ptp(t, 0.5, 0.4, 0, 1.2, 0, 0.5, -0.3), []float64{0.5, 0.4, 0, 1.2, 0, 0.5, -0.3}
	before := c.Where("lwr")
	r := run(t, c, one(text))
	if at := c.Where("lwr"); !slices.Equal(at, before) || len(c.Core.Nets.All()) > 0 {
		t.Errorf("the arm is at %v, there are %d nets", at, len(c.Core.Nets.All()))
	}
	if len(r.Breaches) > 0 || r.Cut || len(r.Devices) != 1 || !r.Nets[0].Begun || r.Nets[0].State != "TERMINATED" || len(r.LeftOut) > 0 {
		t.Fatalf("%+v", r)
	}
	d := r.Devices[0]
	for i, q := range d.Joints {
		if math.Abs(float64(q)-goal[i]) > 1e-6 {
			t.Errorf("joint %d ends at %v, not at %v", i, q, goal[i])
		}
		if p := d.Peaks[i]; p.Velocity > p.VelocityLimit*(1+1e-6) || p.Acceleration > p.AccelerationLimit*(1+1e-6) || (goal[i] != before[i]) != (p.Velocity > 0) {
			t.Errorf("joint %d: %+v", i, p)
		}
	}
	net := c.Trace(text).Net
	e, ended := net.Ended()
	for ; !ended; e, ended = net.Ended() {
		c.Pass(1)
	}
	if want := (time.Duration(e.Cycle-1) * cells.Period).Seconds(); r.Duration != want || r.Nets[0].End != want {
		t.Errorf("it takes %v s, the preview says %v", want, r.Duration)
	}
	if name := net.Name(); name != "rpinet0" {
		t.Errorf("the preview has used up names: the first net is %s", name)
	}
}

// TestBreaches: where set-points are beyond limits, the result says when, where and by how much, whether the device refuses them or not.
func TestBreaches(t *testing.T) {
	for _, tt := range []struct {
		name           string
		acceleration   float64
		params         map[string]string
		at             float64
		what           string
		value, limit   float64
		refused, quiet bool
	}{
		{name: "velocity", acceleration: 2, params: map[string]string{"max_vel": "[1,1,1,1,1,1,1]", "max_acc": "[4,4,4,4,4,4,4]"}, at: 0.506, what: "velocity", value: 1.014, limit: 1, refused: true},
		{name: "position", acceleration: 2, params: map[string]string{"max_joint": "[0.16,1,1,2,1,1,1]", "max_acc": "[4,4,4,4,4,4,4]"}, at: 0.4, what: "position", value: 0.161604, limit: 0.16, refused: true},
		{name: "within the margin", acceleration: 2.01, params: map[string]string{"max_acc": "[2,2,2,2,2,2,2]"}, at: 0.002, what: "acceleration", value: 2.01, limit: 2},
		{name: "none", acceleration: 2, params: map[string]string{"max_acc": "[2,2,2,2,2,2,2]"}, quiet: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, cell(t, tt.params), one(parabola(tt.acceleration, 0.6)))
			if tt.quiet {
				if len(r.Breaches) > 0 {
					t.Errorf("%+v", r.Breaches)
				}
				return
			}
			b := slices.IndexFunc(r.Breaches, func(b preview.Breach) bool { return b.What == tt.what && b.Refused == tt.refused })
			if b < 0 {
				t.Fatalf("%+v", r.Breaches)
			}
			is := r.Breaches[b]
			if is.Device != "lwr" || is.Joint != 0 || is.Name == "" || is.Refused != tt.refused || is.Limit != preview.Number(tt.limit) || len(is.Joints) != 7 || math.Abs(float64(is.Value)-tt.value) > 1e-6 {
				t.Errorf("%+v", is)
			}
			if is.At != tt.at || math.Abs(float64(is.Joints[0])-tt.acceleration/2*is.At*is.At) > 0.01 {
				t.Errorf("at %v s, joints %v", is.At, is.Joints)
			}
			if !strings.Contains(is.Text, "limit of "+tt.what) {
				t.Errorf("%s", is.Text)
			}
		})
	}
}

// swing lets a joint swing, a little more each time: about 1 rad/s fast in one direction, and then in the other.
const swing = "{t=Core::Clock(),w=Core::DoubleMultiply(inFirst=t.outValue,Second='2'),c=Core::DoubleCos(inValue=w.outValue),b=Core::DoubleAdd(inFirst=c.outValue,Second='-1')," +
	"h=Core::DoubleMultiply(inFirst=t.outValue,Second='0.001'),g=Core::DoubleAdd(inFirst=h.outValue,Second='0.5'),q=Core::DoubleMultiply(inFirst=b.outValue,inSecond=g.outValue)," +
	"j=RobotArm::JointPosition(Robot='lwr',Axis='0',inPosition=q.outValue),l=Core::DoubleGreater(inFirst=t.outValue,Second='6'),outTerminate=l.outValue}"

// TestBreachesInBothDirections: of a limit that is broken in one direction after the other, what is told is the first time with its value,
// and the worst one of all times; what is still taken is told apart from what is refused, each with its own time.
func TestBreachesInBothDirections(t *testing.T) {
	r := run(t, cell(t, map[string]string{"max_vel": "[0.9994,9,9,9,9,9,9]", "max_acc": "[90,9,9,9,9,9,9]"}), one(swing))
	var taken, refused *preview.Breach
	for i := range r.Breaches {
		if b := &r.Breaches[i]; b.What == "velocity" && b.Refused {
			refused = b
		} else if b.What == "velocity" {
			taken = b
		}
	}
	if len(r.Breaches) != 2 || taken == nil || refused == nil {
		t.Fatalf("%+v", r.Breaches)
	}
	for _, b := range []*preview.Breach{taken, refused} {
		if !strings.Contains(b.Text, fmt.Sprintf("at %.6g s: ", b.At)) || !strings.Contains(b.Text, fmt.Sprintf(" %.6g rad/s", b.Value)) || strings.Contains(b.Text, "still take") == b.Refused {
			t.Errorf("%s", b.Text)
		}
	}
	if taken.At >= refused.At || taken.Value*refused.Value >= 0 || math.Abs(float64(taken.Value)) > 0.9994*1.01 || math.Abs(float64(refused.Value)) <= 0.9994*1.01 || refused.Worst != refused.Value {
		t.Errorf("%+v\n%+v", taken, refused)
	}
	if taken.Worst*taken.Value >= 0 || math.Abs(float64(taken.Worst)) <= math.Abs(float64(taken.Value)) {
		t.Errorf("%v is worse than %v", taken.Worst, taken.Value)
	}
}

// TestNoNumbers: what a net computes may be no number. It is told all the same.
func TestNoNumbers(t *testing.T) {
	const text = "{%s,z=Core::DoubleValue(Value='0'),y=Core::DoubleValue(Value='1e200'),t=Core::Clock()," +
		"j=RobotArm::JointPosition(Robot='lwr',Axis='0',inPosition=n.outValue),l=Core::DoubleGreater(inFirst=t.outValue,Second='0.1'),outTerminate=l.outValue}"
	for is, by := range map[string]string{
		"NaN":       "n=Core::DoubleDivide(inFirst=z.outValue,inSecond=z.outValue)",
		"Infinity":  "n=Core::DoubleMultiply(inFirst=y.outValue,Second='1e200')",
		"-Infinity": "n=Core::DoubleMultiply(inFirst=y.outValue,Second='-1e200')",
	} {
		r := run(t, cell(t, nil), one(fmt.Sprintf(text, by)))
		if told, err := json.Marshal(r); err != nil || len(r.Breaches) != 1 || r.Breaches[0].What != "position" || !strings.Contains(string(told), fmt.Sprintf(`"value":%q,`, is)) {
			t.Errorf("%s: %s, %v", is, told, err)
		}
	}
}

// TestRest: nets may end while joints move. These brake by themselves: the result says which ones, and all of them rest in the
// end where they do so later, when the net runs.
func TestRest(t *testing.T) {
	at := []float64{2.5, 0, 0, 1, 0, 0.5, 0}
	for _, tt := range []struct {
		name, text string
		wait       float64 // until it is cancelled
		left       float64
	}{
		{"a net that ends at speed", parabola(0.5, 0.6), 0, 0.3},
		{"which is cancelled", parabola(0.5, 100), 0.4, 0.2},
		{"a motion", ptp(t, 2.7, 0.1, 0, 1, 0, 0.5, 0), 0, 0},
		{"in front of the end", "", 0, 0.8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, text := slices.Clone(at), tt.text
			if tt.left > 0 {
				from[0] = 0
			}
			if text == "" {
				from[0], text = 2.6, strings.Replace(parabola(1, 0.8), "inPosition=q.outValue", "inPosition=a.outValue),a=Core::DoubleAdd(inFirst=q.outValue,Second='2.6'", 1)
			}
			c := cell(t, map[string]string{"home_joint": strings.Join(strings.Fields(fmt.Sprint(from)), ",")})
			p := one(text)
			p.For = tt.wait
			r := run(t, c, p)
			d := r.Devices[0]
			switch {
			case tt.left == 0 && len(d.Left) > 0:
				t.Errorf("%+v", d.Left)
			case tt.left > 0 && (len(d.Left) != 1 || d.Left[0].Joint != 0 || math.Abs(d.Left[0].Velocity-tt.left) > 0.005 || d.Left[0].At != d.End):
				t.Errorf("%+v", d.Left)
			}
			if len(r.Breaches) > 0 || float64(d.Rest) < d.End || float64(d.Rest) > d.End+1 || tt.left > 0 && d.Rest < preview.Number(d.End+0.01) {
				t.Errorf("%+v", d)
			}
			c.Trace(text)
			c.Pass(max(1, int(math.Round(tt.wait/cells.Period.Seconds()))))
			for _, n := range c.Core.Nets.All() {
				if tt.wait > 0 {
					if err := n.Cancel(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
			c.Pass(5000)
			for i, is := range c.Where("lwr") {
				if math.Abs(is-float64(d.Joints[i])) > 1e-9 {
					t.Errorf("joint %d rests at %v, the preview says %v", i, is, d.Joints[i])
				}
			}
		})
	}
}

// TestBeginnings: the result says where joints begin, and how that is known; and which devices do not work now.
func TestBeginnings(t *testing.T) {
	c := cells.New(t, cells.Only(), cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim"}),
		cells.With(cells.Device{Name: "off", Kind: "kuka_lwr_sim", Params: map[string]string{"power": "false"}}))
	still := func(device string) preview.Plan {
		return one("{m=RobotArm::JointMonitor(Robot='" + device + "',Axis='0'),j=RobotArm::JointPosition(Robot='" + device + "',Axis='0',inPosition=m.outCommandedPosition)," +
			"t=Core::Clock(),l=Core::DoubleGreater(inFirst=t.outValue,Second='0.01'),outTerminate=l.outValue}")
	}
	for device, by := range map[string]rcc.Beginning{"lwr": rcc.ByCommand, "off": rcc.ByMeasuring} {
		p := still(device)
		r := run(t, c, p)
		if d := r.Devices[0]; d.By != by || len(d.From) != 7 || d.Rest != preview.Number(d.End) {
			t.Errorf("%s: %+v", device, d)
		}
		if len(r.Warnings) != 1 || r.Warnings[0].Device != "off" || !strings.Contains(r.Warnings[0].Text, "drives are off") {
			t.Errorf("%+v", r.Warnings)
		}
		p.From = map[string][]float64{device: {0.5, 0, 0, 1, 0, 0.5, 0}}
		if d := run(t, c, p).Devices[0]; d.By != rcc.ByPlan || d.From[0] != 0.5 || d.Joints[0] != 0.5 {
			t.Errorf("%s: %+v", device, d)
		}
	}
}

// TestEndOfTheDaemon: when the daemon ends, a preview does at once, and says so; afterwards none begins.
func TestEndOfTheDaemon(t *testing.T) {
	c := cell(t, nil)
	p := one("{x=Core::BooleanValue(Value='false'),outTerminate=x.outValue}")
	p.For = 600
	ended := make(chan error)
	go func() {
		_, err := preview.Run(context.Background(), c.Core, &p)
		ended <- err
	}()
	if err := c.Core.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
	if _, err := preview.Run(t.Context(), c.Core, &p); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("afterwards: %v", err)
	}
	if _, err := c.Core.Twin(rcc.TwinOptions{}); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("there is a twin: %v", err)
	}
}

// TestFrom: the motion of a plan begins where the plan says, and otherwise where joints are commanded to be.
func TestFrom(t *testing.T) {
	c := cell(t, nil)
	c.Trace(ptp(t, 0.1, 0, 0, 0.2, 0, 0, 0))
	c.Pass(100) // it moves
	at := c.Where("lwr")
	still := "{t=Core::Clock(),l=Core::DoubleGreater(inFirst=t.outValue,Second='0.02'),outTerminate=l.outValue," +
		"m=RobotArm::JointMonitor(Robot='lwr',Axis='0'),o=Core::DoubleNetcommOut(inValue=m.outCommandedPosition,Key='q')}"
	q := func(p preview.Plan) string { return run(t, c, p).Nets[0].Values["outq"] }
	if got := q(one(still)); got != fmt.Sprint(at[0]) || at[0] == 0 {
		t.Errorf("it begins at %s, the arm is at %v", got, at[0])
	}
	p := one(still)
	p.From = map[string][]float64{"lwr": {0.5, 0, 0, 1, 0, 0, 0}}
	if got := q(p); got != "0.5" {
		t.Errorf("it begins at %s", got)
	}
}

// TestRules: nets of a plan call each other by their numbers, and rules switch between them as they do in the daemon.
func TestRules(t *testing.T) {
	c := cell(t, map[string]string{"max_acc": "[4,4,4,4,4,4,4]"})
	second := "{j=RobotArm::JointPosition(Robot='lwr',Axis='1',inPosition=z.outValue),z=Core::DoubleValue(Value='0')," +
		"r=Core::BooleanInterNetcommIn(RemoteRCC='',RemoteNet='rpinet1',RemoteKey='late'),o=Core::BooleanNetcommOut(inValue=r.outValue,Key='seen')," +
		"t=Core::Clock(),l=Core::DoubleGreater(inFirst=t.outValue,Second='0.05'),outTerminate=l.outValue}"
	p := preview.Plan{
		Nets: []preview.Net{{Text: parabola(2, 1), Start: true}, {Text: second}, {Text: second}},
		Rules: []preview.Rule{
			{Condition: "rpinet1.outlate", Stop: []string{"rpinet1"}, Start: []string{"rpinet2"}},
			{Condition: "rpinet1.outlate & !rpinet1.outlate", Start: []string{"rpinet3"}},
		},
	}
	r := run(t, c, p)
	if a, b := r.Nets[0], r.Nets[1]; a.True["outlate"] != 0.098 || a.End != 0.098 || b.Begin != 0.1 || b.True["outseen"] != 0.1 || r.Nets[2].Begun || !b.Begun {
		t.Errorf("%+v", r.Nets)
	}
	if r.Rules[0].State != "FIRED" || r.Rules[0].At != 0.098 || !strings.Contains(r.Rules[0].Account, "from 0.1 s") || r.Rules[1].State == "FIRED" {
		t.Errorf("%+v", r.Rules)
	}
}

// TestCut: what goes on for longer than it is to is cancelled, and what does not mind is aborted.
func TestCut(t *testing.T) {
	c := cell(t, nil)
	p := one(parabola(0.1, 1000))
	p.For = 0.5
	for wanted, is := range map[float64]float64{0.5: 0.5, 0.501: 0.502, 1: 1, 1e-9: 0.002} {
		p.For = wanted
		if r := run(t, c, p); !r.Cut || r.Duration != is {
			t.Errorf("%v s: %v", wanted, r.Duration)
		}
	}
	p = one("{x=Core::BooleanValue(Value='false'),outTerminate=x.outValue}")
	p.For = 0.5
	if r := run(t, c, p); !r.Cut || math.Abs(r.Duration-10.5) > 0.0021 {
		t.Errorf("%v s", r.Duration)
	}
}

// TestSameAgain: the same plan has the same result, to the last bit.
func TestSameAgain(t *testing.T) {
	c := cells.New(t)
	first := ""
	for range 3 {
		text, err := json.Marshal(run(t, c, one(ptp(t, 0.5, 0.4, 0, 1.2, 0, 0.5, -0.3))))
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Errorf("%s\n%s", first, text)
		}
	}
}

// TestWrongPlans: what is wrong with a plan is told with its place.
func TestWrongPlans(t *testing.T) {
	const good = "{t=Core::Clock(),l=Core::DoubleGreater(inFirst=t.outValue,Second='0.02'),outTerminate=l.outValue,i=Core::DoubleNetcommIn(Key='v',Value='1')}"
	arms := one(good)
	arms.Nets[0].Text = parabola(1, 1)
	for _, tt := range []struct {
		place  string
		kind   error
		change func(p *preview.Plan)
	}{
		{"nets", nil, func(p *preview.Plan) { p.Nets = nil }},
		{"nets", nil, func(p *preview.Plan) { p.Nets = make([]preview.Net, 257) }},
		{"rules", nil, func(p *preview.Plan) { p.Rules = make([]preview.Rule, 1025) }},
		{"for", nil, func(p *preview.Plan) { p.For = -1 }},
		{"for", nil, func(p *preview.Plan) { p.For = 601 }},
		{"for", nil, func(p *preview.Plan) { p.For = math.NaN() }},
		{"from.lwr[1]", nil, func(p *preview.Plan) { p.From = map[string][]float64{"lwr": {0, math.NaN()}} }},
		{"from", rcc.ErrNoDevice, func(p *preview.Plan) { p.From = map[string][]float64{"none": {0}} }},
		{"from", rcc.ErrValue, func(p *preview.Plan) { p.From = map[string][]float64{"lwr": {0}} }},
		{"from", rcc.ErrValue, func(p *preview.Plan) { p.From = map[string][]float64{"lwr": {9, 0, 0, 0, 0, 0, 0}} }},
		{"nets[0].cycle", nil, func(p *preview.Plan) { p.Nets[0].Cycle = -1 }},
		{"nets[0]", nil, func(p *preview.Plan) { p.Nets[0].Cycle = 1e-9 }},
		{"nets[0].text", nil, func(p *preview.Plan) { p.Nets[0].Text = "{" }},
		{"nets[1]", nil, func(p *preview.Plan) { p.Nets = append(p.Nets, preview.Net{Text: "{x=No::Such()}"}) }},
		{"nets[0].inputs", rcc.ErrNoKey, func(p *preview.Plan) { p.Nets[0].Inputs = map[string]string{"inNone": "1"} }},
		{"nets[0].inputs", rcc.ErrValue, func(p *preview.Plan) { p.Nets[0].Inputs = map[string]string{"inv": "much"} }},
		{"rules[0]", rcc.ErrNoNet, func(p *preview.Plan) { p.Rules = []preview.Rule{{Condition: "t", Start: []string{"rpinet7"}}} }},
		{"rules[0]", nil, func(p *preview.Plan) { p.Rules = []preview.Rule{{Condition: "&"}} }},
		{"start", rcc.ErrResource, func(p *preview.Plan) { p.Nets = []preview.Net{arms.Nets[0], arms.Nets[0]} }},
	} {
		p := one(good)
		tt.change(&p)
		_, err := preview.Run(t.Context(), cell(t, nil).Core, &p)
		var wrong *preview.Error
		if !errors.As(err, &wrong) || wrong.Place != tt.place || tt.kind != nil && !errors.Is(err, tt.kind) {
			t.Errorf("%s: %v", tt.place, err)
		}
	}
}

// TestGone: a preview ends when nobody waits for it any more.
func TestGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := one(parabola(0.1, 1000))
	if _, err := preview.Run(ctx, cell(t, nil).Core, &p); err == nil {
		t.Error("it did not end")
	}
}

// TestNothingElseChanges: while a motion goes on, previews take place again and again, and the motion is the one that it would be without
// them, cycle by cycle. Figures and names of the daemon are as they were.
func TestNothingElseChanges(t *testing.T) {
	text := ptp(t, 0.5, 0.4, 0, 1.2, 0, 0.5, -0.3)
	move := func(between func(c *cells.Cell)) (ways [7][]cells.SetPoint, figures string) {
		c := cell(t, nil)
		net := c.Trace(text).Net
		for _, ended := net.Ended(); !ended; _, ended = net.Ended() {
			between(c)
			if err := c.Core.Clock.Advance(t.Context(), 7*cells.Period); err != nil {
				t.Fatal(err)
			}
		}
		for i := range ways {
			ways[i] = c.Arm("lwr").Way(i)
		}
		incidents, _ := c.Core.Executors.Incidents()
		x := c.Core.Executors.All()
		next, err := c.Core.Nets.Load(rcc.LoadRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return ways, fmt.Sprintf("%d incidents, %d executors, %d ticks, %d missed, %d rules, next net %s",
			incidents, len(x), x[0].Ticks, x[0].Missed, len(c.Core.Rules.All()), next.Name())
	}
	alone, figures := move(func(*cells.Cell) {})
	watched, same := move(func(c *cells.Cell) { run(t, c, one(parabola(1, 0.2))) })
	for i := range alone {
		if !slices.Equal(alone[i], watched[i]) || len(alone[i]) < 100 {
			t.Errorf("joint %d is commanded something else", i)
		}
	}
	if figures != same {
		t.Errorf("%s\n%s", figures, same)
	}
}

// TestWhileItMoves: previews begin wherever an arm is that moves all the time, and its motions are as smooth as before.
func TestWhileItMoves(t *testing.T) {
	c := cell(t, nil).Free()
	app, arm := c.Connect(), actuator.NewArm("lwr", robots.LWR4())
	moved := make(chan error, 1)
	there, back := motions.PTP{To: []float64{0.5, 0.4, 0, 1.2, 0, 0.5, -0.3}}, motions.PTP{To: []float64{-0.5, 0, 0.2, 1, 0.3, 0, 0}}
	go func() {
		var errs []error
		for range 5 {
			errs = append(errs, app.Execute(t.Context(), robotics.Sequence(robotics.NewCommand(arm, there), robotics.NewCommand(arm, back))))
		}
		moved <- errors.Join(errs...)
	}()
	text := ptp(t, back.To...)
	for going := true; going; {
		if r := run(t, c, one(text)); len(r.Breaches) > 0 || r.Nets[0].State != "TERMINATED" || r.Cut {
			t.Errorf("%+v", r)
		}
		select {
		case err := <-moved:
			going = false
			if err != nil {
				t.Error(err)
			}
		default:
		}
	}
	c.Arm("lwr").Smooth()
}
