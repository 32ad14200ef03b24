package scope_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// nan stands for a null in the signals of these tests.
var nan = math.NaN()

// captureOf has one channel with a tick every ms.
func captureOf(signal ...float64) *scope.Capture {
	c := &scope.Capture{Channels: []scope.Trace{{Name: "c", Form: number(ms), Values: make([][]float64, 1)}}}
	for i, x := range signal {
		mark := scope.Value
		if math.IsNaN(x) {
			mark = scope.Null
		}
		c.Ticks = append(c.Ticks, int64(i)*ms)
		c.Channels[0].Marks = append(c.Channels[0].Marks, mark)
		c.Channels[0].Values[0] = append(c.Channels[0].Values[0], x)
	}
	return c
}

func sampled(n int, f func(i float64) float64) []float64 {
	signal := make([]float64, n)
	for i := range signal {
		signal[i] = f(float64(i))
	}
	return signal
}

func measure(c *scope.Capture) scope.Measures { return scope.Measure(c, 0, 0, 0, math.MaxInt64) }

func is(t *testing.T, what string, got *float64, want, within float64) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("%s: there is none", what)
	case math.Abs(*got-want) > within:
		t.Errorf("%s is %v, not %v", what, *got, want)
	}
}

func none(t *testing.T, what string, got *float64) {
	t.Helper()
	if got != nil {
		t.Errorf("%s is %v, there should be none", what, *got)
	}
}

func TestMeasuresOfSine(t *testing.T) {
	// 3 and 7/10 periods of 27.3 ms, of amplitude 2 around 1.
	m := measure(captureOf(sampled(1001, func(i float64) float64 { return 1 + 2*math.Sin(2*math.Pi*i/27.3) })...))
	is(t, "minimum", m.Minimum, -1, 0.02)
	is(t, "maximum", m.Maximum, 3, 0.02)
	is(t, "mean", m.Mean, 1, 0.02)
	is(t, "rms", m.RMS, math.Sqrt(1+2), 0.02)
	is(t, "period", m.Period, 0.0273, 1e-5)
	if m.Samples != 1001 || m.Nulls != 0 {
		t.Errorf("%+v", m)
	}
}

func TestMeasuresOfFew(t *testing.T) {
	m := measure(captureOf())
	none(t, "minimum", m.Minimum)
	none(t, "mean", m.Mean)
	m = measure(captureOf(nan, nan))
	none(t, "rms", m.RMS)
	if m.Nulls != 2 || m.Samples != 0 {
		t.Errorf("%+v", m)
	}
	m = measure(captureOf(nan, 4, nan, 2))
	is(t, "minimum", m.Minimum, 2, 0)
	is(t, "maximum", m.Maximum, 4, 0)
	is(t, "mean", m.Mean, 3, 0)
	is(t, "rms", m.RMS, math.Sqrt(10), 1e-12)
	none(t, "period", m.Period)
	none(t, "overshoot", m.Overshoot)
	none(t, "settling", m.Settling)
}

// TestHuge: what is not finite is none, as JSON has no number for it.
func TestHuge(t *testing.T) {
	for _, signal := range [][]float64{
		sampled(40, func(i float64) float64 { return math.Inf(int(i)%2*2 - 1) }),
		sampled(40, func(i float64) float64 { return (math.Mod(i, 2)*2 - 1) * math.MaxFloat64 }),
		sampled(40, func(i float64) float64 { return (math.Floor(i/20)*2 - 1) * math.MaxFloat64 }),
	} {
		if _, err := json.Marshal(measure(captureOf(signal...))); err != nil {
			t.Error(err)
		}
		if s, err := scope.SpectrumOf(captureOf(signal...), 0, 0, 0, math.MaxInt64, scope.Rectangular); err == nil {
			t.Errorf("%+v", s)
		}
	}
}

func TestPeriod(t *testing.T) {
	square := func(i float64) float64 { return math.Mod(math.Floor(i/5), 2) }
	is(t, "square", measure(captureOf(sampled(50, square)...)).Period, 0.010, 1e-12)
	none(t, "one crossing", measure(captureOf(0, 0, 1, 1)).Period)
	none(t, "constant", measure(captureOf(sampled(50, func(float64) float64 { return 3 })...)).Period)
	// Noise below a tenth of the height makes no crossing.
	noisy := sampled(200, func(i float64) float64 { return math.Sin(2*math.Pi*(i+0.5)/50) + 0.05*math.Cos(math.Pi*i) })
	is(t, "noise", measure(captureOf(noisy...)).Period, 0.050, 0.002)
	// A null ends a part: 3 crossings 10 ms apart before it, 2 crossings 10 ms apart behind it, and not 17 ms between the parts.
	broken := sampled(67, square)
	broken = append(broken[:37], append([]float64{nan, nan, nan, nan, nan, nan, nan}, broken[37:]...)...)
	is(t, "broken", measure(captureOf(broken...)).Period, 0.010, 1e-12)
	// A missing tick does not: times are those of ticks.
	gapped := captureOf(sampled(50, square)...)
	for i := 22; i < 50; i++ {
		gapped.Ticks[i] += 4 * ms
	}
	is(t, "missing ticks", measure(gapped).Period, 0.011, 1e-12)
}

// TestStep measures the answer of a second-order system, whose overshoot and oscillation are known.
func TestStep(t *testing.T) {
	const zeta, omega = 0.4, 40.0
	damped := omega * math.Sqrt(1-zeta*zeta)
	answer := func(i float64) float64 {
		s := (i - 100) / 1000
		if s <= 0 {
			return 5
		}
		return 5 - 3*(1-math.Exp(-zeta*omega*s)*(math.Cos(damped*s)+zeta*omega/damped*math.Sin(damped*s)))
	}
	signal := sampled(1000, answer)
	m := measure(captureOf(signal...))
	is(t, "overshoot", m.Overshoot, math.Exp(-zeta*math.Pi/math.Sqrt(1-zeta*zeta)), 0.002)
	// By its definition, from the signal itself.
	want := 0
	for i, x := range signal {
		if math.Abs(x-2) > scope.Tolerance*3 {
			want = i + 1
		}
	}
	begin := 0
	for math.Abs(signal[begin+1]-5) <= scope.Tolerance*3 {
		begin++
	}
	is(t, "settling", m.Settling, float64(want-begin)/1000, 0.0015)
	if *m.Settling < 0.2 || *m.Settling > 0.3 {
		t.Errorf("settling %v", *m.Settling)
	}

	ideal := measure(captureOf(sampled(40, func(i float64) float64 { return math.Floor(i / 20) })...))
	is(t, "overshoot of an ideal step", ideal.Overshoot, 0, 0)
	is(t, "settling of an ideal step", ideal.Settling, 0.001, 0)

	none(t, "no step", measure(captureOf(sampled(100, func(i float64) float64 { return math.Sin(i) })...)).Overshoot)
	none(t, "constant", measure(captureOf(sampled(100, func(float64) float64 { return 1 })...)).Settling)
	none(t, "short", measure(captureOf(sampled(19, func(i float64) float64 { return math.Floor(i / 10) })...)).Overshoot)
	holed := sampled(40, func(i float64) float64 { return math.Floor(i / 20) })
	holed[5] = nan
	none(t, "null within", measure(captureOf(holed...)).Overshoot)
	ramp := measure(captureOf(sampled(100, func(i float64) float64 { return i })...))
	none(t, "settling of a ramp", ramp.Settling)
}

// TestHeldIsNotMeasured: values that only stand there because another channel has a tick do not count.
func TestHeldIsNotMeasured(t *testing.T) {
	c := captureOf(1, 1, 4)
	c.Channels[0].Marks[1] = scope.Held
	c.Channels[0].Form.Period = 2 * ms
	is(t, "mean", measure(c).Mean, 2.5, 0)
	if m := scope.Measure(c, 0, 0, ms, 3*ms); m.Samples != 1 || *m.Minimum != 4 {
		t.Errorf("%+v", m)
	}
}

var shapes = []scope.Shape{scope.Rectangular, scope.Hann, scope.FlatTop, scope.BlackmanHarris}

// TestSpectrumOfSines: lines have the amplitudes of sines in every window, at their frequencies.
func TestSpectrumOfSines(t *testing.T) {
	// 1000 samples at 1 kHz: lines are 1 Hz apart.
	c := captureOf(sampled(1000, func(i float64) float64 {
		return -0.5 + 3*math.Sin(2*math.Pi*50*i/1000) + 0.25*math.Cos(2*math.Pi*200*i/1000) + 0.125*math.Cos(math.Pi*i)
	})...)
	for _, shape := range shapes {
		s, err := scope.SpectrumOf(c, 0, 0, 0, math.MaxInt64, shape)
		must(t, err)
		if math.Abs(s.Step-1) > 1e-12 || s.Samples != 1000 || len(s.Amplitudes) != 501 {
			t.Fatalf("%s: %v Hz, %d samples, %d lines", shape, s.Step, s.Samples, len(s.Amplitudes))
		}
		for k, want := range map[int]float64{0: 0.5, 50: 3, 200: 0.25, 500: 0.125, 100: 0, 300: 0} {
			if math.Abs(s.Amplitudes[k]-want) > 1e-6 {
				t.Errorf("%s: line at %d Hz is %v, not %v", shape, k, s.Amplitudes[k], want)
			}
		}
	}
	// Between two lines the flat top is right to 0.1 %, and the others are known: 1/sinc for a rectangle, 1.42 dB for Hann.
	c = captureOf(sampled(1000, func(i float64) float64 { return math.Sin(2 * math.Pi * 50.5 * i / 1000) })...)
	for shape, want := range map[scope.Shape]float64{scope.FlatTop: 1, scope.Hann: math.Pow(10, -1.4236/20), scope.Rectangular: 2 / math.Pi} {
		s, err := scope.SpectrumOf(c, 0, 0, 0, math.MaxInt64, shape)
		must(t, err)
		if got := math.Max(s.Amplitudes[50], s.Amplitudes[51]); math.Abs(got-want) > 0.01 || shape == scope.FlatTop && math.Abs(got-1) > 0.002 {
			t.Errorf("%s: a sine between two lines is %v, not %v", shape, got, want)
		}
	}
	for shape, want := range map[scope.Shape]float64{scope.Rectangular: 1, scope.Hann: 1.5, scope.FlatTop: 3.770, scope.BlackmanHarris: 2.004} {
		s, err := scope.SpectrumOf(c, 0, 0, 0, math.MaxInt64, shape)
		must(t, err)
		if math.Abs(s.Noise-want) > 0.001 {
			t.Errorf("%s: noise bandwidth %v, not %v", shape, s.Noise, want)
		}
	}
}

// TestParseval: the energy of lines is that of the signal; without a window of the signal itself.
func TestParseval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{8, 9, 10, 60, 81, 125, 128}).Draw(t, "n")
		signal := rapid.SliceOfN(rapid.Float64Range(-10, 10), n, n).Draw(t, "signal")
		s, err := scope.SpectrumOf(captureOf(signal...), 0, 0, 0, math.MaxInt64, scope.Rectangular)
		must(t, err)
		lines, energy := 0.0, 0.0
		for k, a := range s.Amplitudes {
			if k == 0 || 2*k == n {
				lines += a * a
			} else {
				lines += a * a / 2
			}
		}
		for _, x := range signal {
			energy += x * x / float64(n)
		}
		if s.Samples != n || math.Abs(lines-energy) > 1e-9*(1+energy) {
			t.Fatalf("%d samples: lines have %v, the signal %v", s.Samples, lines, energy)
		}
	})
}

// TestSpectrumOfParts: the longest part without a hole counts, cut to a length that is fast.
func TestSpectrumOfParts(t *testing.T) {
	signal := sampled(300, func(i float64) float64 { return math.Sin(i) })
	signal[20], signal[150] = nan, nan
	s, err := scope.SpectrumOf(captureOf(signal...), 0, 0, 0, math.MaxInt64, scope.Hann)
	must(t, err)
	// 149 samples behind the second null; 144 is the next number without a factor above 5.
	if s.Samples != 144 || s.From != 156*ms {
		t.Errorf("%d samples from %d", s.Samples, s.From/ms)
	}
	// A missing tick ends a part as well.
	c := captureOf(sampled(300, math.Sin)...)
	for i := 150; i < 300; i++ {
		c.Ticks[i] += ms
	}
	if s, err = scope.SpectrumOf(c, 0, 0, 0, math.MaxInt64, scope.Hann); err != nil || s.Samples != 150 || s.From != 151*ms {
		t.Error(s, err)
	}
	for _, test := range []struct {
		c     *scope.Capture
		shape scope.Shape
		want  string
	}{
		{captureOf(1, 2, 3), scope.Hann, `channel "c" has 3 samples in a row there, 8 are needed`},
		{captureOf(signal...), "kaiser", `window "kaiser" is not one of`},
		{captureOf(sampled(9, func(float64) float64 { return math.Inf(1) })...), scope.Hann, `channel "c" is infinite there`},
	} {
		if _, err := scope.SpectrumOf(test.c, 0, 0, 0, math.MaxInt64, test.shape); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Error(err)
		}
	}
}
