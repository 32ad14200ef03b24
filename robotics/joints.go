package robotics

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Joints is a device with joints that nets command by positions: an arm, a linear unit, a turning table.
type Joints struct {
	name     string
	joints   []kinematics.Joint
	chain    *kinematics.Chain // of an arm
	defaults []any
}

// NewJoints returns the proxy of a device with joints. Their limits are those that motions keep to.
func NewJoints(device string, joints []kinematics.Joint, defaults ...any) *Joints {
	own := []any{Speed(1), Acceleration(1), JointLimits{}, HandOver(false), TakeOver{}, InStep{}}
	return &Joints{name: device, joints: joints, defaults: defaultsOf(defaults, own...)}
}

func (j *Joints) String() string { return j.name }

// Device is the name of the device.
func (j *Joints) Device() string { return j.name }

// Len is how many joints there are.
func (j *Joints) Len() int { return len(j.joints) }

// Joint describes a joint, from 0; nothing is known of one that there is not.
func (j *Joints) Joint(i int) kinematics.Joint {
	if i < 0 || i >= len(j.joints) {
		return kinematics.Joint{}
	}
	return j.joints[i]
}

// Defaults are the parameters for commands that have no others.
func (j *Joints) Defaults() []any { return j.defaults }

// Understands are positions for the next cycle, and loads.
func (j *Joints) Understands() []mapping.Flow {
	return []mapping.Flow{mapping.JointPositions{}, Load{}}
}

// MapActuator commands the joints, or tells the device what they carry.
func (j *Joints) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	switch f := flow.(type) {
	case mapping.JointPositions:
		return j.command(c, f)
	case Load:
		return j.carry(c, f)
	}
	return mapping.Part{}
}

// command commands the joints. What is wrong with any of them is wrong with all: no joint of several may go on alone.
func (j *Joints) command(c *mapping.Context, said mapping.JointPositions) mapping.Part {
	pos, done := j.flight(c, said)
	if c.Failed() {
		return mapping.Part{}
	}
	part := j.drive(c, pos)
	part.Done = done
	return part
}

// flight is where joints are to be, as far as they come there when they were in flight, and whether they have.
func (j *Joints) flight(c *mapping.Context, said mapping.JointPositions) (pos []graph.Signal[float64], done graph.Signal[bool]) {
	if len(said.Pos) != len(j.joints) {
		c.Fail(fmt.Errorf("%d of %d: %w", len(said.Pos), len(j.joints), ErrJoints))
		return nil, done
	}
	t, takesOver := j.taken(c)
	switch {
	case said.Carried:
		return j.accompany(c, t, said.Pos)
	case takesOver && !said.InFlight:
		return j.join(c, t, said.Pos)
	}
	return said.Pos, done
}

// drive has the device go to positions.
func (j *Joints) drive(c *mapping.Context, pos []graph.Signal[float64]) (part mapping.Part) {
	if bool(mapping.Param[HandOver](c)) {
		j.inUse(c.Net).handsOver = true
		proxies(c.Net).handOver[j.name] = true
	}
	faults := []struct{ name, port string }{
		{FaultConcurrent, "outErrorConcurrentAccess"}, {FaultIllegal, "outErrorIllegalPosition"}, {FaultFailed, "outErrorJointFailed"},
	}
	of := make([][]graph.Signal[bool], len(faults))
	var worst graph.Signal[int32]
	for i := range pos {
		p := c.Add("RobotArm::JointPosition").Set("Robot", j.name).Set("Axis", i)
		p.Link("inPosition", pos[i].Port).Link("inActive", c.Active.Port)
		for k, f := range faults {
			of[k] = append(of[k], mapping.Link[bool](p, f.port))
		}
		if code := mapping.Link[int32](p, "outError"); i == 0 {
			worst = code
		} else {
			worst = graph.Max(worst, code)
		}
	}
	for k, f := range faults {
		part.Faults = append(part.Faults, mapping.Fault{Name: f.name, Of: j.name, Is: graph.Or(of[k]...)})
	}
	// From 3 on, codes tell that the device has refused a set-point (RobotArm::JointPosition).
	refused := graph.Greater(worst, graph.Const(c.Graph, int32(2))) //nolint:mnd // see there
	part.Faults = append(part.Faults, mapping.Fault{Name: FaultRefused, Of: j.name, Is: refused})
	j.inUse(c.Net).add(c.Active, pos, part.Faults)
	return part
}

// Names of faults of actuators.
const (
	FaultConcurrent = "commanded by several"
	FaultIllegal    = "cannot be there"
	FaultFailed     = "cannot be commanded"
	FaultRefused    = "refuses to go on like that" // it would be beyond a limit, or not begin where the device is
)

// Monitor is a sensor of a joint.
func (j *Joints) monitor(m *mapping.Net, joint int, port string) graph.Signal[float64] {
	return mapping.Link[float64](j.monitorOf(m, joint), port)
}

type monitorKey struct {
	device string
	joint  int
}

func (j *Joints) monitorOf(m *mapping.Net, joint int) *graph.Primitive {
	return mapping.Once(m, monitorKey{j.name, joint}, func() *graph.Primitive {
		return m.Add("RobotArm::JointMonitor").Set("Robot", j.name).Set("Axis", joint)
	})
}

// JointSensor is something that is known of a joint.
type jointSensor struct {
	of    *Joints
	joint int
	port  string
}

// MapSensor reads it.
func (s jointSensor) MapSensor(m *mapping.Net) graph.Signal[float64] {
	if !s.of.has(m, s.joint) {
		return m.Real(0)
	}
	return s.of.monitor(m, s.joint, s.port)
}

// has tells whether there is a joint.
func (j *Joints) has(m *mapping.Net, joint int) bool {
	if joint < 0 || joint >= len(j.joints) {
		m.Fail(fmt.Errorf("%s has no joint %d: %w", j.name, joint, ErrJoints))
		return false
	}
	return true
}

// Measured is the position of a joint, as it is measured.
func (j *Joints) Measured(joint int) Sensor[float64] {
	return jointSensor{j, joint, "outMeasuredPosition"}
}

// MeasuredVelocity is the velocity of a joint, as it is measured.
func (j *Joints) MeasuredVelocity(joint int) Sensor[float64] {
	return jointSensor{j, joint, "outMeasuredVelocity"}
}

// Commanded is the position that a joint is commanded.
func (j *Joints) Commanded(joint int) Sensor[float64] {
	return jointSensor{j, joint, "outCommandedPosition"}
}

// Faulty is the state in which one of the joints cannot be commanded.
func (j *Joints) Faulty() State { return IsTrue(faulty{j}) }

type faulty struct{ of *Joints }

func (f faulty) MapSensor(m *mapping.Net) graph.Signal[bool] {
	var any []graph.Signal[bool]
	none := m.Add("Core::IntValue").Out("outValue")
	for i := range f.of.joints {
		code := f.of.monitorOf(m, i).Out("outError")
		any = append(any, graph.Not(mapping.Link[bool](m.Add("Core::IntEquals").Link("inFirst", code).Link("inSecond", none), "outValue")))
	}
	return graph.Or(any...)
}

// LastPositions are where the joints of the actuator that a command is for were commanded to be last, for mappers: set-points begin
// there.
func LastPositions(c *mapping.Context) []graph.Signal[float64] { return joints(c).last(c.Net) }

// last is where the joints are commanded to be at the beginning of a cycle.
func (j *Joints) last(m *mapping.Net) []graph.Signal[float64] {
	wires := j.inUse(m).last
	all := make([]graph.Signal[float64], len(wires))
	for i := range wires {
		all[i] = wires[i].Signal
	}
	return all
}

// use is all that a net does with joints. What joints were commanded last is known by the net itself as soon as it commands
// them more than once: the device tells it too, but some cycles later, and a motion that begins where the one before was some
// cycles ago begins with a jump.
type use struct {
	last []graph.Wire[float64]
	next []graph.Signal[float64] // at the end of the cycle, when all has been mapped
	by   []commander

	taken     []graph.Signal[float64] // where they are taken over, in the first cycle
	handsOver bool                    // they may be taken over
}

type commander struct {
	active graph.Signal[bool]
	pos    []graph.Signal[float64]
	wrong  graph.Signal[bool]
}

type useKey struct {
	device string
	joints int
}

func (j *Joints) inUse(m *mapping.Net) *use {
	proxies(m).add(m, j)
	return mapping.Once(m, useKey{j.name, len(j.joints)}, func() *use {
		u := &use{}
		for range j.joints {
			u.last = append(u.last, graph.NewWire[float64](m.Graph))
		}
		m.AtEnd(func() { u.connect(m, j) })
		return u
	})
}

func (u *use) add(active graph.Signal[bool], pos []graph.Signal[float64], faults []mapping.Fault) {
	var wrong []graph.Signal[bool]
	for _, f := range faults {
		wrong = append(wrong, f.Is)
	}
	u.by = append(u.by, commander{active, pos, graph.Or(wrong...)})
}

// connect says where joints were commanded to be last: by the command that was active, if there was one and the joints could be
// there, and otherwise as the device says.
func (u *use) connect(m *mapping.Net, j *Joints) {
	for i := range j.joints {
		device := j.monitor(m, i, "outCommandedPosition")
		if u.taken != nil {
			device = orElse(u.taken[i], device)
		}
		now := u.last[i].Signal
		for _, by := range u.by {
			refused := m.Add("Core::DoubleSetNull").Link("inValue", by.pos[i].Port).Link("inNull", m.Definite(by.wrong).Port)
			now = graph.If(by.active, mapping.Link[float64](refused, "outValue"), now)
		}
		u.next = append(u.next, now)
		if len(u.by) < 2 {
			u.last[i].Connect(device)
			continue
		}
		before := graph.Pre(now)
		u.last[i].Connect(orElse(before, device))
	}
	if u.handsOver {
		u.handOver(m, j)
	}
}

// Speed is the share of the limits of velocity that motions are planned with, above 0 and up to 1.
type Speed float64

// Acceleration is the share of the limits of acceleration and jerk that motions are planned with, above 0 and up to 1.
type Acceleration float64

// JointLimits is a parameter of motions: limits of joints that are lower than their own, in rad or m per s, s², s³. Of each kind there is one
// for each joint, 0 for one that has its own only, or none at all.
type JointLimits struct{ Vel, Acc, Jerk []float64 }

// Slower are limits with which joints go the same way, slower by a share of the speed.
func (l JointLimits) Slower(share float64) JointLimits {
	return l.times(share, share*share, share*share*share)
}

// Shares are what motions with a share of the limits may use of them.
func (l JointLimits) Shares(speed Speed, rise Acceleration) JointLimits {
	return l.times(float64(speed), float64(rise), float64(rise))
}

func (l JointLimits) times(vel, acc, jerk float64) JointLimits {
	times := func(of []float64, by float64) []float64 {
		all := make([]float64, len(of))
		for i := range of {
			all[i] = of[i] * by
		}
		return all
	}
	return JointLimits{times(l.Vel, vel), times(l.Acc, acc), times(l.Jerk, jerk)}
}

// check tells of limits that are not those of so many joints.
func (l JointLimits) check(c *mapping.Context, joints int) {
	for _, of := range [][]float64{l.Vel, l.Acc, l.Jerk} {
		if len(of) != 0 && len(of) != joints {
			c.Fail(fmt.Errorf("limits %v: %w", of, ErrJoints))
		}
		for _, limit := range of {
			if !(limit >= 0) {
				c.Fail(fmt.Errorf("limits %v: %w", of, ErrNegative))
				break
			}
		}
	}
}

// limits are those that motions keep, of joints, or of a way and of turning.
type limits struct{ vel, acc, jerk []float64 }

// limits are what the joints can do, as far as a command may use it.
func (j *Joints) limits(c *mapping.Context) limits {
	speed, rise := shares(c)
	l := j.allowed(c)
	for i := range j.joints {
		if !(l.vel[i] > 0 && l.acc[i] > 0 && l.jerk[i] > 0) {
			c.Fail(fmt.Errorf("joint %d: %w", i, ErrLimits))
		}
		l.vel[i], l.acc[i], l.jerk[i] = l.vel[i]*speed, l.acc[i]*rise, l.jerk[i]*rise
	}
	return l
}

// allowed are the limits of joints that a command must not be beyond, whatever it is.
func (j *Joints) allowed(c *mapping.Context) limits {
	own := mapping.Param[JointLimits](c)
	own.check(c, j.Len())
	return j.limitsOf(own)
}

// Limits are those of the joints, and lower ones. A jerk without a limit is infinite.
func (j *Joints) Limits(lower JointLimits) JointLimits {
	l := j.limitsOf(lower)
	return JointLimits{l.vel, l.acc, l.jerk}
}

// limitsOf are those of the joints, and lower ones.
func (j *Joints) limitsOf(lower JointLimits) (l limits) {
	least := func(limit float64, of []float64, i int) float64 {
		if i < len(of) && of[i] > 0 {
			return min(limit, of[i])
		}
		return limit
	}
	for i := range j.joints {
		joint := &j.joints[i]
		jerk := joint.Jerk
		if jerk == 0 {
			jerk = infinite
		}
		l.vel = append(l.vel, least(joint.Velocity, lower.Vel, i))
		l.acc = append(l.acc, least(joint.Acceleration, lower.Acc, i))
		l.jerk = append(l.jerk, least(jerk, lower.Jerk, i))
	}
	return l
}

// infinite is a limit that is none.
var infinite = math.Inf(1)

// leastShare is that of limits with which motions still end while somebody waits for them.
const leastShare = 1e-6

// shares are those of the limits that a command may use.
func shares(c *mapping.Context) (speed, rise float64) {
	speed, rise = float64(mapping.Param[Speed](c)), float64(mapping.Param[Acceleration](c))
	for _, share := range []float64{speed, rise} {
		if checkShare(c, share); share > 0 && share < leastShare {
			c.Fail(fmt.Errorf("%v: %w; below %v a motion would hardly end", share, ErrShare, leastShare))
		}
	}
	return speed, rise
}

// jointed is an actuator with joints.
type jointed interface {
	Actuator
	asJoints() *Joints
}

func (j *Joints) asJoints() *Joints { return j }

// joints returns the joints of the actuator that a command is for.
func joints(c *mapping.Context) *Joints {
	of, ok := c.Actuator.(jointed)
	if !ok || of.asJoints().Len() == 0 {
		c.Fail(fmt.Errorf("%w: it has no joints", ErrUnsuited))
		return &Joints{}
	}
	return of.asJoints()
}
