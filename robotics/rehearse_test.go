package robotics_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestOnPaper: commands of a rehearsal have nothing to do with what is executed, and their handles say so.
func TestOnPaper(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm, token := kr16(), robotics.NewToken("soon")
	move := func(params ...robotics.Param) *robotics.RuntimeCommand {
		m := robotics.NewCommand(arm, motions.PTP{To: point}, append(params, robotics.HandOver(true))...)
		m.OnFirstEntered(m.State(motions.Progress(0.5)), robotics.Give(token))
		return m
	}
	p, other := r.Rehearse(), r.Rehearse()
	h, err := p.Start(move())
	elsewhere, err2 := other.Start(move())
	loaded, err3 := r.Load(t.Context(), move())
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	set := robotics.NewInput("speed", 1.0)
	ctx := t.Context()
	for name, err := range map[string]error{
		"wait": h.Wait(ctx), "start": h.Start(ctx), "cancel": h.Cancel(ctx), "abort": h.Abort(ctx), "forget": h.Forget(ctx),
		"override": h.SetOverride(ctx, 0.5), "net": h.Net().Cancel(ctx),
	} {
		if !errors.Is(err, client.ErrPlanned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := robotics.Set(ctx, h, set, 0.5); !errors.Is(err, robotics.ErrNoInput) {
		t.Errorf("%v", err)
	}
	<-h.Done()
	if _, err := h.Net().Figures(ctx); !errors.Is(err, client.ErrPlanned) {
		t.Errorf("figures: %v", err)
	}
	start := func(s func(c robotics.Command) (*robotics.Handle, error), from *robotics.Handle) error {
		_, err := s(move(robotics.TakeOver{Of: from}))
		return err
	}
	live := func(c robotics.Command) (*robotics.Handle, error) { return r.Start(ctx, c) }
	rule := func(when robotics.Condition, do ...*robotics.Handle) error {
		_, err := r.Synchronize(ctx, when, robotics.Switch{Start: do})
		return err
	}
	for name, err := range map[string]error{
		"executed, from paper":          start(live, h),
		"on paper, from what is real":   start(p.Load, loaded),
		"on paper, from another paper":  start(p.Load, elsewhere),
		"a rule, of paper":              rule(robotics.Now, h),
		"a rule, when paper":            rule(h.Given(token), loaded),
		"on paper, of what is real":     p.Synchronize(robotics.Now, robotics.Switch{Stop: []*robotics.Handle{loaded}}),
		"on paper, when something real": p.Synchronize(h.Given(token).Or(loaded.Given(token)), robotics.Switch{}),
		"on paper, when another paper":  p.Synchronize(elsewhere.Given(token), robotics.Switch{}),
	} {
		if !errors.Is(err, robotics.ErrRehearsal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, tt := range map[string]struct{ err, want error }{
		"no command in a rule": {p.Synchronize(robotics.Now, robotics.Switch{Start: []*robotics.Handle{nil}}), robotics.ErrNoCommand},
		"a token nobody gives": {p.Synchronize(h.Given(robotics.NewToken("never")), robotics.Switch{}), robotics.ErrToken},
		"no time":              {ran(r.Rehearse(robotics.For(0)).Run(ctx)), robotics.ErrDuration},
		"from no number":       {ran(r.Preview(ctx, move(), robotics.From(arm.Joints, []float64{0, 0, math.NaN(), 0, 0, 0}))), robotics.ErrNumber},
		"from nowhere":         {ran(r.Preview(ctx, move(), robotics.From(arm.Joints, point[:3]))), robotics.ErrJoints},
		"nothing":              {ran(r.Rehearse().Run(ctx)), robotics.ErrNoCommand},
		"what makes no sense":  {ran(r.Preview(ctx, robotics.NewWait(0))), robotics.ErrDuration},
		"another model":        {ran(r.Preview(ctx, robotics.NewCommand(actuator.NewArm("tx90", model()), motions.PTP{To: point}))), robotics.ErrModel},
	} {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v", name, tt.err)
		}
	}
	if err := loaded.Forget(ctx); err != nil {
		t.Error(err)
	}
	if at := p.Stand(nil); at != nil {
		t.Errorf("nobody stands at %v", at)
	}
}

func ran(_ *robotics.Preview, err error) error { return err }

// TestPlan: a rehearsal becomes a plan of nets that call each other by their names in it.
func TestPlan(t *testing.T) {
	r := cells.New(t).Free().Connect()
	arm, leave, rest := kr16(), robotics.NewToken("leave"), robotics.NewToken("rest")
	p := r.Rehearse(robotics.For(3*time.Second), robotics.From(arm.Joints, point), nil)
	first := robotics.NewCommand(arm, motions.PTP{To: point}, robotics.HandOver(true))
	first.OnFirstEntered(first.State(motions.Progress(0.5)), robotics.Give(leave))
	first.OnFirstEntered(first.Completed(), robotics.Give(rest))
	one, err := p.Start(first)
	if err != nil {
		t.Fatal(err)
	}
	two, err := p.Load(robotics.NewCommand(arm, motions.JointHold{}, robotics.TakeOver{Of: one}))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Synchronize(one.Given(leave).Or(one.Given(rest)), robotics.Switch{Stop: []*robotics.Handle{one}, Start: []*robotics.Handle{two}}); err != nil {
		t.Fatal(err)
	}
	plan := p.Plan()
	if len(plan.Nets) != 2 || !plan.Nets[0].Start || plan.Nets[1].Start || !strings.Contains(plan.Nets[1].Text, "RemoteNet='rpinet1'") {
		t.Errorf("%+v", plan.Nets)
	}
	plan.Nets = nil
	want := client.Plan{
		From: map[string][]float64{"kr16": point}, For: 3,
		Rules: []client.PlannedRule{{Condition: "(rpinet1.outtleave | rpinet1.outtrest)", Stop: []string{"rpinet1"}, Start: []string{"rpinet2"}}},
	}
	if d := cmp.Diff(want, plan); d != "" {
		t.Error(d)
	}
}

// TestForetold: the daemon's answer becomes sentences about commands, in order of time, and errors that are found in them.
func TestForetold(t *testing.T) {
	r := cells.New(t).Free().Connect()
	arm := kr16()
	p := r.Rehearse()
	one, err := p.Start(robotics.NewCommand(arm, motions.PTP{To: point}, robotics.HandOver(true)))
	if err != nil {
		t.Fatal(err)
	}
	two, err := p.Load(robotics.NewCommand(arm, motions.PTP{To: point}, robotics.TakeOver{Of: one}))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Synchronize(robotics.Now, robotics.Switch{Stop: []*robotics.Handle{one}, Start: []*robotics.Handle{two}}); err != nil {
		t.Fatal(err)
	}
	good := func() *client.Preview {
		done := map[string]string{"outended": "true", "outfailed": "false"}
		return &client.Preview{
			Duration: 2, Rules: []client.PreviewedRule{{State: client.RuleFired, At: 1}}, Nets: []client.PreviewedNet{
				{Begun: true, End: 1, Values: map[string]string{"outended": "false"}}, {Begun: true, Begin: 1, End: 2, Values: done},
			},
		}
	}
	for name, tt := range map[string]struct {
		but  func(p *client.Preview)
		is   error
		text string
	}{
		"well":   {func(*client.Preview) {}, nil, ""},
		"cut":    {func(p *client.Preview) { p.Cut = true }, robotics.ErrEndless, "after 2s: preview ended before the command did; raise For"},
		"ended":  {func(p *client.Preview) { p.Nets[1].Values = nil }, robotics.ErrStopped, "after 2s: kr16 PTP: the command was stopped from outside"},
		"waited": {func(p *client.Preview) { p.Nets[1].Begun = false }, robotics.ErrNeverBegun, "after 2s: kr16 PTP: command would not begin"},
		"not fired": {func(p *client.Preview) {
			p.Rules[0] = client.PreviewedRule{State: client.RuleInactive, Account: "it never became true"}
			p.Nets[1].Begun = false
			p.Nets[0].Values["outended"] = "true"
		}, robotics.ErrNeverBegun, "after 2s: kr16 PTP: command would not begin: it never became true"},
		"too fast": {func(p *client.Preview) {
			p.Breaches = []client.Breach{{
				At: 1.512, Device: "kr16", Joint: 2, Name: "A3", What: "velocity", Value: 2.41, Worst: 7, Limit: 2.3, Joints: point,
			}}
		}, nil, "after 1.512s: joint A3 of kr16 would have to be 2.41 rad/s fast, it can be 2.3"},
		"no number": {func(p *client.Preview) {
			p.Breaches = []client.Breach{{
				At: 1, Device: "kr16", Joint: 0, Name: "A1", What: "velocity", Value: math.NaN(), Worst: math.NaN(), Limit: 2.3, Joints: point, Refused: true,
			}}
		}, nil, "after 1s: joint A1 of kr16 would have to have a velocity of NaN, which is no number"},
		"begins at no number": {func(p *client.Preview) {
			p.Breaches = []client.Breach{{
				Device: "kr16", Joint: 0, Name: "A1", What: "start", Value: math.Inf(1), Joints: point, Refused: true,
			}}
		}, nil, "after 0s: joint A1 of kr16 would have to have a position of +Inf, which is no number"},
		"left": {func(p *client.Preview) {
			p.Devices = []client.PreviewedDevice{{
				Name: "kr16", Rest: 1.4, Joints: point, Left: []client.LeftJoint{{Joint: 0, Name: "A1", At: 1, Velocity: -0.5}},
			}}
		}, nil, fmt.Sprintf(
			"after 1s: no command would lead joint A1 of kr16, which moves at 0.5 rad/s; it would brake by itself and rest at %.6g", point[0],
		)},
	} {
		told := good()
		tt.but(told)
		preview, err := p.Read(told)
		if err != nil {
			t.Fatal(err)
		}
		err = preview.Err()
		if tt.text == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var is *robotics.PreviewError
		if !errors.As(err, &is) || is.Preview != preview || err.Error() != tt.text || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v", name, err)
		}
		if breach := new(robotics.BreachError); len(told.Breaches) > 0 &&
			(!errors.As(err, &breach) || breach.Flange == nil || !breach.Flange.Near(poseAt(point), 1e-9, 1e-9)) {
			t.Errorf("%s: %+v", name, breach)
		}
	}
	if _, err := p.Read(&client.Preview{}); err == nil {
		t.Error("a preview of nothing is one of two nets")
	}
}

// TestGoesOnFromRest: what comes after a preview does so when its joints rest, where they rest, and all is known of both.
func TestGoesOnFromRest(t *testing.T) {
	r := cells.New(t).Free().Connect()
	arm := kr16()
	p := r.Rehearse()
	if _, err := p.Start(robotics.NewCommand(arm, motions.PTP{To: point})); err != nil {
		t.Fatal(err)
	}
	read := func(rest float64, text string) *robotics.Preview {
		preview, err := p.Read(&client.Preview{
			Duration: 2, Nets: []client.PreviewedNet{{Begun: true, End: 2, Values: map[string]string{"outended": "true"}}},
			Devices: []client.PreviewedDevice{{
				Name: "kr16", From: make([]float64, 6), By: client.ByMeasuring, End: 2, Rest: rest, Joints: point,
				Left: []client.LeftJoint{{Joint: 1, Name: "A2", At: 2, Velocity: 1}},
			}},
			Warnings: []client.PreviewWarning{{Device: "kr16", Text: "no power"}, {Device: "kr16", Text: text}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return preview
	}
	first, second, never := read(2.5, "one"), read(3, "two"), read(math.Inf(1), "one")
	both := first.Then(second)
	d := both.Devices[0]
	if both.Duration != 4500*time.Millisecond || both.Commands[1].Begin != 2500*time.Millisecond || d.Rest != 5500*time.Millisecond ||
		d.By != client.ByMeasuring || len(d.Left) != 2 || d.Left[1].At != 4500*time.Millisecond || len(both.Warnings) != 3 || second.Devices[0].Left[0].At != 2*time.Second {
		t.Errorf("%+v, %+v, %+v", both, d, both.Warnings)
	}
	var left *robotics.LeftError
	if !errors.As(both.Err(), &left) || left.Joint != 1 || left.Rest != point[1] || left.Velocity != 1 {
		t.Errorf("%+v", left)
	}
	if again := never.Then(second).Then(never); again.Duration != 7*time.Second || again.Devices[0].Rest != never.Devices[0].Rest || never.Devices[0].Rest < time.Hour {
		t.Errorf("%v, %v", again.Duration, again.Devices[0].Rest)
	}
	if alone := first.Then(nil); alone.Commands[0] != first.Commands[0] || len(alone.Devices) != 1 {
		t.Errorf("%+v", alone)
	}
	if at := robotics.After(first); r.Rehearse(at).Stand(arm.Joints)[0] != point[0] {
		t.Error("after a preview, joints stand where they do not rest")
	}
}
