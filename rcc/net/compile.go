package net

import (
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Options configure the compilation of a net.
type Options struct {
	Name       string // of the net, for messages
	Period     time.Duration
	Catalogue  *spec.Catalogue
	Host       spec.Host
	Stop       *device.Stop // that the net may press
	Limits     Limits
	Record     *Recording                // nil: nothing is recorded
	Memory     *budget.Account           // of the net; asked before memory is taken; nil when memory is not accounted for
	Here       func(address string) bool // as spec.Env
	EndRefused bool                      // the net ends when a device refuses a set-point
	Once       bool                      // for a single cycle without effect: see Program.Evaluate
}

// Limits bound what a net may cost. A zero field stands for the one of DefaultLimits.
type Limits struct {
	Primitives int // and fragments
	Depth      int // of nested fragments and anonymous nodes
	Guards     int // that are nested: fragments with inActive
	Steps      int // of a cycle: runs, and their blocks
	Problems   int // that are reported; the rest are only counted
}

// DefaultLimits are generous for generated nets.
var DefaultLimits = Limits{Primitives: 100_000, Depth: 1000, Guards: 100, Steps: 1_000_000, Problems: 100}

func (l Limits) orDefault() Limits {
	choose := func(limit *int, standard int) {
		if *limit <= 0 {
			*limit = standard
		}
	}
	choose(&l.Primitives, DefaultLimits.Primitives)
	choose(&l.Depth, DefaultLimits.Depth)
	choose(&l.Guards, DefaultLimits.Guards)
	choose(&l.Steps, DefaultLimits.Steps)
	choose(&l.Problems, DefaultLimits.Problems)
	return l
}

// Compile makes a program of a net. The error is a *Rejection with all mistakes of the net, or a *budget.ExceededError when
// there is not enough memory.
func Compile(tree *grammar.Node, opt Options) (*Program, error) {
	c := newCompiler(opt)
	return c.compile(tree)
}

// compiler is the state of one compilation. Instances, fragments and the rest refer to each other by index.
type compiler struct {
	opt Options
	problems
	warnings problems

	// flatten.go
	seq       int32
	kinds     []kind
	kindOf    map[*spec.Primitive]int32
	instances []instance
	fragments []fragment
	names     names
	types     types
	inline    map[*grammar.Node]ref
	written   []*spec.Primitive // types whose nets have been written out, each once

	// link.go
	unheeded []link // of root ports with a value of another type, which count as open

	links []link    // by in port, the ports of an instance one after another
	given []*string // by parameter, likewise: the value that the text of the net has for it, nil for none
	ports []port
	trail []int32

	// order.go
	conditions  []condition
	conditionOf map[condition]int32
	scopes      []scope
	graph       graph
	constants   []int32 // folded instances, each behind those that it needs
	sequence    []int32 // instances in the order of execution, the constants before them

	// build.go
	late []lateCell

	recorded []recorded // record.go
	acts     []bool     // by instance: has an effect outside the net; with Options.Once only
	short    error      // why there is not enough memory
}

func newCompiler(opt Options) *compiler {
	opt.Limits = opt.Limits.orDefault()
	return &compiler{opt: opt, problems: problems{limit: opt.Limits.Problems}, warnings: problems{limit: min(opt.Limits.Problems, mostWarnings)}}
}

func (c *compiler) compile(tree *grammar.Node) (*Program, error) {
	if c.flatten(tree) {
		c.resolve()
		c.guard()
		c.order()
		var program *Program
		if c.reserve() {
			c.allocate()
			program = c.build()
		}
		switch {
		case c.short != nil:
			return nil, c.short
		case len(c.list) == 0:
			return program, nil
		}
	}
	return nil, c.rejection(c.opt.Name)
}

// rejection returns what is wrong, nil if nothing.
func (c *compiler) rejection(net string) error {
	if len(c.list) == 0 {
		return nil
	}
	return &Rejection{Net: net, Problems: c.sorted("problems"), Warnings: c.warnings.sorted("warnings")}
}
