package rcc

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// ClockInfo describes the time of the core. Speed is that of virtual time: 0 while it stands still, +Inf when it
// runs as fast as it can be computed.
type ClockInfo struct {
	Now     time.Time
	Virtual bool
	Speed   float64
}

// Clock is the clock of a core.
type Clock struct{ *ground }

// Info returns the time of the core's clock, and its kind.
func (clk *Clock) Info() ClockInfo {
	info := ClockInfo{Now: clk.Now(), Speed: 1}
	if v, ok := clk.cfg.Clock.(*rt.Virtual); ok {
		info.Virtual, info.Speed = true, v.Speed()
	}
	return info
}

// Now returns the time of the core's clock.
func (clk *Clock) Now() time.Time { return time.Unix(0, clk.unixNow()) }

// Advance moves virtual time that stands still forward by d. It returns when everything that was due has been done
// and can be observed.
func (clk *Clock) Advance(ctx context.Context, d time.Duration) error {
	v, err := clk.virtual()
	if err != nil {
		return err
	}
	if v.Speed() != 0 {
		return refuse(ErrState, "clock", "virtual time runs by itself; set its speed to 0 first")
	}
	if err := v.Advance(ctx, d); err != nil {
		return err
	}
	return clk.sched.Settle(ctx)
}

// SetSpeed lets virtual time run at a multiple of real time, stand still (0) or run as fast as possible (+Inf).
func (clk *Clock) SetSpeed(factor float64) error {
	v, err := clk.virtual()
	if err != nil {
		return err
	}
	if !(factor >= 0) {
		return refuse(ErrValue, "clock", "%v is not a speed", factor)
	}
	v.SetSpeed(factor)
	return nil
}

func (clk *Clock) virtual() (*rt.Virtual, error) {
	v, ok := clk.cfg.Clock.(*rt.Virtual)
	if !ok {
		return nil, refuse(ErrState, "clock", "only virtual time can be changed")
	}
	return v, nil
}
