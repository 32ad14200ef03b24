package cells

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func TestMain(m *testing.M) { leak.Main(m) }

// TestSmooth: each kind of jump is found.
func TestSmooth(t *testing.T) {
	model := &kinematics.Joint{Min: -1, Max: 1, Velocity: 1, Acceleration: 10} // 0.002 and 0.00004 in a cycle
	points := func(list ...float64) (way []SetPoint) {
		for i, pos := range list {
			way = append(way, SetPoint{int64(i) * int64(Period), pos})
		}
		return way
	}
	late := points(0, 0.00004, 0.00012, 0.0002, 0.00028, 0.00032, 0.00032)
	late[3].Time++
	var fast []float64
	for v, at := 0.0, 0.0; v < 0.0021; v += 0.00004 {
		at += v
		fast = append(fast, at)
	}
	for name, tt := range map[string]struct {
		way  []SetPoint
		want string
	}{
		"nothing":             {nil, ""},
		"up and down":         {points(0, 0.00004, 0.00012, 0.0002, 0.00024, 0.00024), ""},
		"a jump":              {points(0, 0, 0.1, 0.1), "set-point 2: velocity 50"},
		"begins elsewhere":    {points(0.1, 0.1), "set-point 0: velocity 50"},
		"a jerk":              {points(0, 0, 0.001, 0.001), "set-point 2: velocity from 0 to 0.5"},
		"too fast":            {points(fast...), "set-point 51: velocity 1.0"},
		"beyond":              {points(0, 1.00001), "set-point 1: at 1.00001"},
		"it does not rest":    {points(0, 0.00004, 0.00012), "ends at a velocity"},
		"a cycle is left out": {late, "set-point 3: not commanded for"},
	} {
		if got := jumps(model, 0, tt.way, true); tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if wrong := jumps(model, 0, points(0, 0.00004, 0.00012), false); wrong != "" {
		t.Errorf("left alone: %s", wrong)
	}
}

// TestCell: the commands of a motion are remembered, and those of a new device apart from them.
func TestCell(t *testing.T) {
	c := New(t, Only("kr16", "lwr"), With(Device{Name: "other", Kind: "staubli_tx90_sim"})).Free()
	r := c.Connect()
	goal := []float64{0.3, -1.5, 1.5, 0, 1, 0}
	for _, arm := range []*actuator.Arm{actuator.NewArm("kr16", robots.KR16()), actuator.NewArm("other", robots.TX90L())} {
		if err := r.Execute(t.Context(), robotics.NewCommand(arm, motions.PTP{To: goal})); err != nil {
			t.Fatal(err)
		}
	}
	c.Hold()
	arm := c.Arm("kr16")
	arm.Smooth()
	if at := arm.At(); fmt.Sprint(at) != fmt.Sprint(goal) {
		t.Errorf("at %v", at)
	}
	if at := c.Where("other"); len(at) != 6 || len(c.Arm("lwr").Way(0)) != 0 {
		t.Errorf("at %v", at)
	}
	c.tell("kr16", "something")
	c.tell("other", "something")
	c.Renew("kr16")
	if n := len(c.Arm("kr16").Way(0)); n != 0 {
		t.Errorf("%d set-points", n)
	}
	if told := c.Told(); len(told) != 1 || told[0].Device != "other" {
		t.Errorf("told %v", told)
	}
	if at := c.Where("kr16"); fmt.Sprint(at) == fmt.Sprint(goal) {
		t.Error("it is where the old one was")
	}
	c.Renew()
	if len(c.Arm("other").Way(0)) != 0 || len(c.Told()) != 0 {
		t.Errorf("told %v", c.Told())
	}
}

// TestRested: an arm that passes somewhere does not rest there.
func TestRested(t *testing.T) {
	at := func(joints ...float64) (way []SetPoint) {
		for i, v := range joints {
			way = append(way, SetPoint{int64(i) * int64(Period), v})
		}
		way[len(way)-1].Time += int64(Period) // before that, it is left alone
		return way
	}
	a := &Arm{Track: &Track{ways: [][]SetPoint{at(1, 2, 2, 2, 2, 2), at(1, 2, 3, 3, 4, 5)}}, model: make([]kinematics.Joint, 2)}
	for at, want := range map[float64]bool{1: false, 2: false, 3: true, 4: true, 5: true} {
		if got := a.Rested(func(joints []float64) bool { return joints[1] == at }); got != want {
			t.Errorf("%v: %t", at, got)
		}
	}
}

// TestTrace: values by cycle, in which cycles they are true, and that what is no net is said to be none.
func TestTrace(t *testing.T) {
	const text = "{c=Core::Clock(),n=Core::DoubleNetcommIn(Key='limit',Value='0.003'),a=Core::DoubleGreater(inFirst=n.outValue,inSecond=c.outValue)," +
		"e=Core::DoubleGreater(inFirst=c.outValue,Second='0.009'),o=Core::BooleanNetcommOut(Key='a',inValue=a.outValue)," +
		"p=Core::DoubleNetcommOut(Key='at',inValue=c.outValue),outTerminate=e.outValue}"
	c := New(t, Only())
	if got, want := c.Trace(text).Spans(100, "a", "b"), "a 1, b, end 5"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	r := c.Trace(text)
	for r.Step() {
		if at, is := r.Number("at"), float64(r.Cycle)*Period.Seconds(); at != is || r.Is("a") != (r.Cycle == 1 || r.Cycle == 4) {
			t.Errorf("cycle %d: %v", r.Cycle, r.Values)
		}
		r.Set("limit", map[bool]string{true: "1", false: "0"}[r.Cycle == 3])
	}
	r = c.Trace(text)
	for r.Next() {
		if n := len(r.Net.Values().Reported(nil)); n != 2 || r.Values != nil {
			t.Errorf("cycle %d: %d values, %v", r.Cycle, n, r.Values)
		}
	}
	if r.Cycle != 5 {
		t.Errorf("%d cycles", r.Cycle)
	}
	defer func() {
		if recover() == nil {
			t.Error("a trace of what is no net")
		}
	}()
	(&Cell{Core: c.Core, Clock: c.Clock, t: &demo{}}).Trace("{nonsense()}")
}
