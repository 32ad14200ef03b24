package core

import "github.com/softrobot-rcc/rccd/rcc/spec"

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

func requests() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Cancel", Extension: extension, Doc: "tells whether cancellation of the net has been requested",
			Examples: []spec.Example{{Doc: "nobody asks", Out: series{"outCancel": {"false"}}}},
		}, spec.Kernels[cancel]{Run: tellCancel}),
		spec.Declare(spec.Decl{
			Name: "Takeover", Extension: extension, Doc: "tells whether another net is to start when this one has come to its own end",
			Examples: []spec.Example{{Doc: "nobody follows", Out: series{"outTakeover": {"false"}}}},
		}, spec.Kernels[takeover]{Run: tellTakeover}),
	}
}
