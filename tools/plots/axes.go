package main

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

func solved(out motion.Outcome) {
	if !out.Solved() {
		panic(out.String())
	}
}

// states are those of axes, at any time.
type states func(t float64) []profile.State

func of(m motion.InJoints, axes int) states {
	return func(t float64) []profile.State {
		at := make([]profile.State, axes)
		m.At(t, at)
		return at
	}
}

// over draws what axes do over time. The limits are those of all axes.
func over(f *picture.Figure, at states, labels []string, l profile.Limits) *picture.Figure {
	panels := []picture.Panel{{Label: "position"}, {Label: "velocity, 1/s", Limit: l.Vel}, {Label: "acceleration, 1/s²", Limit: l.Acc}}
	for k, label := range labels {
		for i, value := range []func(s profile.State) float64{
			func(s profile.State) float64 { return s.Pos },
			func(s profile.State) float64 { return s.Vel },
			func(s profile.State) float64 { return s.Acc },
		} {
			panels[i].Curves = append(panels[i].Curves, picture.Curve{Label: label, At: func(t float64) float64 { return value(at(t)[k]) }})
		}
	}
	f.Panels = append(f.Panels, panels...)
	return f
}

var threeAxes = []string{"axis 1", "axis 2", "axis 3"}

// synchronised draws the same task in the three ways.
func synchronised() (figures []*picture.Figure) {
	from := []profile.State{{}, {}, {}}
	to := []profile.Goal{{State: rest(1)}, {State: rest(0.6)}, {State: rest(-0.2)}}
	limits := []profile.Limits{{Vel: 0.5, Acc: 1, Jerk: 8}, usual, {Vel: 1, Acc: 2, Jerk: 4}}
	ways := picture.Panel{Label: "axis 2 over axis 1", Plane: &picture.Plane{}}
	for i, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
		m := motion.NewJoints(len(from))
		solved(m.Plan(sync, from, to, limits))
		f := &picture.Figure{Name: []string{"asynchronous", "synchronous", "fully-synchronous"}[i], Title: "Three axes, " + sync.String(), Duration: 1.05 * m.Duration()}
		at := of(m, len(from))
		figures = append(figures, over(f, at, threeAxes, usual))
		l := picture.Line{Label: sync.String()}
		for k := range picture.Samples + 1 {
			s := at(m.Duration() * float64(k) / picture.Samples)
			l.Points = append(l.Points, picture.Point{X: s[0].Pos, Y: s[1].Pos})
		}
		ways.Plane.Lines = append(ways.Plane.Lines, l)
	}
	return append(figures, &picture.Figure{Name: "synchronised-ways", Title: "Two of the axes, seen from above", Panels: []picture.Panel{ways}})
}

// recorded are states that were computed step by step.
type recorded struct {
	period float64
	states []profile.State
}

func (r *recorded) at(t float64) profile.State {
	i := min(max(int(t/r.period+0.5), 0), len(r.states)-1)
	return r.states[i]
}

// following returns the online generator behind a goal that jumps, moves and is lost.
func following() []*picture.Figure {
	const period, duration = 0.002, 6.0
	o := motion.NewOnline(1, motion.Asynchronous)
	axis, target := recorded{period, []profile.State{{}}}, recorded{period, []profile.State{{}}}
	limits := []profile.Limits{usual}
	next := []profile.State{{}}
	for n := 1; float64(n)*period <= duration; n++ {
		now := float64(n-1) * period
		goal := profile.Goal{State: rest(0.6)}
		switch {
		case now >= 2.2 && now < 4.4: // moves
			goal = profile.Goal{State: profile.State{Pos: -0.6 + 0.5*(now-2.2), Vel: 0.5}, Moving: true}
		case now >= 0.8: // jumps
			goal.Pos = -0.2
		}
		if now >= 4.4 {
			o.Stop(limits)
			goal.Pos = target.states[len(target.states)-1].Pos
		} else {
			o.Aim([]profile.Goal{goal}, limits)
		}
		solved(o.Step(period, next))
		axis.states = append(axis.states, next[0])
		target.states = append(target.states, goal.State)
	}
	jerk := func(t float64) float64 {
		return (axis.at(t).Acc - axis.at(t-period).Acc) / period
	}
	f := over(&picture.Figure{Name: "online", Title: "The goal jumps on the way, moves on, and in the end: stop", Duration: duration, Marks: []float64{0.8, 2.2, 4.4}},
		func(t float64) []profile.State { return []profile.State{axis.at(t)} }, []string{"axis"}, usual)
	f.Panels[0].Curves = append(f.Panels[0].Curves, picture.Curve{Label: "goal", At: func(t float64) float64 { return target.at(t).Pos }})
	f.Panels = append(f.Panels, picture.Panel{Label: "jerk, 1/s³", Limit: usual.Jerk, Curves: []picture.Curve{{At: jerk}}})
	return []*picture.Figure{f}
}

// pace returns a motion whose time passes slower for a while, and then stops.
func pace() []*picture.Figure {
	const period, duration = 0.002, 4.0
	m := motion.NewJoints(2)
	planned := []profile.Limits{{Vel: 0.8, Acc: 1.3, Jerk: 5}, {Vel: 0.8, Acc: 1.3, Jerk: 5}}
	solved(m.Plan(motion.FullySynchronous, make([]profile.State, 2), []profile.Goal{{State: rest(1.6)}, {State: rest(-0.8)}}, planned))
	p, err := motion.NewPace(planned, []profile.Limits{usual, usual}, 1)
	if err != nil {
		panic(err)
	}
	axes := [2]recorded{{period: period}, {period: period}}
	rate := recorded{period: period}
	at := make([]profile.State, 2)
	for n := 0; float64(n)*period <= duration; n++ {
		switch now := float64(n) * period; {
		case now >= 2.6:
			p.To(0)
		case now >= 1.8:
			p.To(1)
		case now >= 0.9:
			p.To(0.4)
		}
		m.At(p.Step(period), at)
		p.Apply(at)
		r, change := p.Rate()
		for k := range axes {
			axes[k].states = append(axes[k].states, at[k])
		}
		rate.states = append(rate.states, profile.State{Pos: r, Vel: change})
	}
	f := over(&picture.Figure{Name: "pace", Title: "Override 40 %, full speed again, and stop on the way", Duration: duration, Marks: []float64{0.9, 1.8, 2.6}},
		func(t float64) []profile.State { return []profile.State{axes[0].at(t), axes[1].at(t)} }, threeAxes[:2], usual)
	f.Panels = append([]picture.Panel{{Label: "rate of time", Curves: []picture.Curve{{At: func(t float64) float64 { return rate.at(t).Pos }}}}}, f.Panels...)
	return []*picture.Figure{f}
}
