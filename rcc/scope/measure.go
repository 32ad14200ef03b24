package scope

import "math"

// Measures are figures of one component of a trace within a span. A measure that the signal is too short for or does not have is
// nil; so is one that is not finite.
//
// Only samples with the mark Value count, except NaN: nulls, held values and ticks without a cycle are left out. The signal
// is in order of time; n is the number of its samples.
type Measures struct {
	Samples int `json:"samples"` // n
	Nulls   int `json:"nulls"`   // ticks at which the channel had no value

	Minimum *float64 `json:"minimum"` // the smallest sample; n at least 1, as for the next three
	Maximum *float64 `json:"maximum"` // the largest one
	Mean    *float64 `json:"mean"`    // the sum of the samples divided by n
	RMS     *float64 `json:"rms"`     // the root of the mean of their squares; it includes the mean

	// Period is the mean time, in seconds, between crossings upwards of the middle between minimum and maximum, after the signal
	// has been lower than that by a tenth of their difference. The time of a crossing is interpolated between the samples beside
	// it. There must be two crossings without a null between them: of several parts that nulls separate, the one with most
	// crossings is measured.
	Period *float64 `json:"period"`

	// Overshoot is of a step, from the mean of the first tenth of the samples to the mean of the last tenth: how far the signal
	// goes beyond the end, in the direction of the step, as a part of the height of the step; 0 when it does not. It takes 20
	// samples without a null between them, and a step that is higher than the range of the signal within the first tenth and
	// within the last tenth.
	Overshoot *float64 `json:"overshoot"`

	// Settling is of the same step: the time, in seconds, from the last sample before the signal first leaves the tolerance
	// around the beginning to the first sample from which on all are within the tolerance around the end. The tolerance is a
	// part of the height of the step, see Tolerance. The last tenth must be within it.
	Settling *float64 `json:"settling"`
}

// Tolerance is how far a signal that has settled may be from its end, as a part of the height of the step.
const Tolerance = 0.02

// shortestStep is how many samples a step has at least.
const shortestStep = 20

// sample is a sample that counts.
type sample struct {
	tick   int64
	x      float64
	joined bool // with the one before: there is no null between them
	even   bool // and no tick is missing
}

// signal returns the samples of a component that count, within the ticks from and to, both included, and the number of nulls
// there.
func (t *Trace) signal(ticks []int64, component int, from, to int64) (list []sample, nulls int) {
	joined := false
	for i, mark := range t.Marks {
		if ticks[i] < from || ticks[i] > to || mark == Held {
			continue
		}
		x := t.Values[component][i]
		if mark != Value || math.IsNaN(x) {
			if mark == Null {
				nulls++
			}
			joined = false
			continue
		}
		n := len(list)
		list = append(list, sample{ticks[i], x, joined, joined && !gap(list[n-1].tick, ticks[i], t.Form.Period)})
		joined = true
	}
	return list, nulls
}

// Measure measures a component of a channel of a capture between two ticks, both included.
func Measure(c *Capture, channel, component int, from, to int64) Measures {
	list, nulls := c.Channels[channel].signal(c.Ticks, component, from, to)
	m := Measures{Samples: len(list), Nulls: nulls}
	if len(list) == 0 {
		return m
	}
	low, high := extremes(list)
	sum, squares, n := 0.0, 0.0, float64(len(list))
	for _, s := range list {
		sum += s.x
		squares += s.x * s.x
	}
	m.Minimum, m.Maximum, m.Mean, m.RMS = finite(low), finite(high), finite(sum/n), finite(math.Sqrt(squares/n))
	if m.Minimum != nil && m.Maximum != nil {
		m.Period = period(list, low, high)
		m.Overshoot, m.Settling = step(list)
	}
	return m
}

// finite returns a number, nil for what is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func extremes(list []sample) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range list {
		low, high = min(low, s.x), max(high, s.x)
	}
	return low, high
}

func period(list []sample, low, high float64) *float64 {
	middle, back := low+(high-low)/2, low+0.4*(high-low)
	var longest, first, last float64
	var most, crossings int
	ready := false
	for i, s := range list {
		if !s.joined {
			ready, crossings = false, 0
		}
		if ready && s.x >= middle {
			before := list[i-1]
			at := float64(before.tick-list[0].tick) + float64(s.tick-before.tick)*(middle-before.x)/(s.x-before.x)
			if crossings == 0 {
				first = at
			}
			last = at
			crossings++
			if crossings > most {
				most, longest = crossings, last-first
			}
		}
		ready = s.x < back || ready && s.x < middle
	}
	if most < 2 {
		return nil
	}
	return finite(longest / float64(most-1) / 1e9)
}

// step measures a step; nil where there is none.
func step(list []sample) (overshoot, settling *float64) {
	n := len(list)
	if n < shortestStep {
		return nil, nil
	}
	for _, s := range list[1:] {
		if !s.joined {
			return nil, nil
		}
	}
	begin, beginVaries := level(list[:n/10])
	end, endVaries := level(list[n-n/10:])
	height := end - begin
	if !(math.Abs(height) > beginVaries && math.Abs(height) > endVaries) || math.IsInf(height, 0) {
		return nil, nil
	}
	beyond := 0.0
	for _, s := range list {
		beyond = max(beyond, (s.x-end)/height)
	}
	return finite(beyond), settle(list, begin, end)
}

// settle returns the time from the end of the beginning to the beginning of the end.
func settle(list []sample, begin, end float64) *float64 {
	tolerance := Tolerance * math.Abs(end-begin)
	n, leaves := len(list), 0
	for leaves+1 < n && math.Abs(list[leaves+1].x-begin) <= tolerance {
		leaves++
	}
	settled := n
	for settled > 0 && math.Abs(list[settled-1].x-end) <= tolerance {
		settled--
	}
	if settled > n-n/10 || math.Abs(list[0].x-begin) > tolerance {
		return nil
	}
	time := float64(list[settled].tick-list[leaves].tick) / 1e9
	return &time
}

// level returns the mean of samples, and by how much they differ.
func level(list []sample) (mean, varies float64) {
	low, high := extremes(list)
	sum := 0.0
	for _, s := range list {
		sum += s.x
	}
	return sum / float64(len(list)), high - low
}
