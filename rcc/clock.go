package rcc

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// ClockInfo tells which time the core lives in. Speed is that of virtual time: 0 while it stands still, +Inf when it
// runs as fast as it can be computed.
type ClockInfo struct {
	Now     time.Time
	Virtual bool
	Speed   float64
}

// Clock tells the time of the core's clock, and what kind of clock it is.
func (c *Core) Clock() ClockInfo {
	info := ClockInfo{Now: c.Now(), Speed: 1}
	if v, ok := c.cfg.Clock.(*rt.Virtual); ok {
		info.Virtual, info.Speed = true, v.Speed()
	}
	return info
}

// Advance lets virtual time that stands still go on by d. It returns when all that was due has been done and can be
// observed.
func (c *Core) Advance(ctx context.Context, d time.Duration) error {
	v, err := c.virtual()
	if err != nil {
		return err
	}
	if v.Speed() != 0 {
		return refuse(ErrState, "clock", "virtual time runs by itself; set its speed to 0 first")
	}
	if err := v.Advance(ctx, d); err != nil {
		return err
	}
	return c.Settle(ctx)
}

// SetSpeed lets virtual time run at a multiple of real time, stand still (0) or run as fast as possible (+Inf).
func (c *Core) SetSpeed(factor float64) error {
	v, err := c.virtual()
	if err != nil {
		return err
	}
	if !(factor >= 0) {
		return refuse(ErrValue, "clock", "%v is not a speed", factor)
	}
	v.SetSpeed(factor)
	return nil
}

func (c *Core) virtual() (*rt.Virtual, error) {
	v, ok := c.cfg.Clock.(*rt.Virtual)
	if !ok {
		return nil, refuse(ErrState, "clock", "only virtual time can be changed")
	}
	return v, nil
}
