package graph

import "sync"

// rule is what the optimiser knows of a type of primitives beyond its declaration. It holds for all inputs, null, NaN and -0
// included, as the daemon's examples, its random nets and mutants of the rules show (make mutants).
type rule struct {
	// total: the out ports are never null in a cycle in which it runs, whatever of its in ports is.
	total bool
	// make is what an out port can be, now or by what came in earlier, as long as it runs. It grows with the facts of the in ports. Nil: everything.
	make func(s *facts, p *Primitive, out int) fact
	// choice is what it hands on in a cycle, of primitives that have no state and look at nothing but null, true and false.
	choice func(p *Primitive, t *trial) token
	// commutes: with its first two in ports, and the first two parameters, which stand in for them, exchanged it gives the same bits.
	commutes bool
	neutral  []neutral
}

// neutral says that an in port with a certain value makes the primitive hand on what another in port says, bit by bit: also -0,
// infinities and NaN. The primitive decides what null becomes, and so the other port must never be null. Rotations and frames
// have no such rule: to turn by nothing adds zeros, which makes 0 of -0, and NaN of infinities.
type neutral struct {
	in, other int
	value     string
}

// ruleOf returns the rule of a type, or nil.
func ruleOf(d *Declaration) *rule {
	if !d.standard() {
		return nil
	}
	return rules()[d.Name]
}

// standard reports whether the type is the daemon's own. A user's type of the same name is another one.
func (d *Declaration) standard() bool { return Standard().Lookup(d.Name) == d }

var rules = sync.OnceValue(func() map[string]*rule {
	all := map[string]*rule{}
	for name, f := range formulas {
		all[name] = &rule{total: f.total, make: f.fact}
	}
	addGeneric(all)
	addLogic(all)
	for _, name := range []string{"Core::BooleanAnd", "Core::BooleanOr", "Core::DoubleAdd", "Core::DoubleMultiply", "Core::DoubleMin", "Core::DoubleMax", "Core::IntAdd", "Core::IntMultiply", "Core::IntMin", "Core::IntMax", "Core::IntEquals", "Core::DoubleEquals"} {
		all[name].commutes = true
	}
	addNeutral(all)
	for _, name := range neverNull {
		if all[name] == nil {
			all[name] = &rule{}
		}
		all[name].total = true
	}
	return all
})

// neverNull are types whose out ports have a value in every cycle in which they run, whatever comes in.
var neverNull = []string{
	"Cancel", "Takeover", "Core::CycleTime", "Core::TimeNet", "Core::TimeWall", "Core::Clock", "Core::BooleanLastN", "Core::BooleanHistory",
	"Core::CubicBezier", "Core::DoubleBezier", "Core::Lerp",
}

// scalars are the types that have the primitives of §7.3.2.
var scalars = []Type{Bool, Int, Double, Vector, Rotation, Frame, Twist, Wrench}

func addGeneric(all map[string]*rule) {
	for _, t := range scalars {
		family := t.family()
		all[family+"Value"] = &rule{total: true, make: func(_ *facts, p *Primitive, _ int) fact {
			return fact{many: one, value: p.param(0)}
		}}
		all[family+"Conditional"] = &rule{make: chosen, choice: choose}
		all[family+"SetNull"] = &rule{make: chosen, choice: takeAway}
		all[family+"IsNull"] = &rule{make: chosen, choice: isNull}
		all[family+"Pre"] = &rule{make: delayed}
		all[family+"Snapshot"] = &rule{make: held}
		all[family+"NetcommIn"] = &rule{make: written}
	}
	all["Core::TimePre"] = &rule{make: delayed}
}

// delayed is §7.3.2 TPre: what came in in an earlier cycle in which it ran; null in the first one, after a reset, and after cycles in
// which it did not run.
func delayed(s *facts, p *Primitive, _ int) fact {
	f := s.at(p, 0)
	f.null = true
	return f
}

// held is §7.3.2 TSnapshot: its parameter, also after a reset, or what came in in a cycle, this or an earlier one, in which it
// ran and inSnapshot was true; null there counts as false.
func held(s *facts, p *Primitive, _ int) fact {
	const value, snapshot = 0, 1
	f := fact{many: one, value: p.param(0)}
	if s.at(p, snapshot).mayBe(yes) {
		f.add(s.at(p, value))
	}
	return f
}

// written is §7.6.1 TNetcommIn: the value is always there, the time of the last write is not.
func written(_ *facts, p *Primitive, out int) fact {
	return fact{many: several, null: p.decl.Out[out].Name != outValue}
}

func addLogic(all map[string]*rule) {
	for name, choice := range map[string]func(p *Primitive, t *trial) token{
		"Core::BooleanAnd": conjunction, "Core::BooleanOr": disjunction, "Core::BooleanNot": negation,
	} {
		all[name] = &rule{total: true, make: chosen, choice: choice}
	}
	all["Core::EdgeDetection"] = &rule{make: func(s *facts, p *Primitive, _ int) fact {
		// Before the first cycle and after a reset the value is false, and null is not a change: without a true there is no edge, up or
		// down.
		return onlyIf(s.at(p, 0).mayBe(yes))
	}}
	all["Core::Trigger"] = &rule{make: func(s *facts, p *Primitive, _ int) fact {
		on := s.at(p, 0) // without it the trigger is never switched on, also not by its reset
		return onlyIf(on.mayBe(yes) || on.null && p.param(0) == yes)
	}}
}

// onlyIf returns a signal that has a value in every cycle, and is true in some only if it may be.
func onlyIf(may bool) fact {
	if may {
		return fact{many: several}
	}
	return fact{many: one, value: no}
}

func addNeutral(all map[string]*rule) {
	const first, second = 0, 1
	either := func(name, value string) {
		all[name].neutral = []neutral{{first, second, value}, {second, first, value}}
	}
	either("Core::DoubleAdd", "-0") // 0 makes 0 of -0
	either("Core::DoubleMultiply", "1")
	either("Core::IntAdd", "0")
	either("Core::IntMultiply", "1")
	for _, name := range []string{"Core::DoubleDivide", "Core::IntDivide", "World::VectorScale"} {
		all[name].neutral = []neutral{{second, first, "1"}}
	}
}
