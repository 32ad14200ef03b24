package main

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/tools/instep"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// inStep returns the figures 11.3 and 11.5: how far the flanges of two robots are from where they should be to each other.
func inStep() (figures []*picture.Figure) {
	for _, f := range []struct {
		name, title string
		ahead       time.Duration
	}{
		{"flanges", "Distance of the robots' flanges: one of the controllers is late", 0},
		{"flanges-in-step", "Distance of the robots' flanges: its set-points are taken to be for 5 ms later", instep.Ahead},
	} {
		samples, err := instep.Run(context.Background(), f.ahead)
		if err != nil {
			panic(err)
		}
		figures = append(figures, &picture.Figure{
			Name: f.name, Title: f.title, Duration: samples[len(samples)-1].Time,
			Panels: []picture.Panel{
				{Label: "distance, mm", Limit: 1, Curves: []picture.Curve{{At: between(samples, func(s *instep.Sample) float64 { return 1000 * s.Distance })}}},
				{Label: "moved, m", Curves: []picture.Curve{{At: between(samples, func(s *instep.Sample) float64 { return s.Moved })}}},
			},
		})
	}
	return figures
}

// between draws straight lines from sample to sample.
func between(samples []instep.Sample, of func(s *instep.Sample) float64) func(t float64) float64 {
	period := samples[1].Time - samples[0].Time
	return func(t float64) float64 {
		i := min(max(int(t/period), 0), len(samples)-2)
		share := min(max(t/period-float64(i), 0), 1)
		return of(&samples[i]) + share*(of(&samples[i+1])-of(&samples[i]))
	}
}
