package robotics

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Nets report faults of joints as one word. Which joint it was, and which limit, the device remembers: it is asked when the command has
// ended, as the cycle has no time for that.

// explain asks devices why they did not go on.
func (h *Handle) explain() {
	if !h.failed {
		return
	}
	h.runtime.models.forget() // one may be another device by now
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(h.runtime.life, patience)
	defer cancel()
	asked := map[string]bool{}
	for _, name := range []string{FaultRefused, FaultIllegal, FaultFailed} { // the first one explains it
		for _, f := range h.faults {
			if f.Fault == name && !asked[f.Of] {
				asked[f.Of] = true
				f.Why = h.why(ctx, f.Of)
			}
		}
	}
}

// why returns what a device says of the command. If the device cannot be asked, the fault is still reported.
func (h *Handle) why(ctx context.Context, device string) string {
	if slices.ContainsFunc(h.program.joints, func(j Jointed) bool { return j.Device() == device }) {
		refusals, _ := h.net.Refusals(ctx, device)
		var all []string
		for _, r := range refusals {
			all = append(all, "joint "+r.Joint+": "+r.Reason)
		}
		if all != nil {
			return strings.Join(all, "; ")
		}
		cause, _ := h.runtime.daemon.NotReady(ctx, device) // what others were refused is not why
		return cause
	}
	cause, _ := h.runtime.daemon.Cause(ctx, device)
	return cause
}
