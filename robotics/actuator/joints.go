package actuator

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Joints is a device with joints that nets command by positions: an arm, a linear unit, a turning table.
type Joints struct {
	name     string
	joints   []kinematics.Joint
	chain    *kinematics.Chain // of an arm
	defaults []robotics.Param
}

// NewJoints returns the proxy of a device with joints. Their limits are those that motions keep to.
func NewJoints(device string, joints []kinematics.Joint, defaults ...robotics.Param) *Joints {
	own := []robotics.Param{robotics.Speed(1), robotics.Acceleration(1), robotics.JointLimits{}, robotics.HandOver(false), robotics.TakeOver{}, InStep{}}
	return &Joints{name: device, joints: joints, defaults: robotics.DefaultsOf(defaults, own...)}
}

func (j *Joints) String() string { return j.name }

// Device returns the name of the device.
func (j *Joints) Device() string { return j.name }

// Len returns how many joints there are.
func (j *Joints) Len() int { return len(j.joints) }

// Joint describes a joint, from 0; nothing is known of one that does not exist.
func (j *Joints) Joint(i int) kinematics.Joint {
	if i < 0 || i >= len(j.joints) {
		return kinematics.Joint{}
	}
	return j.joints[i]
}

// Defaults returns the parameters for commands that have no others.
func (j *Joints) Defaults() []robotics.Param { return j.defaults }

// Understands are positions for the next cycle, and loads.
func (j *Joints) Understands() []mapping.Flow {
	return []mapping.Flow{mapping.JointPositions{}, Load{}}
}

// MapActuator commands the joints, or sets what they carry.
func (j *Joints) MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part {
	switch f := flow.(type) {
	case mapping.JointPositions:
		return j.command(c, f)
	case Load:
		return j.carry(c, f)
	}
	return mapping.Part{}
}

// command commands the joints. A fault of one of them is one of all: no joint of several may go on alone.
func (j *Joints) command(c *mapping.Context, said mapping.JointPositions) mapping.Part {
	pos, done := j.flight(c, said)
	if c.Failed() {
		return mapping.Part{}
	}
	part := j.drive(c, pos)
	part.Done = done
	return part
}

// flight returns where joints are to be, as far as they come there when they were in flight, and whether they have.
func (j *Joints) flight(c *mapping.Context, said mapping.JointPositions) (pos []graph.Signal[float64], done graph.Signal[bool]) {
	if len(said.Pos) != len(j.joints) {
		c.Fail(fmt.Errorf("%d of %d: %w", len(said.Pos), len(j.joints), robotics.ErrJoints))
		return nil, done
	}
	t, takesOver := j.taken(c)
	switch {
	case said.Carried:
		return j.followFrame(c, t, said.Pos)
	case takesOver && !said.InFlight:
		return j.join(c, t, said.Pos)
	}
	return said.Pos, done
}

// drive commands positions of the device.
func (j *Joints) drive(c *mapping.Context, pos []graph.Signal[float64]) (part mapping.Part) {
	if bool(mapping.Param[robotics.HandOver](c)) {
		j.inUse(c.Net).handsOver = true
		robotics.DevicesOf(c.Net).HandOver(j.name)
	}
	faults := []struct{ name, port string }{
		{robotics.FaultConcurrent, "outErrorConcurrentAccess"}, {robotics.FaultIllegal, "outErrorIllegalPosition"}, {robotics.FaultFailed, "outErrorJointFailed"},
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
	// From 3 on, codes mean that the device has refused a set-point (RobotArm::JointPosition).
	refused := graph.Greater(worst, graph.Const(c.Graph, int32(2))) //nolint:mnd // see there
	part.Faults = append(part.Faults, mapping.Fault{Name: robotics.FaultRefused, Of: j.name, Is: refused})
	j.inUse(c.Net).add(c.Active, pos, part.Faults)
	return part
}

// monitor returns a sensor of a joint.
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

// jointSensor is something that is known of a joint.
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

// has reports whether there is a joint.
func (j *Joints) has(m *mapping.Net, joint int) bool {
	if joint < 0 || joint >= len(j.joints) {
		m.Fail(fmt.Errorf("%s has no joint %d: %w", j.name, joint, robotics.ErrJoints))
		return false
	}
	return true
}

// Measured returns the measured position of a joint.
func (j *Joints) Measured(joint int) robotics.Sensor[float64] {
	return jointSensor{j, joint, "outMeasuredPosition"}
}

// MeasuredVelocity returns the measured velocity of a joint.
func (j *Joints) MeasuredVelocity(joint int) robotics.Sensor[float64] {
	return jointSensor{j, joint, "outMeasuredVelocity"}
}

// Commanded returns the position that a joint is commanded.
func (j *Joints) Commanded(joint int) robotics.Sensor[float64] {
	return jointSensor{j, joint, "outCommandedPosition"}
}

// Faulty returns the state in which one of the joints cannot be commanded.
func (j *Joints) Faulty() robotics.State { return robotics.IsTrue(faulty{j}) }

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

// LastPositions returns the last commanded positions of the joints of a command's actuator, for mappers: set-points begin
// there.
func LastPositions(c *mapping.Context) []graph.Signal[float64] { return JointsOf(c).Last(c.Net) }

// Last returns where the joints are commanded to be at the beginning of a cycle.
func (j *Joints) Last(m *mapping.Net) []graph.Signal[float64] {
	wires := j.inUse(m).last
	all := make([]graph.Signal[float64], len(wires))
	for i := range wires {
		all[i] = wires[i].Signal
	}
	return all
}

// use is all that a net does with joints. The net itself knows the last commands of joints as soon as it commands them more than
// once: the device reports them too, but some cycles later, and a motion that begins where the one before was some cycles ago
// begins with a jump.
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
	robotics.DevicesOf(m).Command(m, j)
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

// checkLimits returns an error if limits do not fit the number of joints.
func checkLimits(c *mapping.Context, l robotics.JointLimits, joints int) {
	for _, of := range [][]float64{l.Vel, l.Acc, l.Jerk} {
		if len(of) != 0 && len(of) != joints {
			c.Fail(fmt.Errorf("limits %v: %w", of, robotics.ErrJoints))
		}
		for _, limit := range of {
			if !(limit >= 0) {
				c.Fail(fmt.Errorf("limits %v: %w", of, robotics.ErrNegative))
				break
			}
		}
	}
}

// limits are those of a motion: of joints, or of a path and its turning.
type limits struct{ vel, acc, jerk []float64 }

// limits returns what the joints can do, as far as a command may use it.
func (j *Joints) limits(c *mapping.Context) limits {
	speed, rise := shares(c)
	l := j.allowed(c)
	for i := range j.joints {
		if !(l.vel[i] > 0 && l.acc[i] > 0 && l.jerk[i] > 0) {
			c.Fail(fmt.Errorf("joint %d: %w", i, robotics.ErrLimits))
		}
		l.vel[i], l.acc[i], l.jerk[i] = l.vel[i]*speed, l.acc[i]*rise, l.jerk[i]*rise
	}
	return l
}

// allowed returns the limits of joints that a command must not be beyond, whatever it is.
func (j *Joints) allowed(c *mapping.Context) limits {
	own := mapping.Param[robotics.JointLimits](c)
	checkLimits(c, own, j.Len())
	return j.limitsOf(own)
}

// Limits returns the limits of the joints, and lower ones. A jerk without a limit is infinite.
func (j *Joints) Limits(lower robotics.JointLimits) robotics.JointLimits {
	l := j.limitsOf(lower)
	return robotics.JointLimits{Vel: l.vel, Acc: l.acc, Jerk: l.jerk}
}

// limitsOf returns those of the joints, and lower ones.
func (j *Joints) limitsOf(lower robotics.JointLimits) (l limits) {
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

// leastShare is that of limits with which motions still end while a program waits for them.
const leastShare = 1e-6

// shares returns those of the limits that a command may use.
func shares(c *mapping.Context) (speed, rise float64) {
	speed, rise = float64(mapping.Param[robotics.Speed](c)), float64(mapping.Param[robotics.Acceleration](c))
	for _, share := range []float64{speed, rise} {
		if CheckShare(c, share); share > 0 && share < leastShare {
			c.Fail(fmt.Errorf("%v: %w; below %v a motion would hardly end", share, robotics.ErrShare, leastShare))
		}
	}
	return speed, rise
}

// jointed is an actuator with joints.
type jointed interface {
	robotics.Actuator
	asJoints() *Joints
}

func (j *Joints) asJoints() *Joints { return j }

// joints returns the joints of the actuator that a command is for.
func JointsOf(c *mapping.Context) *Joints {
	of, ok := c.Actuator.(jointed)
	if !ok || of.asJoints().Len() == 0 {
		c.Fail(fmt.Errorf("%w: it has no joints", robotics.ErrUnsuited))
		return &Joints{}
	}
	return of.asJoints()
}

// Check returns an error if joints cannot be at a point.
func (j *Joints) Check(c *mapping.Context, point []float64) bool {
	if len(point) != len(j.joints) {
		c.Fail(fmt.Errorf("%v: %w", point, robotics.ErrJoints))
		return false
	}
	for i, v := range point {
		if !j.CheckJoint(c, i, v) {
			return false
		}
	}
	return true
}

// CheckJoint returns an error if a joint cannot be at a position.
func (j *Joints) CheckJoint(c *mapping.Context, i int, at float64) bool {
	joint := &j.joints[i]
	if at >= joint.Min && at <= joint.Max {
		return true
	}
	c.Fail(fmt.Errorf("joint %d at %v: %w, it goes from %v to %v", i, at, robotics.ErrBeyond, joint.Min, joint.Max))
	return false
}

// Next returns where a joint is commanded to be at the end of a cycle.
func (j *Joints) Next(m *mapping.Net, joint int) graph.Signal[float64] {
	w := graph.NewWire[float64](m.Graph)
	m.AtEnd(func() { w.Connect(j.inUse(m).next[joint]) })
	return w.Signal
}

// Forward returns where the flange is, seen from the base, if the joints are those of an arm with a model.
func (j *Joints) Forward(joints []float64) (flange geom.Frame, known bool) {
	if j.chain == nil || len(joints) != j.Len() {
		return flange, false
	}
	return j.chain.Forward(joints), true
}
