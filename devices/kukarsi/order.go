package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// order judges telegrams by their time stamps (IPOC). They rise by the same step in every cycle, which nobody tells: in
// milliseconds, by one, or otherwise. That they fall, or rise by more than time has passed, is a session that has begun anew.
type order struct {
	newest uint64
	step   uint64 // the least one that there has been, 0 until then
	behind uint64 // the stamp of the newest telegram that came too late
	older  int    // of those in a row, each newer than the one before
}

// begin is the first telegram of a session (cycle).
func (o *order) begin(stamp uint64) { *o = order{newest: stamp} }

// since is how many cycles after the newest telegram one was made, if it was made later (cycle).
func (o *order) since(stamp uint64) (cycles int64, later bool) {
	if stamp <= o.newest || o.step == 0 {
		return 0, false
	}
	return int64(min((stamp-o.newest)/o.step, math.MaxInt32)), true
}

// resume goes on with a telegram of the same session, and returns how many were lost (cycle).
func (o *order) resume(stamp uint64) (lost uint32) {
	cycles, _ := o.since(stamp)
	*o = order{newest: stamp, step: o.step}
	return uint32(max(cycles-1, 0))
}

// olderAnew is how many telegrams that are older than another one, but come in their order, are no coincidence any more.
const olderAnew = 3

// judge looks at the next telegram, which came some cycles after the one before. After Restart nothing has changed (cycle).
func (o *order) judge(stamp uint64, cycles float64, silence int) link.Verdict {
	switch {
	case stamp == o.newest:
		return link.Verdict{Kind: link.Repeated}
	case stamp < o.newest:
		return o.fallen(stamp, silence)
	}
	by := stamp - o.newest
	step := o.step
	if step == 0 || by < step {
		step = by
	}
	if step == 0 { // it is not, as the stamps differ
		return link.Verdict{Kind: link.Garbage}
	}
	lost := by/step - 1
	if lost >= uint64(max(silence, 1)) && float64(lost) > 2*cycles {
		return link.Verdict{Kind: link.Restart}
	}
	*o = order{newest: stamp, step: step}
	return link.Verdict{Kind: link.InOrder, Lost: uint32(min(lost, math.MaxUint32))}
}

// fallen is a stamp that is older than the newest one.
func (o *order) fallen(stamp uint64, silence int) link.Verdict {
	if o.step != 0 && (o.newest-stamp)/o.step >= uint64(max(silence, 1)) {
		return link.Verdict{Kind: link.Restart}
	}
	if o.older > 0 && stamp > o.behind {
		if o.older+1 >= olderAnew {
			return link.Verdict{Kind: link.Restart}
		}
		o.older++
	} else {
		o.older = 1
	}
	o.behind = stamp
	return link.Verdict{Kind: link.Outdated}
}
