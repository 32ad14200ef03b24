package instep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// Sample is what was recorded of an instant.
type Sample struct {
	Time     float64 // since the net was started, s
	Distance float64 // of the flanges, by how much it differs from that at the start, m
	Moved    float64 // how far the flange of the LWR is from where it was, m
}

// interval is the time between two samples: that of the cameras of §11.2.1.
const interval = 4 * time.Millisecond

// Ahead makes the robots move in step: what the controller of the KR takes longer than that of the LWR.
const Ahead = 5 * time.Millisecond

// Run moves the robots, and returns what was recorded. The set-points of the KR are taken to be for an instant that is ahead of
// its telegrams.
func Run(ctx context.Context, ahead time.Duration) (samples []Sample, err error) {
	c, err := newCell(ahead)
	if c == nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.core.Close(ctx)) }()
	if err != nil {
		return nil, err
	}
	if err := c.wait(ctx, c.operational); err != nil {
		return nil, err
	}
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: net(), Period: cycle})
	if err != nil {
		return nil, err
	}
	if problems := n.Problems(); len(problems) > 0 {
		return nil, fmt.Errorf("the net is rejected: %v", problems)
	}
	if err := n.Start(ctx); err != nil {
		return nil, err
	}
	began := c.now
	err = c.wait(ctx, func() error {
		if e, ended := n.Ended(); !ended || e.Cause != sched.Terminated {
			return fmt.Errorf("the net has not ended by itself: %v", n.State())
		}
		return nil
	})
	return c.samples(began), errors.Join(err, c.operational())
}

// patience is for how long something is waited for that must happen.
const patience = time.Minute

// wait lets time go on until something is as it should be.
func (c *cell) wait(ctx context.Context, is func() error) error {
	var err error
	for until := c.now + patience; c.now < until; {
		if err = is(); err == nil {
			return nil
		}
		if err := c.step(ctx); err != nil {
			return err
		}
	}
	return err
}

// samples compares both tracks.
func (c *cell) samples(from time.Duration) (list []Sample) {
	one, other := c.lwr.at(from), c.kr.at(from)
	apart := other.Sub(one).Length()
	last := min(c.lwr.times[c.lwr.len()-1], c.kr.times[c.kr.len()-1])
	for t := from; t <= last; t += interval {
		a, b := c.lwr.at(t), c.kr.at(t)
		list = append(list, Sample{Time: (t - from).Seconds(), Distance: b.Sub(a).Length() - apart, Moved: a.Sub(one).Length()})
	}
	return list
}

// Worst returns the greatest difference of the distance, either way.
func Worst(samples []Sample) (worst float64) {
	for _, s := range samples {
		worst = max(worst, math.Abs(s.Distance))
	}
	return worst
}
