package net

import (
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Program is a compiled net, with everything allocated and linked.
//
// The methods are called in the cycle, by one thread, in the order Sense, Run, Act, Terminates.
type Program struct {
	Period     time.Duration
	Primitives int               // executable primitives, fragments not counted
	Shape      uint64            // the same for nets of the same primitives in the same order, whatever their parameters are
	Types      []*spec.Primitive // of all primitives, also of those that are written as nets
	Resources  []device.Resource // must be owned to run
	Buttons    []*device.Button  // to be released when the net has ended
	Inbox      *spec.Inbox
	Board      *spec.Board
	Refusals   *spec.Refusals // nil when not wanted
	Markers    *Probe         // of ports that are always recorded; nil without such ports
	Warnings   []Problem      // with which the net can run
	Outs       []RootPort     // out ports of the root fragment; with Options.Once only

	sense, run, act []block
	places          places
	terminate       *spec.Out[bool]  // root port outTerminate
	fail            *spec.Out[int32] // root port outFail of dialect 1, nil without
}

// block is a row of runs of equal primitives under one guard, with the blocks inside it behind it. A row is a loop of its
// own: from one run to the next there is nothing to decide.
type block struct {
	guard *spec.Out[bool] // the block is skipped while this is not true; none for a block that always runs
	runs  []func(cy *spec.Cycle)
	inner int // blocks behind this one that are skipped with it
}

// NewProgram makes a program of plain functions, any of which may be nil, for callers that run programs without a net.
// Inbox and Board are empty; the caller may replace them before the first cycle.
func NewProgram(period time.Duration, sense, run, act func(*spec.Cycle), terminate *spec.Out[bool]) *Program {
	p := &Program{Period: period, Inbox: new(spec.Inbox), Board: new(spec.Board), terminate: terminate}
	p.sense, p.run, p.act = function(sense), function(run), function(act)
	p.Inbox.Seal()
	p.Board.Seal()
	return p
}

func function(f func(*spec.Cycle)) []block {
	if f == nil {
		return nil
	}
	return []block{{runs: []func(*spec.Cycle){f}}}
}

// Sense takes new messages and lets all sensors read their devices (phase 1).
func (p *Program) Sense(cy *spec.Cycle) {
	p.Inbox.Take()
	execute(p.sense, cy)
}

// Run evaluates the net (phase 2).
func (p *Program) Run(cy *spec.Cycle) { execute(p.run, cy) }

// Act hands commands to the devices, publishes the net's variables (phase 3) and keeps the values of recorded ports.
func (p *Program) Act(cy *spec.Cycle) {
	execute(p.act, cy)
	if r := p.Refusals; r != nil {
		r.Tell(p.Board)
	}
	p.Board.Tick(cy.Due)
	p.Board.End(cy.N)
	if p.Markers != nil {
		p.Markers.Keep(cy)
	}
}

// Refused is the failure code of a net that ends because a device refuses its set-point.
const Refused = -1

// Terminates reports, after a cycle, whether the net wants to end, and its failure code.
func (p *Program) Terminates(cy *spec.Cycle) (end bool, failure int32) {
	if p.fail != nil && p.fail.Current(cy) {
		failure = p.fail.V
	}
	if r := p.Refusals; r != nil && r.Ends() {
		return true, Refused
	}
	return p.terminate != nil && p.terminate.Current(cy) && p.terminate.V, failure
}

func execute(blocks []block, cy *spec.Cycle) {
	for i := uint(0); i < uint(len(blocks)); i++ { // unsigned: no check of bounds is left
		b := &blocks[i]
		if b.guard == nil || b.guard.Current(cy) && b.guard.V {
			for _, run := range b.runs {
				run(cy)
			}
		} else if b.inner > 0 { // mostly none, and then the next block is known before this one has been read
			i += uint(b.inner)
		}
	}
}
