package scope

import "math"

// Detector finds triggers in the samples of one signal. It gets every sample. It defines the kinds of triggers, with a
// hysteresis h of 0 or more:
//
//   - Edge, rising: the signal is at or above the level, and has been below level - h since it was last at or above the level.
//     Falling is the mirror image: at or below the level, after it was above level + h.
//   - Level: the signal is at or above the level (Above), or at or below it. It triggers at each such sample; the holdoff makes
//     fewer of them.
//   - Window: the signal leaves low..high, both included, after it was within low + h..high - h; with Inside it enters low..high,
//     after it was below low - h or above high + h.
//   - Runt, rising: a pulse that comes from below low - h, reaches low but never high, and triggers where it is below low - h
//     again. Falling is the mirror image: from above high + h to high but never to low, and above high + h again.
//
// A sample that is null or NaN makes the detector forget earlier samples. Ticks do not matter: when a net has missed a tick,
// the sample before it and the one after it follow each other, as they do for the net.
type Detector struct {
	t      Trigger
	rising armed
	falls  armed
}

// armed is what one direction of a trigger knows.
type armed struct {
	ready bool // the signal has been on the other side
	pulse bool // runt: it has reached the first threshold
	full  bool // runt: and the second one
}

// NewDetector returns a detector that knows nothing of the signal.
func NewDetector(t Trigger) *Detector {
	if t.Slope == "" {
		t.Slope = Rising
	}
	return &Detector{t: t}
}

// Forget makes the detector forget earlier samples, because samples are missing.
func (d *Detector) Forget() { d.rising, d.falls = armed{}, armed{} }

// Step reports whether the next sample triggers. Given is false for a null.
func (d *Detector) Step(given bool, x float64) bool {
	if !given || math.IsNaN(x) {
		d.Forget()
		return false
	}
	h := d.t.Hysteresis
	switch d.t.Kind {
	case Level:
		return d.t.Above && x >= d.t.Level || !d.t.Above && x <= d.t.Level
	case Window:
		outside := x < d.t.Low || x > d.t.High
		if d.t.Inside {
			return d.rising.crosses(!outside, x < d.t.Low-h || x > d.t.High+h)
		}
		return d.rising.crosses(outside, x >= d.t.Low+h && x <= d.t.High-h)
	case Edge:
		up := d.rising.crosses(x >= d.t.Level, x < d.t.Level-h)
		down := d.falls.crosses(x <= d.t.Level, x > d.t.Level+h)
		return d.wants(up, down)
	case Runt:
		up := d.rising.runt(x < d.t.Low-h, x >= d.t.Low, x >= d.t.High)
		down := d.falls.runt(x > d.t.High+h, x <= d.t.High, x <= d.t.Low)
		return d.wants(up, down)
	case None, Rule, State, Incident, Fault:
	}
	return false
}

func (d *Detector) wants(up, down bool) bool {
	return up && d.t.Slope != Falling || down && d.t.Slope != Rising
}

// crosses reports whether a signal that was on the other side is beyond now.
func (a *armed) crosses(beyond, back bool) bool {
	crossed := beyond && a.ready
	if beyond {
		a.ready = false
	}
	if back {
		a.ready = true
	}
	return crossed
}

// runt reports whether a pulse ends that has reached the first threshold only.
func (a *armed) runt(back, first, second bool) bool {
	found := back && a.ready && a.pulse && !a.full
	if back {
		*a = armed{ready: true}
	}
	a.pulse = a.pulse || first
	a.full = a.full || second
	return found
}

// Event is something that happened at a tick.
type Event struct {
	Kind   Kind
	Tick   int64
	Rule   string
	Net    string
	State  string
	Device string
}

// Matches reports whether the trigger waits for the event: the kind is equal, and so is each name that the trigger has.
func (t *Trigger) Matches(e *Event) bool {
	equal := func(want, is string) bool { return want == "" || want == is }
	return t.OfEvents() && t.Kind == e.Kind && equal(t.Rule, e.Rule) && equal(t.Net, e.Net) && equal(t.State, e.State) && equal(t.Device, e.Device)
}
