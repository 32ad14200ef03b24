package actuator

import (
	"time"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// SwitchControl has a lightweight robot controlled in another way from now on. That takes some time, with a real robot up to 10 s, in
// which nothing moves it; once begun, it is done also when the command is cancelled.
//
// Nothing jumps. Springs that are in force change slowly (Transition). If the robot gives way, and is to be controlled in another
// way, torques beside its springs are first taken away, as slowly, and then it is commanded to where it is, within its limits:
// springs that pull would otherwise be exchanged for others. So the transition waits until it is not pushed. (One with a wrong load gives
// way to that, too.)
type SwitchControl struct{ To Control }

func (SwitchControl) String() string { return "switch control" }

// MapAction returns the control.
func (s SwitchControl) MapAction(c *mapping.Context) mapping.Part {
	if mapping.Missing(s.To) {
		c.Fail(robotics.ErrNoControl)
		s.To = PositionControl{}
	}
	return mapping.Part{Flow: s}
}

// Names of faults of robots that are to be controlled in another way.
const (
	FaultSwitch  = "has not switched its control" // and needs an operator
	FaultApart   = "is not where it is commanded"
	FaultNoPower = "has no power"
)

// switchTo brings the robot to rest where it is, if springs hold it, and then asks for another strategy.
func (l *Lightweight) switchTo(c *mapping.Context, to Control) mapping.Part {
	inForce := func(s Strategy) graph.Signal[bool] {
		return graph.Hold(l.controlled(c.Net, s), graph.Rising(c.Active), false)
	}
	same := inForce(to.strategy())
	passed := transition(c)
	over := graph.Not(graph.Less(passed, c.Real(1)))
	to.springs(c, l, graph.If(same, passed, c.Real(1))) // springs that are not in force may be anything
	l.release(c, to.strategy(), passed)

	holds := graph.Or(same, inForce(ByPosition))
	settled, part := l.settle(c, c.And(c.Active, graph.Not(holds), over))
	wanted := c.Add("Core::IntSetNull").Link("inValue", graph.Const(c.Graph, int32(to.strategy())).Port)
	wanted.Link("inNull", graph.Not(graph.Or(holds, settled)).Port)
	p := c.Add("KUKA::LWR::ControlStrategy").Set("Robot", l.name).Link("inStrategy", wanted.Out("outValue")).Link("inActive", c.Active.Port)
	for _, f := range []struct {
		name string
		code int
	}{{robotics.FaultConcurrent, 1}, {FaultApart, 3}, {FaultSwitch, 4}, {FaultNoPower, 5}} {
		is := c.Add("Core::IntEquals").Link("inFirst", p.Out("outError")).Set("Second", f.code)
		part.Faults = append(part.Faults, mapping.Fault{Name: f.name, Of: l.name, Is: mapping.Link[bool](is, "outValue")})
	}
	part.Done = c.And(mapping.Link[bool](p, "outCompleted"), graph.Or(graph.Not(same), over))
	return part
}

// settle commands joints to where they are, until springs do not pull any more. That begins when they are at rest: a robot that is
// followed while it swings has nothing to hold it. Joints that have been near enough for a while are not followed any further, as what
// is measured is never at rest.
func (l *Lightweight) settle(c *mapping.Context, active graph.Signal[bool]) (settled graph.Signal[bool], part mapping.Part) {
	const (
		while = 100 * time.Millisecond
		slow  = 1e-3 // rad in that time
		near  = 5e-4 // rad
	)
	last := l.Last(c.Net)
	measured := make([]graph.Signal[float64], len(last))
	rests, there := []graph.Signal[bool]{active}, []graph.Signal[bool]{active}
	for i := range last {
		measured[i] = l.monitor(c.Net, i, "outMeasuredPosition")
		before := c.Add("Core::DoubleAtTime").Set("Age", while.Seconds()).Set("MaxAge", while.Seconds()).Link("inValue", measured[i].Port)
		rests = append(rests, mapping.Near(measured[i], mapping.Link[float64](before, "outValue"), slow))
		there = append(there, mapping.Near(measured[i], last[i], near))
	}
	own := *c
	own.Active, own.Cancelled = c.And(active, c.Latch(c.Long(c.And(rests...), while))), c.False()
	follow := graph.Not(c.Latch(c.And(own.Active, c.Long(c.And(there...), while))))
	goal := mapping.JointGoal{}
	for i := range measured {
		goal.Pos = append(goal.Pos, graph.Hold(measured[i], follow, 0))
	}
	pos, g := lead(&own, l.Joints, goal, robotics.Asynchronous, ends{})
	settled = c.Latch(c.And(graph.Not(follow), g.Done))
	own.Active = c.And(own.Active, graph.Not(graph.Pre(settled)))
	return settled, l.command(&own, mapping.JointPositions{Pos: pos})
}

// Yield returns a command during which the arm gives way: it switches the control, does something, and then, whatever the outcome,
// switches to position control. When it is cancelled, what it does is; when that fails, so does the whole.
func (l *Lightweight) Yield(by Control, do robotics.Command) *robotics.TransactionCommand {
	begin, end := robotics.NewCommand(l, SwitchControl{by}), robotics.NewCommand(l, SwitchControl{PositionControl{}})
	open := robotics.NewWaitForCancel() // until the end has begun
	t := robotics.NewTransaction(do)
	t.Name("yield")
	t.AddStart(begin, open)
	if mapping.Missing(do) {
		return t // mapping reports it
	}
	t.Add(end)
	t.ForwardCancel(do)
	t.OnFirstEntered(begin.Completed(), robotics.Start(do))
	t.OnFirstEntered(robotics.And(do.Started(), robotics.Not(do.Active())), robotics.Start(end), robotics.Cancel(open))
	return t
}
