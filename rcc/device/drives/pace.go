package drives

import "github.com/softrobot-rcc/rccd/rcc/device/ecat"

// pace is when the drive takes what is written. Its cycle may be some of the bus: then it gets a new target in the last one
// before its own SYNC0.
type pace struct {
	clocked      bool  // it has SYNC0
	cycle, shift int64 // ns
	made         int64 // time of the SYNC0, or instant, that something was made for last
	left         int64 // cycles of the bus, without a clock
}

// beat is what a cycle of the bus is to the drive.
type beat struct {
	due     bool  // something new is to be written
	blind   bool  // the bus has no clock, and the drive needs one
	instant int64 // at which the drive takes it
	missed  int64 // cycles of the drive since the one before, for which nothing was made
}

// next returns which beat a cycle of the bus is (cycle).
func (p *pace) next(at *ecat.Moment) beat {
	if !p.clocked || at.Sync == 0 {
		return p.free(at)
	}
	// The grids of bus and drive begin at multiples of their cycles, that of the bus with its own shift.
	next := at.System + p.cycle
	if at.Period > 0 && p.cycle > 0 {
		phase := (at.System - at.SyncTime%at.Period - p.shift) % p.cycle
		if phase < 0 {
			phase += p.cycle
		}
		next -= phase
	}
	if next == p.made || next-at.System > at.Period {
		return beat{}
	}
	b := beat{due: true, instant: at.Sync + next - at.SyncTime, missed: p.missed(next)}
	p.made = next
	return b
}

// free returns the beat of a drive that takes outputs as they come, or that waits for a clock.
func (p *pace) free(at *ecat.Moment) beat {
	if p.left--; p.left > 0 {
		return beat{}
	}
	if at.Period > 0 {
		p.left = p.cycle / at.Period
	}
	b := beat{due: true, blind: p.clocked, instant: at.Now + p.cycle}
	if !p.clocked {
		b.missed = p.missed(at.Now)
		p.made = at.Now
	}
	return b
}

func (p *pace) missed(now int64) int64 {
	if p.made == 0 || p.cycle <= 0 {
		return 0
	}
	return max((now-p.made+p.cycle/2)/p.cycle-1, 0)
}

// restart is called after the bus has stood still (cycle).
func (p *pace) restart() { p.made, p.left = 0, 0 }
