package core

import (
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// cancel is §7.3.1: the request to cancel the net (§5.3.3).
type cancel struct {
	Cancel spec.Out[bool] `rcc:"outCancel" doc:"true once cancellation of the net has been requested"`
}

func tellCancel(run []cancel, cy *spec.Cycle) {
	for i := range run {
		run[i].Cancel.Set(cy, cy.Cancel)
	}
}

// takeover is the same for a net that is to follow (older clients).
type takeover struct {
	Takeover spec.Out[bool] `rcc:"outTakeover" doc:"true once another net has been scheduled to start at the end of this one"`
}

func tellTakeover(run []takeover, cy *spec.Cycle) {
	for i := range run {
		run[i].Takeover.Set(cy, cy.Takeover)
	}
}

// emergency presses the emergency stop of the cell. Whether the net asks for it is among its values as well.
type emergency struct {
	Stop spec.In[bool] `rcc:"inEStop" required:"true" doc:"true asks for an emergency stop; null does, too, as a signal that is lost must"`

	board  *spec.Board
	button *device.Button
	offset int
	wish   *wish
	words  []uint64
}

// wish is that of all emergency primitives of a net: one of them is enough.
type wish struct {
	cycle uint64
	stop  bool
}

type keyOfWish struct{}

func (p *emergency) Init(env *spec.Env) (err error) {
	v := spec.NewVar(spec.EmergencyStop, false)
	v.Report = false
	p.button = env.Button()
	p.wish, p.board, p.words = spec.Shared[wish](env, keyOfWish{}), env.Board, slices.Clone(v.Initial)
	p.offset, err = env.Board.Add(v)
	return err
}

func ask(run []emergency, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		w, stop := p.wish, p.Stop.Or(cy, true)
		p.button.Press(stop)
		w.stop = w.stop && w.cycle == cy.N || stop
		w.cycle = cy.N
		value.Bool.Put(p.words, &w.stop)
		p.board.Write(p.offset, p.words)
	}
}

func requests() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Cancel", Extension: extension, Doc: "reports whether cancellation of the net has been requested",
			Examples: []spec.Example{{Doc: "nobody asks", Out: series{"outCancel": {"false"}}}},
		}, spec.Kernels[cancel]{Run: tellCancel}),
		spec.Declare(spec.Decl{
			Name: "Takeover", Extension: extension, Doc: "reports whether another net is to start when this one has come to its own end",
			Examples: []spec.Example{{Doc: "nobody follows", Out: series{"outTakeover": {"false"}}}},
		}, spec.Kernels[takeover]{Run: tellTakeover}),
		spec.Declare(spec.Decl{
			Name: "EStop", Extension: extension, Doc: "asks for an emergency stop while a signal is true; a net that has ended does not ask",
			Examples: []spec.Example{
				{
					Doc: "a signal that is lost stops, too", In: series{"inEStop": {"false", "true", "false", "null"}},
					Out: series{spec.EmergencyStop: {"false", "true", "false", "true"}},
				},
				{Doc: "no signal", Reject: "inEStop must be connected"},
			},
		}, spec.Kernels[emergency]{Act: ask}),
	}
}
