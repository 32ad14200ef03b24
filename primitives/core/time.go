package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

const nsPerSecond = 1e9

type netTime struct {
	Out spec.Out[value.Time] `rcc:"outValue" doc:"time of the cycle without jitter: start of the net and its cycles since"`
}

func tellNetTime(run []netTime, cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Set(cy, value.Time(cy.Time))
	}
}

type wallTime struct {
	Out spec.Out[value.Time] `rcc:"outValue" doc:"time at which the cycle really began"`
}

func tellWallTime(run []wallTime, cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Set(cy, value.Time(cy.Wall))
	}
}

type cycleTime struct {
	Out spec.Out[float64] `rcc:"outValue" doc:"cycle time, s"`
}

func tellCycleTime(run []cycleTime, cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Set(cy, cy.Period)
	}
}

type timeAdd struct {
	Time  spec.In[value.Time]  `rcc:"inTime" wanted:"true" doc:"point in time"`
	Delta spec.In[float64]     `rcc:"inDelta" wanted:"true" doc:"time to add, s"`
	Out   spec.Out[value.Time] `rcc:"outValue" doc:"the later point in time, null when it is none"`
}

func addTimes(run []timeAdd, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if t, ok := p.Time.Get(cy); ok {
			if sum, ok := shift(t, p.Delta.Or(cy, nan)); ok {
				p.Out.Set(cy, sum)
			}
		}
	}
}

// shift adds seconds to a time, to the nanosecond.
func shift(t value.Time, seconds float64) (value.Time, bool) {
	ns := math.RoundToEven(seconds * nsPerSecond)
	if !(ns >= math.MinInt64 && ns < math.MaxInt64) {
		return 0, false
	}
	d := value.Time(ns)
	sum := t + d
	return sum, (sum < t) == (d < 0)
}

type timeDiff struct {
	First  spec.In[value.Time] `rcc:"inFirst" wanted:"true" doc:"earlier point in time"`
	Second spec.In[value.Time] `rcc:"inSecond" wanted:"true" doc:"later point in time"`
	Out    spec.Out[float64]   `rcc:"outValue" doc:"time from the first to the second, s"`
}

func subtractTimes(run []timeDiff, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		first, okFirst := p.First.Get(cy)
		second, okSecond := p.Second.Get(cy)
		if okFirst && okSecond {
			p.Out.Set(cy, seconds(first, second))
		}
	}
}

// seconds subtracts in whole nanoseconds, of which a double would lose hundreds, unless they do not fit.
func seconds(from, to value.Time) float64 {
	if d := to - from; (d < 0) == (to < from) {
		return float64(d) / nsPerSecond
	}
	return (float64(to) - float64(from)) / nsPerSecond
}

func times() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::TimeNet", Extension: extension, Doc: "logical time of the net",
			Examples: []spec.Example{{Doc: "cycles of 2 ms", Cycle: "2ms", Out: series{"outValue": {"1000000000", "1002000000", "1004000000"}}}},
		}, spec.Kernels[netTime]{Run: tellNetTime}),
		spec.Declare(spec.Decl{
			Name: "Core::TimeWall", Extension: extension, Doc: "physical time",
			Examples: []spec.Example{{Doc: "a tick that begins 1 µs late", Out: series{"outValue": {"1000001000", "1010001000"}}}},
		}, spec.Kernels[wallTime]{Run: tellWallTime}),
		spec.Declare(spec.Decl{
			Name: "Core::CycleTime", Extension: extension, Doc: "cycle time of the net",
			Examples: []spec.Example{{Doc: "cycles of 2 ms", Cycle: "2ms", Out: series{"outValue": {"0.002"}}}},
		}, spec.Kernels[cycleTime]{Run: tellCycleTime}),
		spec.Declare(spec.Decl{
			Name: "Core::TimeAdd", Extension: extension, Doc: "adds seconds to a point in time",
			Examples: []spec.Example{
				{
					Doc: "forth and back", In: series{"inTime": {"1700000000000000001"}, "inDelta": {"0.5", "-1e-9"}},
					Out: series{"outValue": {"1700000000500000001", "1700000000000000000"}},
				},
				{
					Doc: "no point in time", In: series{"inTime": {"9223372036854775807", "0", "0", "null"}, "inDelta": {"1e-9", "nan", "1e10", "1"}},
					Out: series{"outValue": {"null"}},
				},
			},
		}, spec.Kernels[timeAdd]{Run: addTimes}),
		spec.Declare(spec.Decl{
			Name: "Core::TimeDiff", Extension: extension, Doc: "time from the first to the second point in time",
			Examples: []spec.Example{
				{
					Doc: "forth and back", In: series{"inFirst": {"1700000000000000000", "20"}, "inSecond": {"1700000000000000001", "10"}},
					Out: series{"outValue": {"1e-09", "-1e-08"}},
				},
				{
					Doc: "beyond the range of int64", In: series{"inFirst": {"-9223372036854775808"}, "inSecond": {"9223372036854775807"}},
					Out: series{"outValue": {"18446744073.709553"}},
				},
				{Doc: "null", In: series{"inFirst": {"null"}, "inSecond": {"1"}}, Out: series{"outValue": {"null"}}},
			},
		}, spec.Kernels[timeDiff]{Run: subtractTimes}),
		timeHistories(),
		timeRanges(),
	}
}
