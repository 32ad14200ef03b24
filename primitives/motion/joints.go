package motion

import (
	"errors"
	"fmt"
	"math"

	planner "github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// mostJoints is how many joints one primitive moves: planning takes some hundred bytes and nanoseconds for each.
const mostJoints = 64

// size returns the number of joints.
type size struct {
	Size spec.Param[int32] `rcc:"Size" default:"0" must:">= 0; <= 64" doc:"number of joints, up to 64; 0: as many as the arrays have that come in"`
}

// of returns the number, that of the first array whose length is known if the parameter leaves it open.
func (s *size) of(arrays ...*spec.In[[]float64]) (int, error) {
	n := int(s.Size.V)
	for _, a := range arrays {
		if from := a.Source(); n == 0 && from != nil {
			n = len(*from)
		}
	}
	switch {
	case n < 0 || n > mostJoints:
		return 0, fmt.Errorf("parameter Size: 1 to %d joints are possible, not %d", mostJoints, n)
	case n == 0:
		return 0, errors.New("parameter Size: the number of joints is unknown; set Size")
	}
	return n, nil
}

// syncs are the words for how joints are synchronised.
var syncs = []planner.Sync{planner.Asynchronous, planner.Synchronous, planner.FullySynchronous}

func parseSync(text string) (planner.Sync, error) {
	for _, s := range syncs {
		if text == s.String() {
			return s, nil
		}
	}
	return 0, fmt.Errorf("parameter Sync: %q is not one of %v", text, syncs)
}

// states are set-points of joints on out ports.
type states struct {
	Pos spec.Out[[]float64] `rcc:"outPos" doc:"positions, null while there are none"`
	Vel spec.Out[[]float64] `rcc:"outVel" doc:"velocities, 1/s"`
	Acc spec.Out[[]float64] `rcc:"outAcc" doc:"accelerations, 1/s²"`
}

func (s *states) Init(env *spec.Env, n int) (err error) {
	for _, out := range []*spec.Out[[]float64]{&s.Pos, &s.Vel, &s.Acc} {
		if out.V, err = generic.Array[float64](env, int32(n)); err != nil {
			return err
		}
	}
	return nil
}

// show sets the ports to the states of joints (cycle).
func (s *states) show(at []profile.State, cy *spec.Cycle) {
	pos, vel, acc := s.Pos.V, s.Vel.V, s.Acc.V
	for k := range at {
		if k >= len(pos) || k >= len(vel) || k >= len(acc) {
			break
		}
		pos[k], vel[k], acc[k] = at[k].Pos, at[k].Vel, at[k].Acc
	}
	s.Pos.Touch(cy)
	s.Vel.Touch(cy)
	s.Acc.Touch(cy)
}

// allowed are the limits of joints.
type allowed struct {
	MaxVel  spec.In[[]float64] `rcc:"inMaxVel" or:"MaxVel=[]" must:"> 0" should:"len <= Size unless Size -- elements without a joint count for nothing; len == MaxAcc -- a joint without both limits does not move" doc:"limits of velocity, 1/s"`
	MaxAcc  spec.In[[]float64] `rcc:"inMaxAcc" or:"MaxAcc=[]" must:"> 0" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"limits of acceleration, 1/s²"`
	MaxJerk spec.In[[]float64] `rcc:"inMaxJerk" or:"MaxJerk=[]" must:"> 0" should:"len <= Size unless Size -- elements without a joint count for nothing" doc:"limits of jerk, 1/s³; joints without one have none"`
}

// limitsOf returns the limits of a joint (cycle).
func limitsOf(vel, acc, jerk []float64, k int) profile.Limits {
	return profile.Limits{Vel: element(vel, k, nan), Acc: element(acc, k, nan), Jerk: element(jerk, k, math.Inf(1))}
}

// jointMotion moves joints from point to point.
type jointMotion struct {
	From    spec.In[[]float64] `rcc:"inFrom" or:"From=[]" must:"finite" should:"len <= Size unless Size -- elements without a joint count for nothing; len == To -- joints without both ends do not move" doc:"positions at the start"`
	FromVel spec.In[[]float64] `rcc:"inFromVel" or:"FromVel=[]" must:"finite" should:"len <= Size unless Size -- elements without a joint count for nothing; <= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocities at the start, 1/s; joints without one are at rest"`
	To      spec.In[[]float64] `rcc:"inTo" or:"To=[]" must:"finite" should:"len <= Size unless Size -- elements without a joint count for nothing; len <= MaxVel -- a joint without limits does not move" doc:"positions at the end"`
	ToVel   spec.In[[]float64] `rcc:"inToVel" or:"ToVel=[]" must:"finite" should:"len <= Size unless Size -- elements without a joint count for nothing; <= MaxVel -- there is no motion from or to a speed above the limit" doc:"velocities at the end, 1/s; joints without one come to rest"`
	Sync    spec.Param[string] `rcc:"Sync" default:"synchronous" must:"one of asynchronous, synchronous, fully synchronous" doc:"asynchronous: each joint as fast as it can; synchronous: all end together; fully synchronous: on a straight line, where velocities at the ends allow that, else synchronous"`
	allowed
	size
	timing
	states

	sync   planner.Sync
	plan   *planner.Joints
	from   []profile.State
	to     []profile.Goal
	limits []profile.Limits
	at     []profile.State
}

func (p *jointMotion) Init(env *spec.Env) (err error) {
	n, err := p.of(&p.To, &p.From)
	if err != nil {
		return err
	}
	if p.sync, err = parseSync(p.Sync.V); err != nil {
		return err
	}
	if err := takePlanner(env, n); err != nil {
		return err
	}
	if p.from, err = spec.Make[profile.State](env, n); err != nil {
		return err
	}
	if p.to, err = spec.Make[profile.Goal](env, n); err != nil {
		return err
	}
	if p.limits, err = spec.Make[profile.Limits](env, n); err != nil {
		return err
	}
	if p.at, err = spec.Make[profile.State](env, n); err != nil {
		return err
	}
	p.plan = planner.NewJoints(n)
	if err := p.timing.Init(env); err != nil {
		return err
	}
	return p.states.Init(env, n)
}

// read takes the task of a cycle; it is false when something is not there (cycle).
func (p *jointMotion) read(cy *spec.Cycle) bool {
	if p.FromVel.Null(cy) || p.ToVel.Null(cy) || p.MaxVel.Null(cy) || p.MaxAcc.Null(cy) || p.MaxJerk.Null(cy) {
		return false
	}
	from, fromVel, to, toVel := array(&p.From, cy), array(&p.FromVel, cy), array(&p.To, cy), array(&p.ToVel, cy)
	vel, acc, jerk := array(&p.MaxVel, cy), array(&p.MaxAcc, cy), array(&p.MaxJerk, cy)
	starts, goals, limits := p.from, p.to, p.limits
	for k := range starts {
		s := profile.State{Pos: element(from, k, nan), Vel: element(fromVel, k, 0)}
		g := profile.State{Pos: element(to, k, nan), Vel: element(toVel, k, 0)}
		if !complete(s) || !complete(g) {
			return false
		}
		starts[k] = s
		if k < len(goals) && k < len(limits) {
			goals[k].State, limits[k] = g, limitsOf(vel, acc, jerk, k)
		}
	}
	return true
}

func runJoints(run []jointMotion, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if duration, wanted := p.begin(cy); wanted && p.read(cy) {
			p.planned(p.made(duration))
		}
		if t, there := p.now(p.plan.Duration(), cy); there {
			p.plan.At(t, p.at)
			p.show(p.at, cy)
		}
	}
}

// made plans the fastest motion, or one that takes a time, if it can be done in this time (cycle).
func (p *jointMotion) made(duration float64) bool {
	if !p.plan.Plan(p.sync, p.from, p.to, p.limits).Solved() {
		return false
	}
	return duration <= p.plan.Duration() || p.plan.PlanIn(duration, p.sync, p.from, p.to, p.limits).Solved()
}

func joints() []*spec.Primitive {
	fast := params{"MaxVel": "[1,1]", "MaxAcc": "[1,1]"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::PTP", Extension: extension, Doc: "moves joints from point to point within their limits, as fast as they can or in a given time",
			Examples: []spec.Example{
				{
					Doc: "both end together", Cycle: "500ms", Params: params{"From": "[0,0]", "To": "[2,1]", "MaxVel": "[1,1]", "MaxAcc": "[1,2]"},
					Out: series{
						"outPos":      {"[0.125,0.1]", "[0.5,0.3]", "[1,0.5]", "[1.5,0.7]", "[1.875,0.9]", "[2,1]", "[2,1]"},
						"outDuration": {"3"}, "outFinished": {"false", "false", "false", "false", "false", "true"}, "outFailed": {"false"},
					},
				},
				{
					Doc: "on a straight line", Cycle: "500ms", Params: with(params{"From": "[0,0]", "To": "[2,1]", "Sync": "fully synchronous"}, fast),
					Out: series{
						"outPos": {"[0.125,0.0625]", "[0.5,0.25]", "[1,0.5]", "[1.5,0.75]", "[1.875,0.9375]", "[2,1]"},
						"outVel": {"[0.5,0.25]", "[1,0.5]", "[1,0.5]", "[1,0.5]", "[0.5,0.25]", "[0,0]"}, "outAcc": {"[1,0.5]", "[0,0]", "[0,0]", "[-1,-0.5]", "[-1,-0.5]", "[0,0]"},
						"outTime": {"0.5", "1", "1.5", "2", "2.5", "3"},
					},
				},
				{
					Doc: "each as fast as it can", Cycle: "500ms", Params: with(params{"From": "[0,0]", "To": "[2,1]", "Sync": "asynchronous"}, fast),
					Out: series{"outPos": {"[0.125,0.125]", "[0.5,0.5]", "[1,0.875]", "[1.5,1]", "[1.875,1]", "[2,1]"}},
				},
				{
					Doc: "in a given time, by a time that comes in", Params: with(params{"To": "[1,-1]", "From": "[0,0]", "Duration": "4"}, fast), In: series{"inTime": {"2", "4", "0"}},
					Out: series{"outPos": {"[0.5,-0.5]", "[1,-1]", "[0,0]"}, "outDuration": {"4"}},
				},
				{
					Doc: "waits for its start, then plans, and plans again", Cycle: "1s", Params: with(params{}, fast),
					In: series{
						"inFrom": {"null", "[0,0]", "[7,7]", "[1,1]"}, "inTo": {"[1,0]", "[1,0]", "[0,0]", "[1,2]"}, "inReset": {"false", "false", "false", "true", "false"},
					},
					Out: series{"outPos": {"null", "[0.5,0]", "[1,0]", "[1,1.5]", "[1,2]"}, "outFinished": {"false", "false", "true", "false", "true"}},
				},
				{Doc: "a joint without limits", Params: params{"From": "[0,0]", "To": "[1,1]", "MaxVel": "[1]", "MaxAcc": "[1,1]"}, Out: series{"outPos": {"null"}, "outFailed": {"true"}}},
				{Doc: "no word for it", Params: params{"To": "[1]", "Sync": "together"}, Reject: "must be one of asynchronous, synchronous, fully synchronous"},
				{Doc: "no joints", Reject: "number of joints is unknown"},
			},
		}, spec.Kernels[jointMotion]{Run: runJoints}),
	}
}
