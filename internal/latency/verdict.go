package latency

import (
	"fmt"
	"slices"
	"time"
)

// Grade is the judgement whether nets of a cycle time may be run.
type Grade string

// The grades.
const (
	Yes      Grade = "yes"
	WithCare Grade = "with care" // where a tick may be missed now and then
	No       Grade = "no"
)

// tolerable is the divisor of a cycle that gives how late it may begin: nets and devices must not take more than
// 70 % of a cycle (§11.1), so that this leaves something to spare.
const tolerable = 5

// Verdict is the grade of a cycle time, and why.
type Verdict struct {
	Period time.Duration
	Grade  Grade
	Why    string
}

// periods are the cycle times that people ask for.
var periods = []time.Duration{
	4 * time.Millisecond, 2 * time.Millisecond, time.Millisecond,
	500 * time.Microsecond, 250 * time.Microsecond, 125 * time.Microsecond,
}

// Verdicts judges the usual cycle times and the measured one, the longest first. How late a thread wakes up depends little
// on how often it does.
func (w *Wakeups) Verdicts(measured time.Duration) (list []Verdict) {
	all := append(slices.Clone(periods), measured)
	slices.Sort(all)
	for _, period := range slices.Backward(slices.Compact(all)) {
		list = append(list, w.verdict(period))
	}
	return list
}

func (w *Wakeups) verdict(period time.Duration) Verdict {
	worst, usual := w.Max, w.Quantile(0.999)
	switch missed := int64(worst / period); {
	case worst <= period/tolerable:
		return Verdict{period, Yes, fmt.Sprintf("the worst wake-up is %s late, %.0f %% of the cycle", words(worst), percent(worst, period))}
	case usual > period/tolerable:
		return Verdict{period, No, fmt.Sprintf("%s: %.0f %% of the cycle and more are lost", w.rare(), percent(usual, period))}
	case missed == 0:
		return Verdict{period, WithCare, fmt.Sprintf("%s, %.0f %% of the cycle", w.rare(), percent(worst, period))}
	case missed == 1:
		return Verdict{period, WithCare, w.rare() + ": a tick would be missed"}
	default:
		return Verdict{period, WithCare, fmt.Sprintf("%s: %d ticks in a row would be missed", w.rare(), missed)}
	}
}

// rare returns what rare delays are like.
func (w *Wakeups) rare() string {
	if w.Ticks < 1000 {
		return fmt.Sprintf("the worst of %d wake-ups is %s late", w.Ticks, words(w.Max))
	}
	return fmt.Sprintf("1 of 1000 wake-ups is %s late or later, the worst %s", words(w.Quantile(0.999)), words(w.Max))
}

func percent(part, whole time.Duration) float64 { return 100 * float64(part) / float64(whole) }

// Beside compares wake-ups with those of another program at the same time, normally cyclictest.
func (w *Wakeups) Beside(other *Wakeups) string {
	own, its := w.Quantile(0.999), other.Quantile(0.999)
	ratio := float64(own) / float64(max(its, time.Microsecond))
	figures := fmt.Sprintf("1 of 1000 wake-ups is %s late or later, %.3g times the %s of cyclictest; the worst is %s beside %s",
		words(own), ratio, words(its), words(w.Max), words(other.Max))
	switch {
	case min(w.Ticks, other.Ticks) < enough:
		return figures
	case ratio <= similar:
		return figures + ": as good as a program in C; more than that is up to the machine (rccctl doctor)"
	default:
		return figures + ": the machine could do better"
	}
}

// similar is a ratio of rare delays that says nothing: they differ by as much between two runs of one program.
const similar = 1.5

// enough wake-ups make rare ones count.
const enough = 10_000

// Doubt returns a reason not to trust a verdict, or nothing.
func (w *Wakeups) Doubt() string {
	if w.Ticks >= enough {
		return ""
	}
	return fmt.Sprintf("%d wake-ups say little about rare delays; measure for a minute, better for hours under the load of the cell", w.Ticks)
}

// words returns a time with the digits that matter.
func words(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	default:
		return fmt.Sprintf("%.3g s", d.Seconds())
	}
}
