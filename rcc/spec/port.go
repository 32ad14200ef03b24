package spec

import "github.com/softrobot-rcc/rccd/rcc/device"

// Cycle describes the cycle that a kernel runs in. Kernels read it, the scheduler writes it.
type Cycle struct {
	N      uint64  // cycle of the net, from 1; a port is current when it was stamped with it
	Time   int64   // logical time of the cycle: Unix time of the net's first tick + (N-1) periods, in ns
	Due    int64   // Unix time of the tick: including ticks that the net has missed since it began, in ns
	Wall   int64   // physical Unix time at which the tick began, in ns
	Period float64 // s
	Cancel bool    // cancellation of the net has been requested

	Takeover bool // another net starts at the end of this cycle
}

// Instant returns the instant of a command to a device (cycle).
func (c *Cycle) Instant() device.Instant {
	return device.Instant{Time: c.Due, Missed: c.Due - c.Time, Period: c.Period, Cycle: c.N}
}

// Out is an out port with its value. It belongs to the primitive that declares it; in ports of others point to it.
// A port that was not set in the current cycle is null.
//
// The port of an array, Out[[]E], gets memory of its length in Init. In the cycle the elements of V are written in place
// and Touch makes them current, or SetElements does both.
type Out[T any] struct {
	V     T
	stamp uint64
}

// always stamps constants: they are current in every cycle.
const always = ^uint64(0)

// Set gives the port its value in this cycle (cycle). It must not be used for arrays and matrices: it would store a
// pointer to memory of another instance. The checker of the cycle finds that.
func (p *Out[T]) Set(cy *Cycle, v T) {
	p.V = v
	p.stamp = cy.N
}

// Touch makes the value in V current (cycle): for arrays, whose elements are written in place.
func (p *Out[T]) Touch(cy *Cycle) { p.stamp = cy.N }

// SetElements copies elements to the port of an array, as many as both have, and makes it current (cycle).
func SetElements[E any](p *Out[[]E], cy *Cycle, from []E) {
	copy(p.V, from)
	p.stamp = cy.N
}

// Current reports whether the port has a value in this cycle (cycle).
func (p *Out[T]) Current(cy *Cycle) bool { return p.stamp >= cy.N }

// In is an in port: where its value comes from. An open port with a default reads that default in every cycle, an open
// port without is always null.
type In[T any] struct {
	reader[T]
}

// Get returns the value and whether there is one in this cycle (cycle).
func (p *In[T]) Get(cy *Cycle) (T, bool) { return p.from.V, p.from.stamp >= cy.N }

// Or returns the value, or the argument null when there is none (cycle).
func (p *In[T]) Or(cy *Cycle, null T) T {
	if p.from.stamp >= cy.N {
		return p.from.V
	}
	return null
}

// Ref returns a pointer to the value, or nil when there is none in this cycle (cycle). The value may only be read.
func (p *In[T]) Ref(cy *Cycle) *T {
	if p.from.stamp >= cy.N {
		return &p.from.V
	}
	return nil
}

// Constant reports whether the value is the same in every cycle, because it depends only on constants (cycle).
func (p *In[T]) Constant() bool { return p.from.stamp == always }

// Source returns a pointer to the place of the value, for Init to read the length of an array (load). Instances are
// initialized before those that read them, except across a Pre: behind a Pre, and on an open port, the length is not
// known.
func (p *In[T]) Source() *T { return &p.from.V }

// StandIn gives an open port a value in every cycle, which Init makes of several parameters (load). A port with a
// default does not need it.
func (p *In[T]) StandIn(env *Env, v T) {
	if constants := constantsOf[T](env); p.from == constants.null() {
		p.from = constants.make()
		*p.from = Out[T]{V: v, stamp: always}
	}
}

// Null reports whether there is no value in this cycle (cycle).
func (p *In[T]) Null(cy *Cycle) bool { return p.from.stamp < cy.N }

// InOr is an in port whose default also replaces null, as Boolean operators and resets need it. It always has a value. If
// no parameter changes the default, In and Or do the same in half the memory.
type InOr[T any] struct {
	reader[T]
	null T
}

// Get returns the value of the port, or its default (cycle).
func (p *InOr[T]) Get(cy *Cycle) T {
	if p.from.stamp >= cy.N {
		return p.from.V
	}
	return p.null
}

// Operand is an in port of arithmetic, maths and comparisons. The parameter of the same name replaces null when the text of
// the net gives it: older clients always write it, and rely on a sum that begins in the first cycle. Otherwise null is NaN if
// the type has one (§7.3.5).
type Operand[T any] struct {
	reader[T]
	null *Out[T] // what stands for null; never current when the net gives nothing
}

// Get returns the value, or the net's replacement of null, and whether there is either (cycle).
func (p *Operand[T]) Get(cy *Cycle) (T, bool) {
	if p.from.stamp >= cy.N {
		return p.from.V, true
	}
	return p.null.V, p.null.stamp >= cy.N
}

// Or returns the value, or its replacement for null: that of the net, or the NaN of a double (cycle).
func (p *Operand[T]) Or(cy *Cycle) T {
	if p.from.stamp >= cy.N {
		return p.from.V
	}
	return p.null.V
}
