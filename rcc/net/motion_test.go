package net_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// motion writes nets as applications generate them for robot motions (§5.4.2, §5.4.3): per joint three phases of a
// trapezoid, each a formula of small primitives, a choice between them, checks, and an actuator.
type motion struct {
	fragments  bool // phases in fragments, only one of which is active
	primitives int
	entries    []string
	random     *rand.Rand
}

// entry adds a named primitive or fragment and returns the name.
func (m *motion) entry(format string, args ...any) string {
	name := fmt.Sprint("n", m.primitives)
	m.primitives++
	m.entries = append(m.entries, name+"="+fmt.Sprintf(format, args...))
	return name
}

func (m *motion) value(v float64) string { return m.entry("Core::DoubleValue(Value='%v')", v) }

func (m *motion) op(kind, first, second string) string {
	return m.entry("Core::%s(inFirst=%s.outValue,inSecond=%s.outValue)", kind, first, second)
}

// parabola is a/2·t² + v·t + s (equation 5.1), as a parser of formulas makes it, from a time port of the surroundings.
func (m *motion) parabola(time string, a, v, s, start float64) string {
	t := m.entry("Core::DoubleAdd(inFirst=%s,Second='%v')", time, -start)
	half := m.op("DoubleMultiply", m.value(0.5), m.value(a))
	square := m.op("DoubleMultiply", t, t)
	path := m.op("DoubleAdd", m.op("DoubleMultiply", half, square), m.op("DoubleMultiply", m.value(v), t))
	return m.op("DoubleAdd", path, m.value(s))
}

func (m *motion) line(time string, v, s, start float64) string {
	t := m.entry("Core::DoubleAdd(inFirst=%s,Second='%v')", time, -start)
	return m.op("DoubleAdd", m.op("DoubleMultiply", m.value(v), t), m.value(s))
}

// phase writes the formula in place or in a fragment with a guard, and returns its source.
func (m *motion) phase(active string, formula func(time string) string) string {
	if !m.fragments {
		return formula("clock.outValue") + ".outValue"
	}
	outer := m.entries
	m.entries = nil
	result := formula("parent.inTime")
	name := fmt.Sprint("f", m.primitives)
	fragment := fmt.Sprintf("%s={%s,outPosition=%s.outValue}(inActive=%s.outValue,inTime=clock.outValue)", name, m.text(), result, active)
	m.entries = append(outer, fragment)
	return name + ".outPosition"
}

// text joins the entries, mixed: applications write them in no particular order.
func (m *motion) text() string {
	m.random.Shuffle(len(m.entries), func(i, j int) { m.entries[i], m.entries[j] = m.entries[j], m.entries[i] })
	return strings.Join(m.entries, ",")
}

// trajectory writes one motion of one joint and returns the source of its position.
func (m *motion) trajectory(n, joint int) string {
	start := 3*float64(n) + 0.1*float64(joint)
	late := m.entry("Core::DoubleGreater(inFirst=clock.outValue,Second='%v')", start+0.5)
	brake := m.entry("Core::DoubleGreater(inFirst=clock.outValue,Second='%v')", start+1.5)
	early := m.entry("Core::BooleanNot(inValue=%s.outValue)", late)
	steady := m.op("BooleanAnd", late, m.entry("Core::BooleanNot(inValue=%s.outValue)", brake))
	at := float64(n + joint)
	up := m.phase(early, func(t string) string { return m.parabola(t, 2, 0, at, start) })
	on := m.phase(steady, func(t string) string { return m.line(t, 1, at+0.25, start+0.5) })
	down := m.phase(brake, func(t string) string { return m.parabola(t, -2, 1, at+1.25, start+1.5) })
	first := m.entry("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s,inTrue=%s)", late, up, on)
	return m.entry("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s.outValue,inTrue=%s)", brake, first, down)
}

// joint writes the end of all motions of a joint: checks, messages and the actuator. It returns what failed.
func (m *motion) joint(joint int, position, failed string) string {
	before := m.entry("Core::DoublePre(inValue=%s.outValue)", position)
	step := m.op("DoubleAdd", position, m.entry("Core::DoubleMultiply(inFirst=%s.outValue,Second='-1')", before))
	speed := m.entry("Core::DoubleDivide(inFirst=%s.outValue,Second='0.001')", step)
	fast := m.entry("Core::DoubleGreater(inFirst=%s.outValue,Second='10')", speed)
	gone := m.entry("Core::DoubleIsNull(inValue=%s.outValue)", position)
	bad := m.op("BooleanOr", failed, m.op("BooleanOr", fast, gone))
	held := m.entry("Test::Snapshot(inValue=%s.outValue,inSnapshot=%s.outValue)", position, bad)
	scaled := m.op("DoubleMultiply", position, "override")
	target := m.entry("Core::DoubleSetNull(inValue=%s.outValue,inNull=%s.outValue)", scaled, bad)
	m.entry("Test::Joint(inPosition=%s.outValue,Robot='arm',Axis='%d')", target, joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='target%d')", target, joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='speed%d')", speed, joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='held%d')", held, joint)
	return bad
}

// motionNet is a net of about that many primitives: motions of a robot with six joints, one after another.
func motionNet(primitives int, fragments bool) string {
	m := &motion{fragments: fragments, random: rand.New(rand.NewPCG(5, 4))}
	m.entries = []string{"clock=Test::Clock()", "override=Core::DoubleNetcommIn(Key='override',Value='1')", "never=Core::BooleanValue()", "cancel=Cancel()"}
	m.primitives = len(m.entries)
	var position [6]string
	for n := 0; m.primitives < primitives-100; n++ {
		over := m.entry("Core::DoubleGreater(inFirst=clock.outValue,Second='%v')", 3*n)
		for j := range position {
			next := m.trajectory(n, j)
			if n > 0 {
				next = m.entry("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s.outValue,inTrue=%s.outValue)", over, position[j], next)
			}
			position[j] = next
		}
	}
	failed := "never"
	for j := range position {
		failed = m.joint(j, position[j], failed)
	}
	end := m.entry("Core::BooleanOr(inFirst=cancel.outCancel,inSecond=%s.outValue)", failed)
	return fmt.Sprintf("{%s,outTerminate=%s.outValue}", m.text(), end)
}
