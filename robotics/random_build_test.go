package robotics_test

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/internal/interpreter"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// arms returns those of a cell, where they are when it begins.
func arms(home map[string][]float64) (list []*interpreter.Joints) {
	for _, a := range simulated {
		j := &interpreter.Joints{Device: a.name, At: slices.Clone(home[a.name])}
		for i := range a.model.Len() {
			joint := a.model.Joint(i)
			l := profile.Limits{Vel: joint.Velocity, Acc: joint.Acceleration, Jerk: joint.Jerk}
			if l.Jerk == 0 {
				l.Jerk = math.Inf(1)
			}
			j.Limits = append(j.Limits, l)
		}
		list = append(list, j)
	}
	return list
}

var simulated = []struct {
	name, kind string
	model      *kinematics.Arm
}{{"kr16", "kuka_kr_arm_sim", robots.KR16()}, {"tx90", "staubli_tx90_sim", robots.TX90L()}, {"lwr", "kuka_lwr_sim", robots.LWR4()}}

func jointsOf(device string) (list []kinematics.Joint) {
	for _, a := range simulated {
		for i := range a.model.Len() {
			if a.name == device {
				list = append(list, a.model.Joint(i))
			}
		}
	}
	return list
}

// built is a plan as applications would write it.
type built struct {
	*plan
	commands map[*interpreter.Command]robotics.Command
	raises   map[*interpreter.Raised]*robotics.Raised
	arms     map[*interpreter.Joints]*actuator.Joints
	tokens   map[*interpreter.Token]*robotics.Token
	heard    *interpreter.Call
}

func (p *plan) build() *built {
	b := &built{
		plan: p, commands: map[*interpreter.Command]robotics.Command{}, raises: map[*interpreter.Raised]*robotics.Raised{},
		arms: map[*interpreter.Joints]*actuator.Joints{}, tokens: map[*interpreter.Token]*robotics.Token{},
	}
	for _, j := range p.moved {
		b.arms[j] = actuator.NewJoints(j.Device, jointsOf(j.Device))
	}
	for _, t := range p.tokens {
		b.tokens[t] = robotics.NewToken(t.Name)
	}
	for _, r := range p.raised {
		b.raises[r] = robotics.NewRaised(r.Name)
	}
	for _, c := range slices.Backward(p.all) { // children first
		b.commands[c] = b.command(c)
	}
	for _, c := range p.all {
		if t, ok := b.commands[c].(*robotics.TransactionCommand); ok {
			for _, s := range c.Starts {
				if s.When == nil {
					t.AddStart(b.commands[s.Of])
				} else {
					t.AddStartWhen(b.commands[s.Of], b.state(s.When))
				}
			}
		}
		for _, h := range c.Handlers {
			effects := make([]robotics.Effect, len(h.Effects))
			for i, e := range h.Effects {
				effects[i] = b.effect(e)
			}
			on := b.commands[c]
			[]func(robotics.State, ...robotics.Effect){on.OnEntered, on.OnLeft, on.OnFirstEntered, on.OnFirstLeft}[h.On](b.state(h.Of), effects...)
		}
	}
	return b
}

func (b *built) command(c *interpreter.Command) robotics.Command {
	if c.Job == nil {
		t := robotics.NewTransaction()
		for _, child := range c.Children {
			t.Add(b.commands[child])
		}
		return t
	}
	if m := c.Job.Moves; m != nil {
		return robotics.NewCommand(b.arms[m.Of], motions.PTP{To: m.Goal, Sync: robotics.Sync(m.Sync.String())})
	}
	if missing, wait := b.waits[c]; wait {
		if c.Job.Takes == 0 {
			return robotics.NewWaitForCancel()
		}
		return robotics.NewWait(time.Duration(c.Job.Takes)*period - time.Duration(missing)*period/10)
	}
	return robotics.NewCommand(player(c.Name), play{b, c.Job})
}

func (b *built) effect(e interpreter.Effect) robotics.Effect {
	switch e.Do {
	case interpreter.Starts:
		return robotics.Start(b.commands[e.To])
	case interpreter.Stops:
		return robotics.Stop(b.commands[e.To])
	case interpreter.Cancels:
		return robotics.Cancel(b.commands[e.To])
	case interpreter.Raises:
		return robotics.Raise(b.raises[e.Raised])
	case interpreter.Gives:
		return robotics.Give(b.tokens[e.Token])
	}
	return robotics.External(func() { b.heard = e.Call })
}

func (b *built) state(s interpreter.State) robotics.State {
	switch s := s.(type) {
	case interpreter.Is:
		c := b.commands[s.Of]
		return []func() robotics.State{c.Active, c.Started, c.Completed, c.Cancelled, c.Failed}[s.It]()
	case interpreter.FaultOf:
		return b.commands[s.Of].(*robotics.RuntimeCommand).Fault(s.Name)
	case interpreter.Sensor:
		return robotics.IsTrue(b.sensor(s.Input))
	case *interpreter.And:
		return robotics.And(b.state(s.Of[0]), b.state(s.Of[1]))
	case *interpreter.Or:
		return robotics.Or(b.state(s.Of[0]), b.state(s.Of[1]))
	case *interpreter.Not:
		return robotics.Not(b.state(s.Of))
	case *interpreter.Ever:
		return robotics.Ever(b.state(s.Of))
	case *interpreter.Long:
		return robotics.Long(b.state(s.Of), time.Duration(s.Cycles)*period)
	case *interpreter.Raised:
		return b.raises[s]
	}
	return nil
}

// sensor is true, false or null as an input says by 1, 0 and 2.
func (b *built) sensor(i int) robotics.Sensor[bool] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[bool] {
		v := robotics.Read(m, robotics.NewInput(strconv.Itoa(i), 0.0))
		null := graph.Greater(v, m.Real(1.5))
		return mapping.Link[bool](m.Add("Core::BooleanSetNull").Link("inValue", graph.Greater(v, m.Real(0.5)).Port).Link("inNull", null.Port), "outValue")
	})
}

// play is an action that does nothing but take its time.
type play struct {
	of  *built
	job *interpreter.Job
}

type nothing struct{}

func (a play) MapAction(c *mapping.Context) mapping.Part {
	passed := func(while graph.Signal[bool], cycles int) graph.Signal[bool] {
		if cycles == 0 {
			return c.False()
		}
		clock := mapping.Link[float64](c.Add("Core::Clock").Link("inActive", while.Port), "outValue")
		return graph.Greater(clock, c.Real((float64(cycles)-0.5)*period.Seconds()))
	}
	part := mapping.Part{Flow: nothing{}, Done: graph.Or(passed(c.Active, a.job.Takes), passed(c.And(c.Active, c.Cancelled), a.job.Yields))}
	for _, f := range a.job.Faults {
		is := robotics.Read(c.Net, a.of.sensor(f.When.(interpreter.Sensor).Input))
		part.Faults = append(part.Faults, mapping.Fault{Name: f.Name, Of: "script", Is: is})
	}
	return part
}

// player is an actuator that nothing can be seen of.
type player string

func (p player) String() string                                               { return string(p) }
func (player) Understands() []mapping.Flow                                    { return []mapping.Flow{nothing{}} }
func (player) MapActuator(*mapping.Context, mapping.Flow) (none mapping.Part) { return none }
func (player) Defaults() []robotics.Param                                     { return nil }
