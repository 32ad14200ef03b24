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

func cancels() *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: "Cancel", Extension: extension, Doc: "tells whether cancellation of the net has been requested",
		Examples: []spec.Example{{Doc: "nobody asks", Out: series{"outCancel": {"false"}}}},
	}, spec.Kernels[cancel]{Run: tellCancel})
}
