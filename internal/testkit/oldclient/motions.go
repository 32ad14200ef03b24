package oldclient

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
)

// Arm is what a client knows of the arm that it has created: it plans with exactly these limits.
type Arm struct {
	Name     string
	Vel, Acc []float64
	Min, Max []float64
}

// Form returns how the client writes that it creates the arm as a device of a type: nothing is encoded.
func (a *Arm) Form(kind string, home []float64) string {
	list := func(v []float64) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ",") }
	return fmt.Sprintf("name=%s&type=%s&min_joint=%s&max_joint=%s&home_joint=%s&max_vel=%s&max_acc=%s",
		a.Name, kind, list(a.Min), list(a.Max), list(home), list(a.Vel), list(a.Acc))
}

// Motion is a motion as the client plans it: it accelerates, goes on at a constant velocity and decelerates, all joints in the same time.
// A motion that is blended begins somewhere else than the motion without it would, and moves there.
type Motion struct {
	arm                *Arm
	from, to           []float64
	begin, beginVel    []float64
	accel, cons, enter float64 // s; enter is how long the first part takes, accel without blending
	line               *line
}

// line is what a motion in space has instead of joints.
type line struct{ from, to geom.Frame }

// PTP plans a motion of all joints.
func (a *Arm) PTP(from, to []float64) *Motion {
	return a.Blended(from, to, from, make([]float64, len(from)))
}

// Blended plans a motion of all joints that begins where another one is left.
func (a *Arm) Blended(from, to, begin, beginVel []float64) *Motion {
	m := &Motion{arm: a, from: from, to: to, begin: begin, beginVel: beginVel}
	for i := range from {
		accel, cons := parts(math.Abs(to[i]-from[i]), a.Vel[i], a.Acc[i])
		m.accel, m.cons = max(m.accel, accel), max(m.cons, cons)
	}
	m.enter = m.accel
	for i := range from {
		pos, _ := m.entered(i)
		m.enter = max(m.enter, math.Abs(pos-begin[i])/a.Vel[i]*1.5)
	}
	return m
}

// LIN plans a motion on a straight line.
func (a *Arm) LIN(from, to geom.Frame, joints []float64, vel, acc float64) *Motion {
	way := to.Pos.Sub(from.Pos)
	m := &Motion{arm: a, from: joints, begin: joints, line: &line{from, to}}
	for _, d := range []float64{way.X, way.Y, way.Z} {
		accel, cons := parts(math.Abs(d), vel, acc)
		m.accel, m.cons = max(m.accel, accel), max(m.cons, cons)
	}
	m.enter = m.accel
	return m
}

// parts returns the times to accelerate and to go on, for a way that is gone with a velocity and an acceleration.
func parts(way, vel, acc float64) (accel, cons float64) {
	if accel, cons = vel/acc, way/vel; cons >= accel {
		return accel, cons - accel
	}
	return math.Sqrt(way / acc), 0
}

// entered returns where a joint is when it has accelerated, and how fast.
func (m *Motion) entered(i int) (pos, vel float64) {
	vel = (m.to[i] - m.from[i]) / (m.accel + m.cons)
	return m.from[i] + vel*m.accel/2, vel
}

// Duration returns how long it takes with an override of 1.
func (m *Motion) Duration() float64 { return m.enter + m.cons + m.accel }

// At returns where joints are planned to be, and how fast.
func (m *Motion) At(time float64) (pos, vel []float64) {
	for i := range m.from {
		p, v := m.entered(i)
		switch left := time - m.enter - m.cons; {
		case time <= m.enter:
			s, t := time/m.enter, m.enter
			h := func(s float64) float64 {
				return (1+2*s)*(1-s)*(1-s)*m.begin[i] + s*(1-s)*(1-s)*t*m.beginVel[i] + s*s*(3-2*s)*p - s*s*(1-s)*t*v
			}
			const d = 1e-6
			pos, vel = append(pos, h(s)), append(vel, (h(s+d)-h(s-d))/(2*d*t))
		case left <= 0:
			pos, vel = append(pos, p+v*(time-m.enter)), append(vel, v)
		default:
			pos, vel = append(pos, p+v*(m.cons+left)-v/m.accel*left*left/2), append(vel, v-v/m.accel*left)
		}
	}
	return pos, vel
}

// Net returns the net of the motion, numbered as the client does it. It never ends by itself: a rule stops it when outdone is true, or another
// one when outleave is, at a time. Where a joint could not be commanded, outfailed is true.
func (m *Motion) Net(leave float64) string {
	n := &netText{}
	override := n.add("Core::DoubleNetcommIn", "Key='override'", "Value='1.0'")
	clock := n.add("Core::Clock", in("inIncrement", override), "Increment='1.0'")
	n.tell("done", n.after(clock, m.Duration()))
	n.tell("leave", n.after(clock, leave))
	places := m.joints(n, clock)
	failed := n.add("Core::BooleanValue", "Value='false'")
	for i, place := range places {
		failed = n.command(m.arm, i, place, failed)
	}
	n.tell("failed", failed)
	return n.close()
}

// joints returns where they are to be, as out ports.
func (m *Motion) joints(n *netText, clock string) (places []string) {
	if m.line != nil {
		return m.onLine(n, clock)
	}
	for i := range m.from {
		pos, vel := m.entered(i)
		share := n.number("Multiply", clock, 1/m.enter)
		enter := n.add("Core::DoubleBezier", in("inValue", share), param("From", m.begin[i]), param("FromVel", m.beginVel[i]*m.enter), param("To", pos), param("ToVel", vel*m.enter))
		places = append(places, n.rest(m, clock, enter, pos, vel, m.to[i]))
	}
	return places
}

// rest returns what comes after the first part.
func (n *netText) rest(m *Motion, clock, enter string, pos, vel, to float64) string {
	cons := n.quadratic(clock, m.enter, pos, vel, 0)
	decel := n.quadratic(clock, m.enter+m.cons, pos+vel*m.cons, vel, -vel/m.accel)
	last := n.add("Core::DoubleConditional", in("inCondition", n.after(clock, m.Duration())), param("True", to), in("inFalse", decel))
	then := n.add("Core::DoubleConditional", in("inCondition", n.after(clock, m.enter+m.cons)), in("inTrue", last), in("inFalse", cons))
	return n.add("Core::DoubleConditional", in("inCondition", n.after(clock, m.enter)), in("inTrue", then), in("inFalse", enter))
}

// onLine returns a share of the way, and the joints that belong to it.
func (m *Motion) onLine(n *netText, clock string) (places []string) {
	vel := 1 / (m.accel + m.cons)
	enter := n.quadratic(clock, 0, 0, 0, vel/m.accel)
	share := n.rest(m, clock, enter, vel*m.accel/2, vel, 1)
	frame := n.add("World::FrameLerp", in("inAmount", share), in("inFrom", n.frame(m.line.from)), in("inTo", n.frame(m.line.to)))
	size := fmt.Sprintf("Size='%d'", len(m.from))
	hint := n.name("Core::DoubleArray", size)
	for i := range m.from {
		hint = n.name("Core::DoubleArraySet", in("inArray", hint+".outArray"), in("inValue", n.monitor(m.arm, i)), size, fmt.Sprintf("Index='%d'", i))
	}
	solved := n.name("ArmKinematics::InvKin", in("inFrame", frame), in("inHintJoints", hint+".outArray"), "Robot='"+m.arm.Name+"'")
	for i := range m.from {
		places = append(places, n.add("Core::DoubleArrayGet", in("inArray", solved+".outJoints"), size, fmt.Sprintf("Index='%d'", i)))
	}
	return places
}

// Reset returns the net by which the client has joints of a simulation jump: constants that nothing checks.
func (a *Arm) Reset(to []float64) string {
	n := &netText{}
	failed := n.add("Core::BooleanValue", "Value='false'")
	for i, v := range to {
		failed = n.position(a, i, n.add("Core::DoubleValue", param("Value", v)), failed)
	}
	n.tell("failed", failed)
	n.tell("done", n.add("Core::BooleanValue", "Value='true'"))
	return n.close()
}

// netText is a net that is written.
type netText struct {
	entries []string
	count   int
}

func in(port, from string) string { return port + "=" + from }

func param(name string, v float64) string {
	return name + "='" + strconv.FormatFloat(v, 'g', -1, 64) + "'"
}

// name adds a primitive, and returns its name.
func (n *netText) name(kind string, args ...string) string {
	n.count++
	n.entries = append(n.entries, fmt.Sprintf("%d=%s(%s)", n.count, kind, strings.Join(args, ",")))
	return strconv.Itoa(n.count)
}

// add adds a primitive, and returns its out port.
func (n *netText) add(kind string, args ...string) string { return n.name(kind, args...) + ".outValue" }

func (n *netText) tell(key, from string) {
	n.add("Core::BooleanNetcommOut", in("inValue", from), "Key='"+key+"'")
}

func (n *netText) number(op, first string, second float64) string {
	return n.add("Core::Double"+op, in("inFirst", first), "First='0.0'", param("Second", second))
}

func (n *netText) after(clock string, time float64) string {
	return n.add("Core::DoubleGreater", in("inFirst", clock), "First='0.0'", param("Second", time))
}

// quadratic returns a motion at a constant acceleration from a time on.
func (n *netText) quadratic(clock string, begin, pos, vel, acc float64) string {
	t := n.number("Add", clock, -begin)
	half := n.number("Add", n.number("Multiply", t, acc/2), vel)
	return n.number("Add", n.add("Core::DoubleMultiply", in("inFirst", half), in("inSecond", t)), pos)
}

func (n *netText) frame(f geom.Frame) string {
	a, b, c := f.Rot.ABC()
	return n.add("World::FrameFromXYZ", param("X", f.Pos.X), param("Y", f.Pos.Y), param("Z", f.Pos.Z), param("A", a), param("B", b), param("C", c))
}

func (n *netText) monitor(a *Arm, i int) string {
	return n.name("RobotArm::JointMonitor", "Robot='"+a.Name+"'", fmt.Sprintf("Axis='%d'", i)) + ".outCommandedPosition"
}

// command commands a joint, unless it would be farther from where the joint is commanded now than it may go in a cycle at twice its
// velocity, and less near its limits: then the client commands what is no number.
func (n *netText) command(a *Arm, i int, place, failed string) string {
	now, cycle := n.monitor(a, i), n.add("Core::CycleTime")
	nothing := n.add("Core::DoubleDivide", "First='0.0'", "Second='0.0'")
	for _, side := range []float64{1, -1} {
		limit := a.Max[i]
		if side < 0 {
			limit = -a.Min[i]
		}
		room := n.number("Add", n.number("Multiply", now, -side), limit)
		fast := n.add("Core::DoubleSquareRoot", in("inValue", n.number("Multiply", n.number("Multiply", room, a.Acc[i]*0.95), 2)))
		outside := n.add("Core::DoubleGreater", "First='0.0'", in("inSecond", room))
		fast = n.add("Core::DoubleConditional", in("inCondition", outside), "True='0.0'", in("inFalse", fast))
		tooFast := n.add("Core::DoubleGreater", in("inFirst", fast), param("Second", a.Vel[i]*2))
		fast = n.add("Core::DoubleConditional", in("inCondition", tooFast), param("True", a.Vel[i]*2), in("inFalse", fast))
		step := n.add("Core::DoubleMultiply", in("inFirst", fast), in("inSecond", cycle))
		most := n.add("Core::DoubleAdd", in("inFirst", n.number("Multiply", now, side)), in("inSecond", step))
		beyond := n.add("Core::DoubleGreater", in("inFirst", n.number("Multiply", place, side)), in("inSecond", most))
		place = n.add("Core::DoubleConditional", in("inCondition", beyond), in("inTrue", nothing), in("inFalse", place))
	}
	return n.position(a, i, place, failed)
}

func (n *netText) position(a *Arm, i int, place, failed string) string {
	joint := n.name("RobotArm::JointPosition", "Robot='"+a.Name+"'", fmt.Sprintf("Axis='%d'", i), in("inPosition", place))
	for _, port := range []string{"outErrorJointFailed", "outErrorIllegalPosition", "outErrorConcurrentAccess"} {
		failed = n.add("Core::BooleanOr", in("inFirst", failed), in("inSecond", joint+"."+port))
	}
	return failed
}

// close ends the net.
func (n *netText) close() string {
	end := n.add("Core::BooleanValue", "Value='false'")
	return "{" + strings.Join(n.entries, ",") + ",outTerminate=" + end + "}"
}
