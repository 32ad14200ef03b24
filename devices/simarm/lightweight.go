package simarm

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// giving are the parameters of arms that give way.
type giving struct {
	Switching time.Duration `rcc:"switch_time" default:"200ms" min:"0s" max:"1m" doc:"how long it takes to switch the control strategy"`
	Apart     float64       `rcc:"switch_apart" default:"0.05" min:"0.000001" max:"10" unit:"rad" doc:"distance of measured and commanded joints from which on the strategy is not switched"`
	Failing   int           `rcc:"switch_fails" default:"0" min:"0" doc:"number of the switch that fails and leaves drives without power, from 1; 0: none"`
}

// Lightweight is an arm with seven joints that feels torques and gives way to them (§9.4.4).
//
// Under position control its joints are those of every simulated arm. Under impedance control they are masses that springs pull
// to where they are commanded: each joint by its own, or the tip by six, with a soft one that keeps the elbow. The weight of
// arm and payload is compensated; links weigh nothing.
type Lightweight struct {
	*RobotWithPorts
	options giving
	chain   *kinematics.Chain
	body    body
	stops   [seven]kinematics.Joint

	strategy  atomic.Int32
	switching request
	coming    device.Payload
	next      device.Strategy
	switches  int
	failed    atomic.Bool

	loads   request
	carried device.Payload

	joint     [seven]*device.Latest
	cartesian *device.Latest

	pushing sync.Mutex // of those who push
	pushed  *device.Latest

	tip      geom.Frame    // where it is
	jacobian geom.Jacobian // of the tip
	rows     rows          // along the axes of the tool
	felt     *device.Latest
}

var _ device.Yielding = (*Lightweight)(nil)

// Masses and friction of joints are assumed: an arm of 15 kg that is easily led.
var lightBody = body{
	inertia:  vector{2, 2, 1, 1, 0.3, 0.3, 0.1},
	friction: vector{2, 2, 1, 1, 0.3, 0.3, 0.1},
}

// postural is the share of a joint's inertia that its spring has under Cartesian impedance, in 1/s²: it brings the elbow back
// within a second, and does not act on the tip.
const postural = 25

func newLightweight(r *RobotWithPorts, cfg *byLengths) *Lightweight {
	l := &Lightweight{
		RobotWithPorts: r, options: cfg.giving, chain: r.arm.Chain, body: lightBody,
		carried:   device.Payload{Mass: cfg.Mass, COM: cfg.COM, Inertia: cfg.MOI, TCP: cfg.TCP},
		cartesian: device.NewLatest(18), pushed: device.NewLatest(6), felt: device.NewLatest(2*seven + 6),
	}
	l.strategy.Store(int32(device.PositionControl))
	l.switching.open(1)
	l.loads.open(payloadWords - 1)
	for i := range l.joint {
		l.joint[i], l.stops[i] = device.NewLatest(3), l.chain.Joint(i)
		l.SetJointImpedance(i, device.JointImpedance{Stiffness: usualJoint, Damping: usualDamp})
	}
	along, about := geom.Vector{X: 1, Y: 1, Z: 1}.Scale(usualAlong), geom.Vector{X: 1, Y: 1, Z: 1}.Scale(usualAbout)
	damping := geom.Vector{X: 1, Y: 1, Z: 1}.Scale(usualDamp)
	l.SetCartesianImpedance(device.CartesianImpedance{
		Stiffness: geom.Wrench{Force: along, Torque: about}, Damping: geom.Wrench{Force: damping, Torque: damping},
	})
	l.look()
	return l
}

// Tick is a cycle of the robot: what nets have commanded in the tick before takes effect.
func (l *Lightweight) Tick(t device.Tick) {
	l.prepare(t)
	l.load(t.Time)
	l.choose(t.Time)
	tip := l.pushedTip()
	var push vector
	l.jacobian.Torques(tip, push[:])
	if l.Strategy() == device.PositionControl {
		for i, torque := range push {
			l.plant.Burden(i, torque)
		}
	} else {
		for i := range push {
			push[i] += l.plant.Torque(i)
		}
		l.yield(&push)
	}
	l.plant.Step(l.commands)
	l.look()
	l.feel(tip)
	l.finish(t)
}

// commanded returns where a joint is commanded in this tick (cycle).
func (l *Lightweight) commanded(joint int) float64 {
	if c := l.commands; uint(joint) < uint(len(c)) {
		return c[joint]
	}
	return 0
}

// yield lets springs and torques move the joints (cycle).
func (l *Lightweight) yield(torques *vector) {
	s := springs{torque: *torques}
	var q, v vector
	for i := range q {
		m := l.plant.Motion(i)
		q[i], v[i] = m.Pos, m.Vel
	}
	if l.Strategy() == device.JointCompliance {
		for i := range q {
			is := l.JointImpedance(i)
			s.hold(i, l.body.inertia[i], is.Stiffness, is.Damping, l.commanded(i)-q[i])
			s.torque[i] += is.Add
		}
	} else {
		l.pull(&s, &q)
	}
	period := l.period.Seconds()
	next := l.body.step(&s, &v, period)
	for i := range q {
		to := device.JointMotion{Pos: q[i] + period*next[i], Vel: next[i], Acc: (next[i] - v[i]) / period}
		if stop := &l.stops[i]; to.Pos < stop.Min || to.Pos > stop.Max {
			to = device.JointMotion{Pos: min(max(to.Pos, stop.Min), stop.Max)}
		}
		l.plant.Lead(i, to)
	}
}

// pull adds the springs of the tip, and those of the elbow without what they would do to the tip (cycle).
func (l *Lightweight) pull(s *springs, q *vector) {
	is := l.CartesianImpedance()
	stiffness, damping, add := six(is.Stiffness), six(is.Damping), six(is.Add)
	to := l.tip.To(l.chain.Forward(l.commands).Mul(l.carried.TCP))
	away := six(geom.Wrench{Force: to.Pos, Torque: to.Rot.Log()})
	var posture, mobility vector
	for i := range q {
		mobility[i] = 1 / l.body.inertia[i]
		posture[i] = postural * l.body.inertia[i] * (l.commanded(i) - q[i])
		s.hold(i, l.body.inertia[i], postural*l.body.inertia[i], 1, 0)
	}
	s.pull(&l.rows, &l.body, &stiffness, &damping, &away)
	tip := l.rows.wrenchOf(&posture, &mobility)
	lost, exerted := l.rows.torquesOf(&tip), l.rows.torquesOf(&add)
	for i := range q {
		s.torque[i] += posture[i] - lost[i] + exerted[i]
	}
}

// look finds out where the tip is (cycle).
func (l *Lightweight) look() {
	var q vector
	for i := range q {
		q[i] = l.plant.Position(i)
	}
	flange := l.chain.Jacobian(q[:], &l.jacobian)
	l.tip = flange.Mul(l.carried.TCP)
	l.jacobian.At(l.tip.Pos.Sub(flange.Pos))
	along := l.jacobian
	along.Rotate(l.tip.Rot.Invert())
	l.rows = rowsOf(&along)
}

// gravity is what acts on a mass, m/s².
const gravity = 9.80665

// feel tells what sensors of the joints do, and what is estimated of it (cycle).
func (l *Lightweight) feel(push geom.Wrench) {
	var outside, weight, same vector
	l.jacobian.Torques(push, outside[:])
	centre := l.tip.Mul(l.carried.TCP.Invert()).Point(l.carried.COM.Pos).Sub(l.tip.Pos)
	up := geom.Wrench{Force: geom.Vector{Z: gravity * l.carried.Mass}}
	l.jacobian.Torques(up.At(centre.Neg()), weight[:])
	var words [2*seven + 6]uint64
	for i := range outside {
		outside[i] += l.plant.Torque(i)
		same[i] = 1
		measured := l.body.inertia[i]*l.plant.Motion(i).Acc + weight[i] - outside[i]
		words[i], words[seven+i] = math.Float64bits(measured), math.Float64bits(outside[i])
	}
	w := l.rows.wrenchOf(&outside, &same)
	for i, v := range w {
		words[2*seven+i] = math.Float64bits(v)
	}
	l.felt.Put(words[:])
}

// Torque is what a joint feels (cycle).
func (l *Lightweight) Torque(joint int) (t device.Torque) {
	var words [2 * seven]uint64
	if joint < 0 || joint >= seven || !l.felt.Get(0, words[:]) {
		return t
	}
	return device.Torque{Measured: math.Float64frombits(words[joint]), External: math.Float64frombits(words[seven+joint])}
}

// TipWrench is what acts on the tip (cycle).
func (l *Lightweight) TipWrench() geom.Wrench {
	var words [6]uint64
	var v [6]float64
	if l.felt.Get(2*seven, words[:]) {
		for i := range v {
			v[i] = math.Float64frombits(words[i])
		}
	}
	return wrench(&v)
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
	for i, v := range six(w) {
		words[i] = math.Float64bits(v)
	}
	l.pushed.Put(words[:])
}

// pushedTip is what acts on the tip (cycle).
func (l *Lightweight) pushedTip() geom.Wrench {
	var words [6]uint64
	var v [6]float64
	if l.pushed.Get(0, words[:]) {
		for i := range v {
			v[i] = math.Float64frombits(words[i])
		}
	}
	return wrench(&v)
}

// Pushed is what has been set (any).
func (l *Lightweight) Pushed() (torques []float64, tip geom.Wrench) {
	torques = make([]float64, seven)
	for i := range torques {
		torques[i] = l.plant.Torque(i)
	}
	return torques, l.pushedTip()
}

// Strategy is the one in force (cycle).
func (l *Lightweight) Strategy() device.Strategy { return device.Strategy(l.strategy.Load()) }

// SetStrategy asks for another one (cycle).
func (l *Lightweight) SetStrategy(s device.Strategy) (ticket uint64) {
	words := [2]uint64{0, uint64(uint32(s))}
	return l.switching.ask(words[:])
}

// StrategyDone tells what has become of it (cycle).
func (l *Lightweight) StrategyDone(ticket uint64) (done bool, fault device.StrategyFault) {
	done, f := l.switching.done(ticket)
	return done, device.StrategyFault(f)
}

// choose switches the strategy (cycle). Whether that can be is looked at when it is asked for and when it happens.
func (l *Lightweight) choose(now int64) {
	r := &l.switching
	var words [2]uint64
	fresh := r.next(words[:], now)
	if fresh {
		l.next = device.Strategy(uint32(words[1]))
	}
	if !r.pending {
		return
	}
	if fault := l.hindrance(); fault != device.StrategyGood {
		r.end(int32(fault))
		return
	}
	same := l.next == l.Strategy()
	if !same && now-r.since < int64(l.options.Switching) {
		return
	}
	if !same {
		l.switches++
	}
	if !same && l.switches == l.options.Failing {
		l.failed.Store(true)
		l.plant.Power(false)
		r.end(int32(device.StrategyFailed))
		return
	}
	l.failed.Store(false)
	l.strategy.Store(int32(l.next))
	r.end(int32(device.StrategyGood))
}

// hindrance is why the strategy cannot be switched (cycle).
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

// Status tells whether the arm can be commanded, and if not why not (any).
func (l *Lightweight) Status() device.Status {
	s := l.RobotWithPorts.Status()
	if l.failed.Load() && s.State != device.Operational {
		s.Cause = fmt.Sprintf("%v to another strategy; %s", device.StrategyFailed, s.Cause)
	}
	return s
}
