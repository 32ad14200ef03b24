package scopes

import (
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// Span is a part of a capture, in seconds from its trigger; without an end, it ends with the capture.
type Span struct {
	From *float64 `json:"from,omitempty"`
	To   *float64 `json:"to,omitempty"`
}

// ticks returns those of the span.
func (s Span) ticks(c *scope.Capture) (from, to int64) {
	from, to = math.MinInt64, math.MaxInt64
	tick := func(seconds float64) int64 {
		return c.Trigger + int64(math.Round(math.Max(-longest, math.Min(longest, seconds))*1e9))
	}
	if s.From != nil {
		from = tick(*s.From)
	}
	if s.To != nil {
		to = tick(*s.To)
	}
	return from, to
}

// longest is far more seconds than a capture has.
const longest = 1e6

// Measured has the measures of a component of a channel.
type Measured struct {
	Channel   string `json:"channel"`
	Component string `json:"component,omitempty"`
	scope.Measures
}

// Measures measures all channels of a capture.
func Measures(c *scope.Capture, s Span) []Measured {
	from, to := s.ticks(c)
	list := []Measured{}
	for i := range c.Channels {
		for k, component := range c.Channels[i].Components {
			list = append(list, Measured{c.Channels[i].Name, component, scope.Measure(c, i, k, from, to)})
		}
	}
	return list
}

// Spectrum returns the spectrum of a component of a channel. The default component is the first one, the default window Hann.
func Spectrum(c *scope.Capture, channel, component string, window scope.Shape, s Span) (*scope.Spectrum, error) {
	i := slices.IndexFunc(c.Channels, func(t scope.Trace) bool { return t.Name == channel })
	if i < 0 {
		return nil, pages.Refuse(pages.CodeScope, "channel", "the capture has no channel %q", shorten(channel))
	}
	k := 0
	if component != "" {
		if k = slices.Index(c.Channels[i].Components, component); k < 0 {
			return nil, pages.Refuse(pages.CodeScope, "component", "channel %q has no component %q", channel, shorten(component))
		}
	}
	if window == "" {
		window = scope.Hann
	}
	from, to := s.ticks(c)
	made, err := scope.SpectrumOf(c, i, k, from, to, window)
	if err != nil {
		return nil, pages.Refuse(pages.CodeScope, "spectrum", "%v", err)
	}
	return made, nil
}
