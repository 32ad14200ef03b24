package simarm

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
)

// giving are the parameters of arms that give way.
type giving struct {
	workpiece
	Switching time.Duration `rcc:"switch_time" default:"200ms" min:"0s" max:"1m" doc:"how long it takes to switch the control strategy"`
	Apart     float64       `rcc:"switch_apart" default:"0.05" min:"0.000001" max:"10" unit:"rad" doc:"distance of measured and commanded joints from which on the strategy is not switched"`
	Failing   int           `rcc:"switch_fails" default:"0" min:"0" doc:"number of the switch that fails and leaves drives without power, from 1; 0: none"`
}

// Lightweight is an arm with seven joints that feels torques and gives way to them (§9.4.4). How it does that is in package
// yielding.
type Lightweight struct {
	*RobotWithPorts
	*yielding.Springs
	*yielding.Loads
	*yielding.Felt
	options giving
	body    *yielding.Body

	strategy  atomic.Int32
	switching yielding.Request
	next      device.Strategy
	switches  int
	failed    atomic.Bool

	pushing sync.Mutex // of those who push
	pushed  *device.Latest
	struck  *device.Latest // by the script
}

var _ device.Yielding = (*Lightweight)(nil)

const seven = yielding.Joints

func newLightweight(r *RobotWithPorts, cfg *byLengths, as *device.Original) *Lightweight {
	carried := cfg.payload(as)
	l := &Lightweight{
		RobotWithPorts: r, Springs: yielding.NewSprings(), Loads: yielding.NewLoads(carried), Felt: yielding.NewFelt(),
		options: cfg.giving, body: yielding.NewBody(r.arm.Chain, r.plant, &carried), pushed: device.NewLatest(6), struck: device.NewLatest(6),
	}
	l.strategy.Store(int32(device.PositionControl))
	l.switching.Open(1)
	if as != nil {
		l.take(as)
	}
	return l
}

// Tick executes a cycle of the robot: commands of nets in the tick before take effect.
func (l *Lightweight) Tick(t device.Tick) { l.tick(t, geom.Wrench{}) }

// tick is a cycle in which the tip exerts something beside its springs (cycle).
func (l *Lightweight) tick(t device.Tick, beside geom.Wrench) {
	for e, own := l.happen(t.Time); own; e, own = l.happen(t.Time) {
		l.strike(&e)
	}
	l.prepare(t)
	l.Take(t.Time)
	if coming, since := l.Coming(); coming != nil && t.Time-since >= l.loading {
		l.Complete()
	}
	l.choose(t.Time)
	push := l.pushedTip().Add(l.options.push(l.body.Tip(), l.period.Seconds()))
	felt := l.body.Step(&yielding.Act{
		Strategy: l.Strategy(), Commands: l.commands, Springs: l.Springs, Load: &l.Carried, Push: push, Beside: beside,
		Period: l.period.Seconds(),
	})
	l.Put(&felt)
	l.finish(t)
}

// commanded returns where a joint is commanded in this tick (cycle).
func (l *Lightweight) commanded(joint int) float64 {
	if c := l.commands; uint(joint) < uint(len(c)) {
		return c[joint]
	}
	return 0
}

// Push lets a torque act on a joint (any).
func (l *Lightweight) Push(joint int, torque float64) { l.plant.Push(joint, torque) }

// PushTip lets a force and a torque act on the tip, along the axes of the base (any).
func (l *Lightweight) PushTip(w geom.Wrench) {
	if !w.Force.Finite() || !w.Torque.Finite() {
		return
	}
	l.pushing.Lock()
	defer l.pushing.Unlock()
	var words [6]uint64
	for i, v := range [...]float64{w.Force.X, w.Force.Y, w.Force.Z, w.Torque.X, w.Torque.Y, w.Torque.Z} {
		words[i] = math.Float64bits(v)
	}
	l.pushed.Put(words[:])
}

// strike lets the script act on the tip, along the axes of the base (cycle).
func (l *Lightweight) strike(e *script.Event) {
	var words [6]uint64
	for i := range words {
		words[i] = math.Float64bits(e.Numbers[i])
	}
	l.struck.Put(words[:])
}

// pushedTip returns what acts on the tip (cycle).
func (l *Lightweight) pushedTip() geom.Wrench {
	var people, events [6]uint64
	l.pushed.Get(0, people[:])
	l.struck.Get(0, events[:])
	var v [6]float64
	for i := range v {
		v[i] = math.Float64frombits(people[i]) + math.Float64frombits(events[i])
	}
	return geom.Wrench{Force: geom.Vector{X: v[0], Y: v[1], Z: v[2]}, Torque: geom.Vector{X: v[3], Y: v[4], Z: v[5]}}
}

// Pushed returns the force and torque that were set (any).
func (l *Lightweight) Pushed() (torques []float64, tip geom.Wrench) {
	torques = make([]float64, seven)
	for i := range torques {
		torques[i] = l.plant.Torque(i)
	}
	return torques, l.pushedTip()
}

// SetTool sets what is attached to a joint: to the last one, the payload, whose tip stays where it is (cycle).
func (l *Lightweight) SetTool(joint int, is device.Tool) (ticket uint64) {
	if joint == seven-1 {
		return l.Attach(is)
	}
	return l.Drives.SetTool(joint, is)
}

// ToolDone reports whether the tool is in use (cycle).
func (l *Lightweight) ToolDone(joint int, ticket uint64) (done bool, fault int32) {
	if joint == seven-1 {
		done, fault := l.PayloadDone(ticket)
		return done, int32(fault)
	}
	return l.Drives.ToolDone(joint, ticket)
}

// Tool returns the newest tool of a joint (any).
func (l *Lightweight) Tool(joint int) device.Tool {
	if joint == seven-1 {
		return l.Load()
	}
	return l.Drives.Tool(joint)
}

// Strategy returns the one in force (cycle).
func (l *Lightweight) Strategy() device.Strategy { return device.Strategy(l.strategy.Load()) }

// SetStrategy asks for another one (cycle).
func (l *Lightweight) SetStrategy(s device.Strategy) (ticket uint64) {
	words := [2]uint64{0, uint64(uint32(s))}
	return l.switching.Ask(words[:])
}

// StrategyDone returns its outcome (cycle).
func (l *Lightweight) StrategyDone(ticket uint64) (done bool, fault device.StrategyFault) {
	done, f := l.switching.Done(ticket)
	return done, device.StrategyFault(f)
}

// choose switches the strategy (cycle). Whether that can be is looked at when it is asked for and when it happens.
func (l *Lightweight) choose(now int64) {
	r := &l.switching
	var words [2]uint64
	fresh := r.Next(words[:], now)
	if fresh {
		l.next = device.Strategy(uint32(words[1]))
	}
	if !r.Pending() {
		return
	}
	if fault := l.hindrance(); fault != device.StrategyGood {
		r.End(int32(fault))
		return
	}
	same := l.next == l.Strategy()
	if !same && now-r.Since() < int64(l.options.Switching) {
		return
	}
	if !same {
		l.switches++
	}
	if !same && l.switches == l.options.Failing {
		l.failed.Store(true)
		l.plant.Power(false)
		r.End(int32(device.StrategyFailed))
		return
	}
	l.failed.Store(false)
	l.strategy.Store(int32(l.next))
	r.End(int32(device.StrategyGood))
}

// hindrance returns why the strategy cannot be switched (cycle).
func (l *Lightweight) hindrance() device.StrategyFault {
	switch {
	case !l.next.Known():
		return device.StrategyUnknown
	case !l.plant.Powered():
		return device.StrategyNoPower
	case l.next == l.Strategy():
		return device.StrategyGood
	}
	for i := range seven {
		if !(math.Abs(l.commanded(i)-l.plant.Position(i)) < l.options.Apart) {
			return device.StrategyApart
		}
	}
	return device.StrategyGood
}

// Status returns the state of the arm, with the reason if it cannot be commanded (any).
func (l *Lightweight) Status() device.Status {
	s := l.RobotWithPorts.Status()
	if l.failed.Load() && s.State != device.Operational {
		s.Cause = fmt.Sprintf("%v to another strategy; %s", device.StrategyFailed, s.Cause)
	}
	return s
}
