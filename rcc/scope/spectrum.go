package scope

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/dsp/window"
)

// Shape is the window that a signal is multiplied by before its spectrum is made.
type Shape string

// Shapes. Rectangular is for signals with whole periods in the span; Hann separates frequencies and levels well; FlatTop
// reads amplitudes, wherever the frequency is; BlackmanHarris finds small lines beside large ones.
const (
	Rectangular    Shape = "rectangular"
	Hann           Shape = "hann"
	FlatTop        Shape = "flat-top"
	BlackmanHarris Shape = "blackman-harris"
)

// Spectrum is the spectrum of a real signal. Line k is at k·Step.
type Spectrum struct {
	Window  Shape   `json:"window"`
	Samples int     `json:"samples"` // that it was made of
	From    int64   `json:"from"`    // tick of the first of them
	Step    float64 `json:"step"`    // Hz between lines

	// Amplitudes are in the unit of the signal: a sine of amplitude a at the frequency of a line makes this line a, whatever the
	// window. The first line is the absolute value of the mean.
	Amplitudes []float64 `json:"amplitudes"`

	// Noise is the equivalent noise bandwidth of the window in lines. The sum of squares of the lines, those between the first
	// and the one at half of the sampling frequency halved, divided by it is the mean of the squares of the signal, weighted by
	// the square of the window.
	Noise float64 `json:"noise"`
}

// Limits of a spectrum.
const (
	fewestLines = 8
	mostSamples = 1 << 18
)

// weights returns a window of n samples. Those of gonum are symmetric, with as many samples as there are; for a spectrum one that
// goes on periodically is right, which is a symmetric one of a sample more without its last one.
func (s Shape) weights(n int) ([]float64, error) {
	w := make([]float64, n+1)
	for i := range w {
		w[i] = 1
	}
	switch s {
	case Rectangular:
	case Hann:
		window.Hann(w)
	case FlatTop:
		window.FlatTop(w)
	case BlackmanHarris:
		window.BlackmanHarris(w)
	default:
		return nil, fmt.Errorf("window %q is not one of rectangular, hann, flat-top, blackman-harris", string(s))
	}
	return w[:n], nil
}

// SpectrumOf makes the spectrum of a component of a channel of a capture between two ticks, both included. It takes the longest
// part without a null or a missing tick, and of this the newest samples: up to 2^18, in a number without a prime factor above
// 5, for which the transform is fast.
func SpectrumOf(c *Capture, channel, component int, from, to int64, shape Shape) (*Spectrum, error) {
	t := &c.Channels[channel]
	if t.Form.Period <= 0 || t.Form.Figure {
		return nil, fmt.Errorf("channel %q has no period, so that it has no frequencies", t.Name)
	}
	list, _ := t.signal(c.Ticks, component, from, to)
	list = longest(list)
	n := smooth(min(len(list), mostSamples))
	if n < fewestLines {
		return nil, fmt.Errorf("channel %q has %d samples in a row there, %d are needed", t.Name, len(list), fewestLines)
	}
	list = list[len(list)-n:]
	w, err := shape.weights(n)
	if err != nil {
		return nil, err
	}
	x := make([]float64, n)
	total, squares := 0.0, 0.0
	for i, s := range list {
		if math.IsInf(s.x, 0) {
			return nil, fmt.Errorf("channel %q is infinite there", t.Name)
		}
		x[i] = s.x * w[i]
		total += w[i]
		squares += w[i] * w[i]
	}
	lines := fourier.NewFFT(n).Coefficients(nil, x)
	a := make([]float64, len(lines))
	for k, line := range lines {
		a[k] = 2 * cmplx.Abs(line) / total
		if k == 0 || 2*k == n {
			a[k] /= 2
		}
		if finite(a[k]) == nil {
			return nil, fmt.Errorf("channel %q has values there that are too large for a spectrum", t.Name)
		}
	}
	return &Spectrum{
		Window: shape, Samples: n, From: list[0].tick, Step: 1e9 / float64(t.Form.Period) / float64(n), Amplitudes: a,
		Noise: float64(n) * squares / (total * total),
	}, nil
}

// longest returns the longest part of samples that are joined, the newest of several.
func longest(list []sample) []sample {
	begin, bestBegin, best := 0, 0, 0
	for i := range list {
		if !list[i].even {
			begin = i
		}
		if n := i + 1 - begin; n >= best {
			best, bestBegin = n, begin
		}
	}
	return list[bestBegin : bestBegin+best]
}

// smooth returns the largest number up to n without a prime factor above 5.
func smooth(n int) int {
	best := 0
	for two := 1; two <= n; two *= 2 {
		for three := two; three <= n; three *= 3 {
			for five := three; five <= n; five *= 5 {
				best = max(best, five)
			}
		}
	}
	return best
}
