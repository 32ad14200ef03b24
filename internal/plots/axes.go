package main

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
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
func over(f *figure, at states, labels []string, l profile.Limits) *figure {
	panels := []panel{{label: "position"}, {label: "velocity, 1/s", limit: l.Vel}, {label: "acceleration, 1/s²", limit: l.Acc}}
	for k, label := range labels {
		for i, value := range []func(s profile.State) float64{
			func(s profile.State) float64 { return s.Pos },
			func(s profile.State) float64 { return s.Vel },
			func(s profile.State) float64 { return s.Acc },
		} {
			panels[i].curves = append(panels[i].curves, curve{label, func(t float64) float64 { return value(at(t)[k]) }})
		}
	}
	f.panels = append(f.panels, panels...)
	return f
}

var threeAxes = []string{"axis 1", "axis 2", "axis 3"}

// synchronised draws the same task in the three ways.
func synchronised() (figures []*figure) {
	from := []profile.State{{}, {}, {}}
	to := []profile.Goal{{State: rest(1)}, {State: rest(0.6)}, {State: rest(-0.2)}}
	limits := []profile.Limits{{Vel: 0.5, Acc: 1, Jerk: 8}, usual, {Vel: 1, Acc: 2, Jerk: 4}}
	ways := panel{label: "axis 2 over axis 1", plane: &plane{}}
	for i, sync := range []motion.Sync{motion.Asynchronous, motion.Synchronous, motion.FullySynchronous} {
		m := motion.NewJoints(len(from))
		solved(m.Plan(sync, from, to, limits))
		f := &figure{name: []string{"asynchronous", "synchronous", "fully-synchronous"}[i], title: "Three axes, " + sync.String(), duration: 1.05 * m.Duration()}
		at := of(m, len(from))
		figures = append(figures, over(f, at, threeAxes, usual))
		l := line{label: sync.String()}
		for k := range samples + 1 {
			s := at(m.Duration() * float64(k) / samples)
			l.points = append(l.points, point{s[0].Pos, s[1].Pos})
		}
		ways.plane.lines = append(ways.plane.lines, l)
	}
	return append(figures, &figure{name: "synchronised-ways", title: "Two of the axes, seen from above", panels: []panel{ways}})
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

// following is the online generator behind a goal that jumps, moves and is lost.
func following() []*figure {
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
	f := over(&figure{name: "online", title: "The goal jumps on the way, moves on, and in the end: stop", duration: duration, marks: []float64{0.8, 2.2, 4.4}},
		func(t float64) []profile.State { return []profile.State{axis.at(t)} }, []string{"axis"}, usual)
	f.panels[0].curves = append(f.panels[0].curves, curve{"goal", func(t float64) float64 { return target.at(t).Pos }})
	f.panels = append(f.panels, panel{label: "jerk, 1/s³", limit: usual.Jerk, curves: []curve{{"", jerk}}})
	return []*figure{f}
}

// pace is a motion whose time passes slower for a while, and then stops.
func pace() []*figure {
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
	f := over(&figure{name: "pace", title: "Override 40 %, full speed again, and stop on the way", duration: duration, marks: []float64{0.9, 1.8, 2.6}},
		func(t float64) []profile.State { return []profile.State{axes[0].at(t), axes[1].at(t)} }, threeAxes[:2], usual)
	f.panels = append([]panel{{label: "rate of time", curves: []curve{{"", func(t float64) float64 { return rate.at(t).Pos }}}}}, f.panels...)
	return []*figure{f}
}
