package robotics

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// builder maps a command with all that it consists of (algorithm 1 of the paper). First come the lives of all commands, with
// wires in place of what handlers will do to them, then the handlers, then the wires.
type builder struct {
	m         *mapping.Net
	lives     map[Command]*mapped
	order     []*mapped
	states    map[State]graph.Signal[bool]
	raises    map[*Raised]*raising
	externals []external
	faults    []faultKey
	cut       []cutKey
	override  graph.Signal[float64]
	end       graph.Signal[bool] // of the net, with this cycle
}

// faultKey is the variable that reports a fault.
type faultKey struct {
	key   string
	fault FaultError
}

// cutKey is the variable that reports that a command that ends by itself was cancelled on its way, as all of the net was.
type cutKey struct{ key, command string }

// mapped is the life of a command in a net: waiting, active once, over.
type mapped struct {
	of     Command
	parent *mapped

	children []*mapped // of a TransactionCommand

	start, stop, cancel graph.Wire[bool]

	active, started, cancelled graph.Signal[bool]
	ending                     graph.Signal[bool] // the last cycle in which it is active, unless it is stopped
	failed                     graph.Signal[bool] // open if it cannot fail
	completed, over            graph.Signal[bool] // when asked for
	endless                    bool               // only a cancellation is its end, or it consists of others

	starts, stops, cancels []graph.Signal[bool] // events

	partsOf []mapping.Part // of a RuntimeCommand
	faults  []mapping.Fault
}

// raising is a state with the events that raise it.
type raising struct {
	graph.Wire[bool]
	reasons []graph.Signal[bool]
}

func newBuilder(c *graph.Catalogue) *builder {
	m := mapping.New(c)
	return &builder{
		m: m, lives: map[Command]*mapped{}, states: map[State]graph.Signal[bool]{}, raises: map[*Raised]*raising{},
		override: graph.In(m.Graph, overrideKey, 1.0),
	}
}

// overrideKey is the variable that reports how fast motions pass.
const overrideKey = "override"

// root maps the command that is the net.
func (b *builder) root(c Command) *mapped {
	c = itself(c)
	users(b.m).count(c, map[Command]bool{})
	root := b.life(c, nil)
	if root == nil {
		return nil
	}
	for _, l := range b.order {
		b.handlers(l)
	}
	for _, l := range b.order {
		b.connect(l)
	}
	b.end = graph.Or(root.ending, root.isOver(b))
	b.m.Terminate(b.end)
	return root
}

// life maps a command and all that it consists of, but no handlers.
func (b *builder) life(c Command, parent *mapped) *mapped {
	if mapping.Missing(c) {
		b.m.Fail(ErrNoCommand)
		return nil
	}
	if b.lives[c] != nil {
		err := ErrTwice
		for at := parent; at != nil; at = at.parent {
			if at.of == c {
				err = ErrWithin
			}
		}
		b.m.Part(c.String()).Fail(err)
		return nil
	}
	m := b.m
	l := &mapped{of: c, parent: parent, start: graph.NewWire[bool](m.Graph), stop: graph.NewWire[bool](m.Graph), cancel: graph.NewWire[bool](m.Graph)}
	b.lives[c] = l
	b.order = append(b.order, l)
	l.active = mapping.Link[bool](m.Add("Core::Trigger").Link("inOn", l.start.Port).Link("inOff", l.stop.Port), "outActive")
	l.started = m.Latch(l.active)
	l.cancelled = m.Latch(l.cancel.Signal)
	switch c := c.(type) {
	case *RuntimeCommand:
		b.runtime(l, c)
	case *WaitCommand:
		b.wait(l, c)
	case *TransactionCommand:
		l.endless = true
		b.transaction(l, c)
	}
	return l
}

// tellCut makes the net report which commands were cut.
func (b *builder) tellCut() {
	for _, l := range b.order {
		if l.endless {
			continue
		}
		key := b.m.Key()
		graph.Publish(b.m.Graph, key, b.m.Latch(b.m.And(graph.Cancelled(b.m.Graph), l.active, graph.Rising(l.cancelled))))
		b.cut = append(b.cut, cutKey{"out" + key, l.of.String()})
	}
}

// wait ends when its time has come.
func (b *builder) wait(l *mapped, c *WaitCommand) {
	if l.endless = c.forever; l.endless {
		l.ending = b.m.And(l.active, l.cancelled)
		return
	}
	if c.time <= 0 {
		b.m.Part(c.name).Fail(ErrDuration)
	}
	since := b.m.Add("Core::Clock").Link("inActive", l.active.Port).Out("outValue")
	l.ending = b.m.And(l.active, graph.Or(b.m.Reached(graph.As[float64](since), c.time), l.cancelled))
}

// runtime connects an action with its actuator.
func (b *builder) runtime(l *mapped, c *RuntimeCommand) {
	m := b.m.Part(c.name)
	if l.ending = l.active; mapping.Missing(c.actuator) || mapping.Missing(c.action) {
		m.Fail(ErrIncomplete)
		return
	}
	x := mapping.NewContext(m, c.actuator, paramsOf(c))
	x.Active, x.Cancelled, x.Override = l.active, l.cancelled, b.override

	action := c.action.MapAction(x)
	if m.Failed() {
		return
	}
	parts, err := x.Connect(action.Flow, understood(c.actuator), converters(c))
	if err != nil {
		m.Fail(fmt.Errorf("%w: %w", ErrUnsuited, err))
		return
	}
	parts[0] = action
	done := append([]graph.Signal[bool]{l.active}, doneOf(parts...)...)
	l.endless = slices.ContainsFunc(done, func(s graph.Signal[bool]) bool { return graph.OnlyWhile(s, l.cancelled) })
	acts := c.actuator.MapActuator(x, parts[len(parts)-1].Flow)
	if x.End(done...) {
		done = done[:1] // the actuator knows
	}
	done = append(done, doneOf(acts)...)
	parts = append(parts, acts)
	l.partsOf = parts
	checkParams(x, c)

	var wrong, bearable []graph.Signal[bool]
	for _, p := range parts {
		l.faults = append(l.faults, p.Faults...)
	}
	for _, f := range l.faults {
		if !handled(c, f.Name) {
			if f.Rest {
				bearable = append(bearable, f.Is)
			} else {
				wrong = append(wrong, f.Is)
			}
			key := m.Key()
			graph.Publish(m.Graph, key, m.Latch(m.And(l.active, f.Is)))
			b.faults = append(b.faults, faultKey{"out" + key, FaultError{Command: c.name, Fault: f.Name, Of: f.Of}})
		}
	}
	if l.ending = m.And(done...); len(wrong) > 0 {
		now := m.And(l.active, graph.Or(wrong...))
		l.failed = m.Latch(now)
		l.ending = graph.Or(l.ending, now)
	}
	if len(bearable) > 0 {
		l.cancels = append(l.cancels, m.And(l.active, graph.Or(bearable...)))
		l.failed = m.Latch(m.And(l.active, graph.Or(append(wrong, bearable...)...)))
	}
}

// paramsOf returns the parameters of a command, and the defaults of its actuator behind them.
func paramsOf(c *RuntimeCommand) (all []any) {
	for _, p := range slices.Concat(c.params, c.actuator.Defaults()) {
		all = append(all, p)
	}
	return all
}

// doneOf returns signals that become true when parts are done, for parts that take longer than a cycle.
func doneOf(parts ...mapping.Part) (done []graph.Signal[bool]) {
	for _, p := range parts {
		if !p.Done.Open() {
			done = append(done, p.Done)
		}
	}
	return done
}

// handled reports whether a command reacts to a fault of its own.
func handled(c *RuntimeCommand, fault string) bool {
	return slices.ContainsFunc(c.handlers, func(h handler) bool {
		return mentions(h.state, func(s State) bool { return s == State(faultState{c, fault}) })
	})
}

// mentions reports whether a state is, or is made of, one of interest.
func mentions(s State, interest func(State) bool) bool {
	if mapping.Missing(s) {
		return false
	}
	return hashable(s) && interest(s) || slices.ContainsFunc(s.parts(), func(p State) bool { return mentions(p, interest) })
}

func hashable(s State) bool { return reflect.ValueOf(s).Comparable() }

func understood(a Actuator) []reflect.Type {
	var types []reflect.Type
	for _, f := range a.Understands() {
		types = append(types, reflect.TypeOf(f))
	}
	return types
}

// converters returns those of the actuator and of the action.
func converters(c *RuntimeCommand) (list []mapping.Converter) {
	for _, who := range []any{c.actuator, c.action} {
		if w, ok := who.(mapping.Converting); ok {
			list = append(list, w.Converters()...)
		}
	}
	return list
}

// isOver is true when the command has been active and is not any more.
func (l *mapped) isOver(b *builder) graph.Signal[bool] {
	if l.over.Open() {
		l.over = b.m.And(l.started, graph.Not(l.active))
	}
	return l.over
}

func (l *mapped) state(b *builder, is life) graph.Signal[bool] {
	switch is {
	case active:
		return l.active
	case started:
		return l.started
	case cancelled:
		return l.cancelled
	case failed:
		if l.failed.Open() {
			return b.m.False()
		}
		return l.failed
	case completed:
	}
	if l.completed.Open() {
		l.completed = graph.Or(l.ending, l.isOver(b))
		if !l.failed.Open() {
			l.completed = b.m.And(l.completed, graph.Not(l.failed))
		}
	}
	return l.completed
}

// find returns the life of a command; there is none of one that is not part of the whole.
func (b *builder) find(c Command) *mapped {
	l := b.lives[itself(c)]
	if l == nil {
		b.m.Fail(&ForeignError{c})
	}
	return l
}

// reach returns the life of a command that a handler may stop or cancel.
func (b *builder) reach(effect string, c, context Command) *mapped {
	t, isTransaction := context.(*TransactionCommand)
	if itself(c) != context && !(isTransaction && t.has(c)) {
		b.m.Fail(&EffectError{effect, c, context})
		return nil
	}
	return b.find(c)
}

func (b *builder) state(s State) graph.Signal[bool] {
	if mapping.Missing(s) {
		b.m.Fail(ErrNoState)
		return b.m.False()
	}
	if !hashable(s) {
		return s.signal(b)
	}
	if have, found := b.states[s]; found {
		return have
	}
	is := s.signal(b)
	b.states[s] = is
	return is
}

func (b *builder) raised(r *Raised) *raising {
	if b.raises[r] == nil {
		raising := &raising{Wire: graph.NewWire[bool](b.m.Graph)}
		b.raises[r] = raising
		b.m.AtEnd(func() {
			if len(raising.reasons) == 0 {
				raising.Connect(b.m.False())
				return
			}
			raising.Connect(b.m.Definite(graph.Pre(graph.Or(raising.reasons...))))
		})
	}
	return b.raises[r]
}

// handlers maps the handlers of a command.
func (b *builder) handlers(l *mapped) {
	whole := b.m
	b.m = whole.Part(l.of.String())
	defer func() { b.m = whole }()
	for _, h := range l.of.base().handlers {
		when := b.happens(h, l)
		for _, e := range h.effects {
			if e == nil {
				e = noEffect{}
			}
			e.apply(b, l.of, when)
		}
	}
}

// happens is true in cycles in which something happens to a state while the command is active.
func (b *builder) happens(h handler, l *mapped) graph.Signal[bool] {
	m, s := b.m, b.state(h.state)
	edge := func(of graph.Signal[bool], rising bool) graph.Signal[bool] {
		p := m.Add("Core::EdgeDetection").Link("inValue", of.Port).Link("inActive", l.active.Port)
		if !rising {
			p.Set("Direction", false)
		}
		return mapping.Link[bool](p, "outValue")
	}
	ever := func(of graph.Signal[bool]) graph.Signal[bool] {
		return mapping.Link[bool](m.Add("Core::Trigger").Link("inOn", of.Port).Link("inActive", l.active.Port), "outActive")
	}
	switch h.event {
	case firstEntered:
		return edge(ever(s), true)
	case left:
		return edge(s, false)
	case firstLeft:
		return edge(ever(edge(s, false)), true)
	case entered:
	}
	return edge(s, true)
}

// connect brings to a life what its parent and handlers do to it. Effects of handlers, and of the end of a cycle, come a cycle
// later, so that nothing depends on itself.
func (b *builder) connect(l *mapped) {
	stop := []graph.Signal[bool]{graph.Pre(graph.Or(append(l.stops, l.ending)...))}
	cancel := late(l.cancels)
	if p := l.parent; p == nil {
		l.start.Connect(b.m.True())
		cancel = append(cancel, graph.Cancelled(b.m.Graph))
	} else {
		start := append(b.begins(l, p), late(l.starts)...)
		if len(start) == 0 && len(p.of.(*TransactionCommand).starts) > 0 { //nolint:forcetypeassert // only transactions are parents
			b.m.Part(l.of.String()).Fail(ErrNeverStarted)
		}
		l.start.Connect(graph.Or(start...))
		stop = append(stop, p.isOver(b))
	}
	l.stop.Connect(graph.Or(stop...))
	l.cancel.Connect(graph.Or(cancel...))
}

func late(events []graph.Signal[bool]) []graph.Signal[bool] {
	if len(events) == 0 {
		return nil
	}
	return []graph.Signal[bool]{graph.Pre(graph.Or(events...))}
}
