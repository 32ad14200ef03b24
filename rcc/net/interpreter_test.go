package net_test

import (
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// interpreter executes nets as the reference core does (§7.5): objects behind an interface, one call each, ports that
// are pointers to the values of others, each with the number of the cycle that wrote it, fragments as objects that call
// what they contain in topological order. It is what compiled programs are measured against.
type interpreter struct {
	root   unitFragment
	outs   map[outRef]any
	senses []sensor
	pres   []keeper
	acts   []actor
	arm    arm
	inbox  spec.Inbox
	board  spec.Board
	ref    *reference
	cycle  tick
}

type tick struct {
	n      uint64
	period float64
}

type unit interface {
	update(t *tick)
	self() *object
}
type (
	keeper interface{ keep(t *tick) }
	actor  interface{ act(t *tick) }
	sensor interface{ sense() }
)

// cell is an out port, an object with a name and the age of its value (§7.2).
type cell[T any] struct {
	v     T
	stamp uint64
	name  string
}

func (c *cell[T]) call(name string) { c.name = name }

func (c *cell[T]) set(t *tick, v T)  { c.v, c.stamp = v, t.n }
func (c *cell[T]) null(t *tick) bool { return c.stamp < t.n }
func (c *cell[T]) or(t *tick, null T) T {
	if c.stamp < t.n {
		return null
	}
	return c.v
}

// object is what all primitives have in common: a name, and the port inActive that every one of them accepts.
type object struct {
	name   string
	active *cell[bool]
}

func (o *object) self() *object     { return o }
func (o *object) idle(t *tick) bool { return o.active != nil && !o.active.or(t, false) }

type (
	unitFragment struct {
		object
		units []unit
	}
	unitValue[T any] struct {
		object
		v   T
		out cell[T]
	}
	binary struct {
		object
		first, second *cell[float64]
		out           cell[float64]
	}
	unitAdd      struct{ binary }
	unitMultiply struct{ binary }
	unitDivide   struct{ binary }
	unitGreater  struct {
		object
		first, second *cell[float64]
		out           cell[bool]
	}
	logical struct {
		object
		first, second *cell[bool]
		out           cell[bool]
	}
	unitAnd struct{ logical }
	unitOr  struct{ logical }
	unitNot struct {
		object
		in  *cell[bool]
		out cell[bool]
	}
	unitConditional struct {
		object
		condition           *cell[bool]
		whenTrue, whenFalse *cell[float64]
		out                 cell[float64]
	}
	unitIsNull struct {
		object
		in  *cell[float64]
		out cell[bool]
	}
	unitSetNull struct {
		object
		in   *cell[float64]
		null *cell[bool]
		out  cell[float64]
	}
	unitPre struct {
		object
		in   *cell[float64]
		out  cell[float64]
		kept float64
		has  bool
	}
	unitClock struct {
		object
		increment *cell[float64]
		reset     *cell[bool]
		t         float64
		out       cell[float64]
	}
	unitSnapshot struct {
		object
		in   *cell[float64]
		snap *cell[bool]
		held float64
		out  cell[float64]
	}
	unitJoint struct {
		object
		in       *cell[float64]
		out      cell[float64]
		arm      *arm
		axis     int
		measured float64
	}
	unitNetIn struct {
		object
		out    cell[float64]
		inbox  *spec.Inbox
		offset int
		words  [2]uint64
	}
	unitNetOut struct {
		object
		in     *cell[float64]
		board  *spec.Board
		offset int
		words  [1]uint64
	}
)

func (u *unitFragment) update(t *tick) {
	if u.idle(t) {
		return
	}
	for _, inner := range u.units {
		inner.update(t)
	}
}

func (u *unitValue[T]) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.v)
}

func (u *unitAdd) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.first.or(t, math.NaN())+u.second.or(t, math.NaN()))
}

func (u *unitMultiply) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.first.or(t, math.NaN())*u.second.or(t, math.NaN()))
}

func (u *unitDivide) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.first.or(t, math.NaN())/u.second.or(t, math.NaN()))
}

func (u *unitGreater) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, !u.first.null(t) && !u.second.null(t) && u.first.v > u.second.v)
}

func (u *unitAnd) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.first.or(t, true) && u.second.or(t, true))
}

func (u *unitOr) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.first.or(t, false) || u.second.or(t, false))
}

func (u *unitNot) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, !u.in.or(t, false))
}

func (u *unitConditional) update(t *tick) {
	if u.idle(t) {
		return
	}
	from := u.whenFalse
	if u.condition.or(t, false) {
		from = u.whenTrue
	}
	if !from.null(t) {
		u.out.set(t, from.v)
	}
}

func (u *unitIsNull) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.in.null(t))
}

func (u *unitSetNull) update(t *tick) {
	if u.idle(t) {
		return
	}
	if !u.in.null(t) && !u.null.or(t, false) {
		u.out.set(t, u.in.v)
	}
}

func (u *unitPre) update(t *tick) {
	if u.idle(t) {
		return
	}
	if u.has {
		u.out.set(t, u.kept)
	}
}
func (u *unitPre) keep(t *tick) { u.kept, u.has = u.in.v, !u.in.null(t) }
func (u *unitClock) update(t *tick) {
	if u.idle(t) {
		return
	}
	if u.reset.or(t, false) {
		u.t = 0
	}
	u.t += u.increment.or(t, 0) * t.period
	u.out.set(t, u.t)
}

func (u *unitSnapshot) update(t *tick) {
	if u.idle(t) {
		return
	}
	if !u.in.null(t) && u.snap.or(t, false) {
		u.held = u.in.v
	}
	u.out.set(t, u.held)
}
func (u *unitJoint) sense() { u.measured = u.arm.position[u.axis] }
func (u *unitJoint) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, u.measured)
}

func (u *unitJoint) act(t *tick) {
	if !u.in.null(t) {
		u.arm.position[u.axis] = u.in.v
	}
}
func (u *unitNetIn) sense() { u.inbox.Read(u.offset, u.words[:]) }
func (u *unitNetIn) update(t *tick) {
	if u.idle(t) {
		return
	}
	u.out.set(t, math.Float64frombits(u.words[1]))
}
func (u *unitNetOut) update(*tick) {}
func (u *unitNetOut) act(t *tick) {
	if !u.in.null(t) {
		u.words[0] = math.Float64bits(u.in.v)
		u.board.Write(u.offset, u.words[:])
	}
}

// newInterpreter builds the objects of a motion net.
func newInterpreter(tree *grammar.Node) *interpreter {
	i := &interpreter{outs: map[outRef]any{}, ref: newReference(tree), cycle: tick{period: period.Seconds()}}
	i.fragment(&i.root, i.ref.root)
	for _, p := range i.ref.all {
		i.connect(p)
	}
	i.guard(i.ref.root)
	for at, port := range i.outs {
		if port, ok := port.(interface{ call(name string) }); ok {
			port.call(at.port)
		}
	}
	i.inbox.Seal()
	i.board.Seal()
	return i
}

// step does a cycle.
func (i *interpreter) step() {
	i.cycle.n++
	i.inbox.Take()
	for _, s := range i.senses {
		s.sense()
	}
	i.root.update(&i.cycle)
	for _, p := range i.pres {
		p.keep(&i.cycle)
	}
	for _, a := range i.acts {
		a.act(&i.cycle)
	}
	i.board.End(i.cycle.n)
}

// fragment lists what a fragment contains, sources first.
func (i *interpreter) fragment(f *unitFragment, at *place) {
	i.outs[outRef{at, "fragment"}] = f
	done := map[*grammar.Node]bool{}
	var visit func(n *grammar.Node)
	visit = func(n *grammar.Node) {
		if done[n] {
			return
		}
		done[n] = true
		for k := range n.Args {
			if a := &n.Args[k]; a.Connected() && n.Type != "Core::DoublePre" && at.in[a.From.Name] != nil {
				visit(at.in[a.From.Name].node)
			}
		}
		f.units = append(f.units, i.unit(at.in[n.Name]))
	}
	for _, n := range at.node.Nodes {
		visit(n)
	}
}

// guard connects the ports inActive.
func (i *interpreter) guard(at *place) {
	for _, child := range at.in {
		kind := "unit"
		if child.node.Fragment {
			kind = "fragment"
			i.guard(child)
		}
		o := i.outs[outRef{child, kind}].(unit).self()
		o.name = child.path
		if s, ok := child.source("inActive"); ok {
			o.active = i.outs[s].(*cell[bool])
		}
	}
}

// unit makes an object with its out port and still without in ports.
func (i *interpreter) unit(p *place) unit {
	if p.node.Fragment {
		f := &unitFragment{}
		i.fragment(f, p)
		return f
	}
	u, port, out := i.newUnit(p)
	i.outs[outRef{p, "unit"}], i.outs[outRef{p, port}] = u, out
	if k, ok := u.(keeper); ok {
		i.pres = append(i.pres, k)
	}
	if s, ok := u.(sensor); ok {
		i.senses = append(i.senses, s)
	}
	if a, ok := u.(actor); ok {
		i.acts = append(i.acts, a)
	}
	return u
}

func (i *interpreter) newUnit(p *place) (u unit, port string, out any) {
	number := func(param, standard string) float64 {
		v, _ := strconv.ParseFloat(p.param(param, standard), 64)
		return v
	}
	switch p.node.Type {
	case "Core::DoubleValue":
		u := &unitValue[float64]{v: number("Value", "0")}
		return u, "outValue", &u.out
	case "Core::DoubleNetcommIn":
		u := &unitNetIn{inbox: &i.inbox}
		u.offset, _ = i.inbox.Add(spec.NewVar("in"+p.param("Key", ""), number("Value", "0")))
		return u, "outValue", &u.out
	case "Core::BooleanValue":
		u := &unitValue[bool]{v: p.param("Value", "false") == "true"}
		return u, "outValue", &u.out
	case "Cancel":
		u := &unitValue[bool]{}
		return u, "outCancel", &u.out
	case "Core::DoubleAdd":
		u := &unitAdd{}
		return u, "outValue", &u.out
	case "Core::DoubleMultiply":
		u := &unitMultiply{}
		return u, "outValue", &u.out
	case "Core::DoubleDivide":
		u := &unitDivide{}
		return u, "outValue", &u.out
	case "Core::DoubleGreater":
		u := &unitGreater{}
		return u, "outValue", &u.out
	case "Core::BooleanAnd":
		u := &unitAnd{}
		return u, "outValue", &u.out
	case "Core::BooleanOr":
		u := &unitOr{}
		return u, "outValue", &u.out
	case "Core::BooleanNot":
		u := &unitNot{}
		return u, "outValue", &u.out
	case "Core::DoubleConditional":
		u := &unitConditional{}
		return u, "outValue", &u.out
	case "Core::DoubleIsNull":
		u := &unitIsNull{}
		return u, "outValue", &u.out
	case "Core::DoubleSetNull":
		u := &unitSetNull{}
		return u, "outValue", &u.out
	case "Core::DoublePre":
		u := &unitPre{}
		return u, "outValue", &u.out
	case "Test::Clock":
		u := &unitClock{}
		return u, "outValue", &u.out
	case "Test::Snapshot":
		u := &unitSnapshot{held: number("Value", "0")}
		return u, "outValue", &u.out
	case "Test::Joint":
		u := &unitJoint{arm: &i.arm, axis: int(number("Axis", "0"))}
		return u, "outMeasured", &u.out
	case "Core::DoubleNetcommOut":
		u := &unitNetOut{board: &i.board}
		u.offset, _ = i.board.Add(spec.NewVar("out"+p.param("Key", ""), 0.0))
		return u, "", nil
	}
	panic("no unit for " + p.node.Type)
}

// connect gives an object its sources; an open port points to a constant.
func (i *interpreter) connect(p *place) {
	number := func(port, param, standard string) *cell[float64] {
		if s, ok := p.source(port); ok {
			return i.outs[s].(*cell[float64])
		}
		v, _ := strconv.ParseFloat(p.param(param, standard), 64)
		return &cell[float64]{v: v, stamp: math.MaxUint64, name: param}
	}
	truth := func(port, param, standard string) *cell[bool] {
		if s, ok := p.source(port); ok {
			return i.outs[s].(*cell[bool])
		}
		return &cell[bool]{v: p.param(param, standard) == "true", stamp: math.MaxUint64, name: param}
	}
	switch u := i.outs[outRef{p, "unit"}].(type) {
	case *unitAdd:
		u.first, u.second = number("inFirst", "First", "0"), number("inSecond", "Second", "0")
	case *unitMultiply:
		u.first, u.second = number("inFirst", "First", "0"), number("inSecond", "Second", "0")
	case *unitDivide:
		u.first, u.second = number("inFirst", "First", "0"), number("inSecond", "Second", "0")
	case *unitGreater:
		u.first, u.second = number("inFirst", "First", "0"), number("inSecond", "Second", "0")
	case *unitAnd:
		u.first, u.second = truth("inFirst", "First", "true"), truth("inSecond", "Second", "true")
	case *unitOr:
		u.first, u.second = truth("inFirst", "First", "false"), truth("inSecond", "Second", "false")
	case *unitNot:
		u.in = truth("inValue", "Value", "false")
	case *unitConditional:
		u.condition = truth("inCondition", "", "false")
		u.whenTrue, u.whenFalse = number("inTrue", "True", "0"), number("inFalse", "False", "0")
	case *unitIsNull:
		u.in = number("inValue", "", "0")
	case *unitSetNull:
		u.in, u.null = number("inValue", "", "0"), truth("inNull", "", "false")
	case *unitPre:
		u.in = number("inValue", "", "0")
	case *unitClock:
		u.increment, u.reset = number("inIncrement", "Increment", "1"), truth("inReset", "", "false")
	case *unitSnapshot:
		u.in, u.snap = number("inValue", "", "0"), truth("inSnapshot", "", "false")
	case *unitJoint:
		u.in = number("inPosition", "", "0")
	case *unitNetOut:
		u.in = number("inValue", "", "0")
	}
}

// value returns what stands in an out port, nil for null.
func (i *interpreter) value(o outRef) any {
	switch c := i.outs[o].(type) {
	case *cell[bool]:
		if !c.null(&i.cycle) {
			return c.v
		}
	case *cell[float64]:
		if !c.null(&i.cycle) {
			return c.v
		}
	}
	return nil
}
