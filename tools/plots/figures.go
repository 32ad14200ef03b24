package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// figures returns all that there are, in the order of the page.
func figures() []*picture.Figure {
	return slices.Concat(profiles(), synchronised(), following(), pace(), paths(), inStep())
}

// must is for tasks of this page, which can be solved.
func must(r profile.Result) {
	if r != profile.Solved {
		panic(r.String())
	}
}

// rest returns a state without motion.
func rest(pos float64) profile.State { return profile.State{Pos: pos} }

// usual are the limits of most pictures.
var usual = profile.Limits{Vel: 1, Acc: 2, Jerk: 8}

var steep = profile.Limits{Vel: 1, Acc: 2, Jerk: math.Inf(1)}

func plan(from, to profile.State, l profile.Limits) *profile.Profile {
	p := new(profile.Profile)
	must(p.Plan(from, profile.Goal{State: to}, l))
	return p
}

func planIn(duration float64, from, to profile.State, l profile.Limits) *profile.Profile {
	p := new(profile.Profile)
	must(p.PlanIn(duration, from, profile.Goal{State: to}, l))
	return p
}

// ofProfiles draws position, velocity, acceleration and jerk of profiles; the phases are those of the first one.
func ofProfiles(name, title string, l profile.Limits, labels []string, ps ...*profile.Profile) *picture.Figure {
	f := &picture.Figure{Name: name, Title: title}
	for _, p := range ps {
		f.Duration = max(f.Duration, p.Duration())
	}
	for i := range ps[0].Phases() {
		const visible = 1e-3
		if begin, _, _ := ps[0].Phase(i); i == 0 || begin > f.Marks[len(f.Marks)-1]+visible {
			f.Marks = append(f.Marks, begin)
		}
	}
	f.Panels = []picture.Panel{{Label: "position"}, {Label: "velocity, 1/s", Limit: l.Vel}, {Label: "acceleration, 1/s²", Limit: l.Acc}}
	if !math.IsInf(l.Jerk, 1) {
		f.Panels = append(f.Panels, picture.Panel{Label: "jerk, 1/s³", Limit: l.Jerk})
	}
	for i, p := range ps {
		label := ""
		if i < len(labels) {
			label = labels[i]
		}
		for k, at := range []func(t float64) float64{
			func(t float64) float64 { return p.At(t).Pos },
			func(t float64) float64 { return p.At(t).Vel },
			func(t float64) float64 { return p.At(t).Acc },
			p.Jerk,
		}[:len(f.Panels)] {
			f.Panels[k].Curves = append(f.Panels[k].Curves, picture.Curve{Label: label, At: at})
		}
	}
	f.Duration *= 1.03
	return f
}

func profiles() []*picture.Figure {
	moving := profile.State{Vel: 0.8, Acc: -1}
	var stop, drift profile.Profile
	must(stop.Stop(profile.State{Vel: 0.9, Acc: 1}, usual))
	must(drift.Plan(rest(0), profile.Goal{State: profile.State{Pos: 0.3, Vel: 0.4}, Moving: true}, usual))
	var times []*profile.Profile
	var names []string
	for _, d := range []float64{0, 2.5, 3.5} {
		p := plan(rest(0), rest(1), usual)
		if d > 0 {
			p = planIn(d, rest(0), rest(1), usual)
		}
		times, names = append(times, p), append(names, fmt.Sprintf("%.3g s", p.Duration()))
	}
	return []*picture.Figure{
		ofProfiles("trapezoid", "Trapezoid: from rest to rest", steep, nil, plan(rest(0), rest(1.5), steep)),
		ofProfiles("trapezoid-short", "Trapezoid: too short a way for full velocity", steep, nil, plan(rest(0), rest(0.3), steep)),
		ofProfiles("trapezoid-moving", "Trapezoid: from one velocity to another", steep, nil, plan(profile.State{Vel: -0.5}, profile.State{Pos: 1, Vel: 0.4}, steep)),
		ofProfiles("double-s", "Double S: all seven phases", usual, nil, plan(rest(0), rest(1.5), usual)),
		ofProfiles("double-s-no-cruise", "Double S: full velocity is not reached", usual, nil, plan(rest(0), rest(0.5), usual)),
		ofProfiles("double-s-short", "Double S: full acceleration is not reached either", usual, nil, plan(rest(0), rest(0.05), usual)),
		ofProfiles("double-s-moving", "Double S: velocity and acceleration at both ends", usual, nil, plan(moving, profile.State{Pos: 1.2, Vel: 0.3, Acc: 1}, usual)),
		ofProfiles("double-s-back", "Double S: too fast to stop in time", usual, nil, plan(profile.State{Vel: 1}, rest(0.1), usual)),
		ofProfiles("double-s-beyond", "Double S: a start beyond the limits", usual, nil, plan(profile.State{Vel: 1.4, Acc: 2.5}, rest(2.2), usual)),
		ofProfiles("double-s-in-time", "Double S: the same way in given times", usual, names, times...),
		ofProfiles("stop", "Stop: to rest as soon as possible", usual, nil, &stop),
		ofProfiles("moving-goal", "A goal that moves with 0.4 is caught up with", usual, nil, &drift),
	}
}
