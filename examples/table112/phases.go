package main

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// drawPhases executes a motion and draws what the phases of each of its cycles took (figure 11.1).
func drawPhases(ctx context.Context, robot *robotics.Runtime, c robotics.Command) error {
	h, err := robot.Load(ctx, c)
	if err != nil {
		return err
	}
	if err := h.Net().KeepPhases(ctx); err != nil {
		return err
	}
	if err := h.Start(ctx); err != nil {
		return err
	}
	if err := h.Wait(ctx); err != nil {
		return err
	}
	cycles, err := h.Net().Phases(ctx)
	if err != nil {
		return err
	}
	if err := program.Save(figure(cycles)); err != nil {
		return err
	}
	return h.Net().Unload(ctx)
}

func figure(cycles []client.Phases) *picture.Figure {
	panel := func(label string, of func(p client.Phases) time.Duration) picture.Panel {
		return picture.Panel{Label: label + ", µs", Size: true, Curves: []picture.Curve{{At: func(t float64) float64 {
			at := min(int(t*1000/2), len(cycles)-1) // one every 2 ms
			return float64(of(cycles[at])) / float64(time.Microsecond)
		}}}}
	}
	return &picture.Figure{
		Name: "phases", Title: "Phases of the cycles of a motion from point to point", Duration: float64(len(cycles)) * 0.002,
		Panels: []picture.Panel{
			panel("sensors", func(p client.Phases) time.Duration { return p.Sense }),
			panel("computing", func(p client.Phases) time.Duration { return p.Run }),
			panel("actuators", func(p client.Phases) time.Duration { return p.Act }),
		},
	}
}
