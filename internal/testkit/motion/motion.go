// Package motion writes nets as applications generate them for robot motions, for measuring.
package motion

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Net is a net for motions of a robot with six joints (§5.4.2, §5.4.3): per joint the phases of a velocity profile (§2.3),
// each a formula of small primitives, a choice between them, checks, and an actuator. The three phases of a trapezoid are
// the profile of point-to-point motions in chapter 11, the seven of a double S that of linear ones.
type Net struct {
	Name       string
	Primitives int  // about
	DoubleS    bool // for every other joint
	Fragments  bool // phases in fragments, only one of which is active, as the Robotics API writes them
}

// Motions of the sizes of table 11.2, and one without fragments, in which everything is computed in every cycle.
var (
	PTP     = Net{Name: "PTP", Primitives: 457, Fragments: true}
	Lin     = Net{Name: "LIN", Primitives: 670, DoubleS: true, Fragments: true}
	SyncLin = Net{Name: "SYNC-LIN", Primitives: 1350, DoubleS: true, Fragments: true}
	Flat    = Net{Name: "flat", Primitives: 1350}
)

// Types are the primitives that are not the same everywhere.
type Types struct {
	Clock    string
	Snapshot string
	Joint    string // with its parameters: a format for the source of the position and the number of the joint
}

// writer writes a motion.
type writer struct {
	Net
	Types
	n       int // names that are used
	entries []string
	random  *rand.Rand
}

// entry adds a named primitive or fragment and returns the name.
func (m *writer) entry(format string, args ...any) string {
	name := fmt.Sprint("n", m.n)
	m.n++
	m.entries = append(m.entries, name+"="+fmt.Sprintf(format, args...))
	return name
}

func (m *writer) value(v float64) string { return m.entry("Core::DoubleValue(Value='%v')", v) }

func (m *writer) op(kind, first, second string) string {
	return m.entry("Core::%s(inFirst=%s.outValue,inSecond=%s.outValue)", kind, first, second)
}

// polynomial is s + v·t + a/2·t² + j/6·t³ (equation 5.1, and its like in a double S), as a parser of formulas makes it, from
// a time port of the surroundings.
func (m *writer) polynomial(time string, start float64, c coefficients) string {
	t := m.entry("Core::DoubleAdd(inFirst=%s,Second='%v')", time, -start)
	sum := m.op("DoubleAdd", m.op("DoubleMultiply", m.value(c.v), t), m.value(c.s))
	power := t
	if c.a != 0 || c.j != 0 {
		power = m.op("DoubleMultiply", power, t)
		sum = m.op("DoubleAdd", m.op("DoubleMultiply", m.op("DoubleMultiply", m.value(0.5), m.value(c.a)), power), sum)
	}
	if c.j != 0 {
		power = m.op("DoubleMultiply", power, t)
		sum = m.op("DoubleAdd", m.op("DoubleMultiply", m.op("DoubleMultiply", m.value(1.0/6), m.value(c.j)), power), sum)
	}
	return sum
}

// phase writes the formula in place or in a fragment with a guard, and returns its source.
func (m *writer) phase(active string, formula func(time string) string) string {
	if !m.Fragments {
		return formula("clock.outValue") + ".outValue"
	}
	outer := m.entries
	m.entries = nil
	result := formula("parent.inTime")
	name := fmt.Sprint("f", m.n)
	fragment := fmt.Sprintf("%s={%s,outPosition=%s.outValue}(inActive=%s.outValue,inTime=clock.outValue)", name, m.mixed(), result, active)
	m.entries = append(outer, fragment)
	return name + ".outPosition"
}

// mixed joins the entries, mixed: applications write them in no particular order.
func (m *writer) mixed() string {
	m.random.Shuffle(len(m.entries), func(i, j int) { m.entries[i], m.entries[j] = m.entries[j], m.entries[i] })
	return strings.Join(m.entries, ",")
}

// coefficients are position, speed, acceleration and jerk at the beginning of a phase.
type coefficients struct{ s, v, a, j float64 }

// after returns them after a time.
func (c coefficients) after(t float64) coefficients {
	return coefficients{c.s + t*(c.v+t*(c.a/2+t*c.j/6)), c.v + t*(c.a+t*c.j/2), c.a + t*c.j, c.j}
}

// part is a phase of a profile.
type part struct{ lasts, acceleration, jerk float64 }

// Profiles begin at rest; the last phase goes on for ever.
var (
	trapezoid = []part{{0.5, 2, 0}, {1, 0, 0}, {0.5, -2, 0}}
	doubleS   = []part{{0.25, 0, 16}, {0.25, 4, 0}, {0.25, 4, -16}, {0.75, 0, 0}, {0.25, 0, -16}, {0.25, -4, 0}, {0.25, -4, 16}}
)

// trajectory writes one motion of one joint and returns its position.
func (m *writer) trajectory(profile []part, start, from float64) string {
	c := coefficients{s: from}
	position, begun := "", ""
	for i, p := range profile {
		c.a, c.j = p.acceleration, p.jerk
		over, active := "", begun
		if i < len(profile)-1 {
			over = m.entry("Core::DoubleGreater(inFirst=clock.outValue,Second='%v')", start+p.lasts)
			active = m.entry("Core::BooleanNot(inValue=%s.outValue)", over)
			if i > 0 {
				active = m.op("BooleanAnd", begun, active)
			}
		}
		source := m.phase(active, func(time string) string { return m.polynomial(time, start, c) })
		if i > 0 {
			chosen := m.entry("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s,inTrue=%s)", begun, position, source)
			source = chosen + ".outValue"
		}
		position, begun, start, c = source, over, start+p.lasts, c.after(p.lasts)
	}
	return strings.TrimSuffix(position, ".outValue")
}

// joint writes the end of all motions of a joint: checks, messages and the actuator. It returns what failed.
func (m *writer) joint(joint int, position, failed string) string {
	before := m.entry("Core::DoublePre(inValue=%s.outValue)", position)
	step := m.op("DoubleAdd", position, m.entry("Core::DoubleMultiply(inFirst=%s.outValue,Second='-1')", before))
	speed := m.entry("Core::DoubleDivide(inFirst=%s.outValue,Second='0.001')", step)
	fast := m.entry("Core::DoubleGreater(inFirst=%s.outValue,Second='10')", speed)
	gone := m.entry("Core::DoubleIsNull(inValue=%s.outValue)", position)
	bad := m.op("BooleanOr", failed, m.op("BooleanOr", fast, gone))
	held := m.entry(m.Snapshot+"(inValue=%s.outValue,inSnapshot=%s.outValue)", position, bad)
	scaled := m.op("DoubleMultiply", position, "override")
	target := m.entry("Core::DoubleSetNull(inValue=%s.outValue,inNull=%s.outValue)", scaled, bad)
	m.entry(m.Joint, target+".outValue", joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='target%d')", target, joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='speed%d')", speed, joint)
	m.entry("Core::DoubleNetcommOut(inValue=%s.outValue,Key='held%d')", held, joint)
	return bad
}

// Text is the net: motions one after another.
func (n Net) Text(types Types) string {
	m := &writer{Net: n, Types: types, random: rand.New(rand.NewPCG(5, 4))}
	m.entries = []string{"clock=" + types.Clock + "()", "override=Core::DoubleNetcommIn(Key='override',Value='1')", "never=Core::BooleanValue()", "cancel=Cancel()"}
	m.n = len(m.entries)
	var position [6]string
	const atEnd = 15 // primitives of a joint
	for k := 0; k < len(position) || m.n+len(position)*atEnd < m.Primitives; k++ {
		round, j := float64(k/len(position)), k%len(position)
		profile := trapezoid
		if m.DoubleS && j%2 == 0 {
			profile = doubleS
		}
		next := m.trajectory(profile, 3*round+0.1*float64(j), round+float64(j))
		if round > 0 {
			over := m.entry("Core::DoubleGreater(inFirst=clock.outValue,Second='%v')", 3*round)
			next = m.entry("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s.outValue,inTrue=%s.outValue)", over, position[j], next)
		}
		position[j] = next
	}
	failed := "never"
	for j := range position {
		failed = m.joint(j, position[j], failed)
	}
	end := m.entry("Core::BooleanOr(inFirst=cancel.outCancel,inSecond=%s.outValue)", failed)
	return fmt.Sprintf("{%s,outTerminate=%s.outValue}", m.mixed(), end)
}
