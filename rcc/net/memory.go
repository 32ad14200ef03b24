package net

import (
	"errors"
	"reflect"

	"github.com/softrobot-rcc/rccd/internal/budget"
)

// Memory of a program besides its instances and what they allocate.
const (
	programBytes = 8 << 10 // of every one: what holds it together, and the memory that small objects share
	runBytes     = 96      // of a run: its function, and what that has of its own
	blockCopies  = 2       // a list that grows has room for as much again
)

// take accounts for memory. Without enough of it the net is refused.
func (c *compiler) take(kind budget.Kind, bytes int64) bool {
	if c.short == nil {
		c.short = c.opt.Memory.Take(kind, bytes)
	}
	return c.short == nil
}

// reserve accounts for the instances of all kinds, before they are made.
func (c *compiler) reserve() bool {
	bytes := int64(programBytes)
	for i := range c.kinds {
		bytes += c.kinds[i].prim.Bytes(int(c.kinds[i].n))
	}
	return c.take(budget.Primitives, bytes)
}

// takeSteps accounts for what a program executes.
func (c *compiler) takeSteps(runs, blocks int) {
	c.take(budget.Primitives, int64(runs)*runBytes+budget.Object(blockCopies*int64(blocks)*int64(reflect.TypeFor[block]().Size())))
}

// mostWarnings is how many are kept of a net for as long as it is there.
const mostWarnings = 100

// takeWarnings accounts for what the net is told and kept with.
func (c *compiler) takeWarnings(list []Problem) {
	bytes := budget.Object(blockCopies * int64(len(list)) * int64(reflect.TypeFor[Problem]().Size()))
	for i := range list {
		bytes += budget.Object(int64(len(list[i].Text))) + budget.Object(int64(len(list[i].Path)))
	}
	c.take(budget.Primitives, bytes)
}

// shortOf notes that there is not enough memory for a primitive, and reports whether that is what is wrong with it.
func (c *compiler) shortOf(err error) bool {
	var exceeded *budget.ExceededError
	if errors.As(err, &exceeded) && c.short == nil {
		c.short = exceeded
	}
	return exceeded != nil
}
