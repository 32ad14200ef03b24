package kukarsi

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Why sessions end, where the driver knows better than the link.
const (
	timedOut     link.Cause = link.OwnCauses + iota
	untaken                 // timedOut, and the controller took no answer at all
	unanswered              // timedOut, as the driver was silent
	driverSilent            // silence while the driver did not answer
	ignored                 // silence after answers that did not arrive
	silence                 // and nothing had been wrong before
	anySilence              // of a controller that does not count
	another                 // session of the same controller
	stopPressed             // at the controller
	powerGone               // of the drives
	askedReading            // the program ended it: positions were read
	askedTool
	askedStart // the start was refused
	askedBack  // telegrams were missing for too long
	askedClose
)

// endings returns the words of these causes, for page, state and log.
func endings(cfg *wireConfig) []string {
	return []string{
		timedOut - link.OwnCauses:     "RSITimeout: " + device.Counted(cfg.Timeout, "answer was", "answers were") + " late or missing",
		untaken - link.OwnCauses:      "RSITimeout: the controller took none of the answers: they do not arrive, or SENTYPE of its XML file and the parameter sen_type differ",
		unanswered - link.OwnCauses:   "RSITimeout: the driver did not answer, as it did not know which corrections the controller held",
		driverSilent - link.OwnCauses: "telegrams stopped while the driver did not answer, as it did not know which corrections the controller held",
		ignored - link.OwnCauses:      "telegrams stopped after several answers in a row were late or missing: answers no longer arrive, the daemon did not run for a while, or the controller's Timeout is lower than the parameter timeout",
		silence - link.OwnCauses:      "telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted",
		anySilence - link.OwnCauses:   "telegrams stopped without notice: RSITimeout, network, cable, power, emergency stop, or the program was halted (the controller does not count late answers, so these look alike)",
		another - link.OwnCauses:      "another session began",
		stopPressed - link.OwnCauses:  "emergency stop at the controller",
		powerGone - link.OwnCauses:    "drives are off",
		askedReading - link.OwnCauses: "the program ended it: positions have been read",
		askedTool - link.OwnCauses:    "the program ended it to load a tool",
		askedStart - link.OwnCauses:   "the program ended it, as the start was refused",
		askedBack - link.OwnCauses:    "the program ended it to read positions again, after telegrams were missing",
		askedClose - link.OwnCauses:   "the program ended it, as the device is being closed",
	}
}

// several answers in a row must be missing to be the likely reason of a silence.
const several = 3

// ending returns why a session ended, as far as is known (cycle).
func (d *driver) ending(was phase, at link.Stamp, why link.Cause) link.Cause {
	asked := was.stops(d.steps.two.Load())
	if why == link.Closed {
		if asked && was == leaving && at.Span >= goneAfter*d.session.cycle {
			return askedClose
		}
		return why
	}
	switch {
	case was == stopped:
		return stopPressed
	case was == unpowered:
		return powerGone
	case d.exhausted():
		return d.timeout(was)
	case asked: // also after answers that were missing: the next one may have arrived
		return was.asked()
	case why == link.Restarted, why == link.Moved:
		return another
	case was == unknown, was == listening:
		return driverSilent
	case d.row.Load() >= several:
		return ignored
	case d.counts:
		return silence
	}
	return anySilence
}

// asked returns why the program was asked to end the session (cycle).
func (p phase) asked() link.Cause {
	switch p {
	case reading:
		return askedReading
	case changing:
		return askedTool
	case leaving:
		return askedClose
	case refused:
		return askedStart
	}
	return askedBack
}

// exhausted reports whether the controller has counted as many missing answers as it allows. Whether an answer in time sets its count
// back is not published: more than that in total means that it does (cycle).
func (d *driver) exhausted() bool {
	row, late, most := d.row.Load(), d.lates.Load(), int64(d.cfg.Timeout)-1
	return row > 0 && (row >= most || late == most || late == most+1)
}

// timeout returns why answers were missing until the controller gave up (cycle).
func (d *driver) timeout(was phase) link.Cause {
	switch answers := d.answers.Load(); {
	case was.is(silent):
		return unanswered
	case answers > 0 && d.tookNone():
		return untaken
	}
	return timedOut
}

// tookNone reports whether the controller has counted every answer as late (any).
func (d *driver) tookNone() bool { return d.lates.Load()-d.before.Load()+probed >= d.answers.Load() }

// probed is how many telegrams at the beginning of a session are not answered.
const probed = evidence - 1

// missed counts answers that the controller has missed in a row (cycle).
func (d *driver) missed(h *heard, now int64) {
	d.counts = h.counts
	grown := h.late - d.seen
	d.seen = h.late
	if !h.counts || grown <= 0 {
		d.row.Store(0)
		return
	}
	d.row.Add(grown)
	d.lateAt.Store(now)
}

// moment is what the chronicle keeps of a change of the phase.
type moment struct {
	to       phase
	rule     int32 // that led to it, from 1; 0: the cycle was found to be another one
	axis     int32
	counting counting
	detail   uint64 // distance of a start that was refused, an assessment where nothing is known, cycle in ns otherwise
}

// note keeps a change of the phase for the log. Where sessions end, the link says so (cycle).
func (d *driver) note(was, to phase, rule int32, now int64) {
	if to.is(of(offline, between)) || to == listening && was.is(of(offline, between)) {
		return
	}
	detail := uint64(d.session.cycle)
	switch to {
	case refused:
		detail = d.apart.Load()
	case unknown:
		detail = d.doubt.Load()
	}
	what := uint64(to) | uint64(rule)<<8 | uint64(uint8(d.axis.Load()))<<16 | uint64(d.session.counting)<<24
	d.chronicle.Note(link.Event{At: now, What: what, Detail: detail})
}

// noteCycle keeps once in a session that the cycle of the controller is not the configured one, as soon as enough telegrams show
// it (cycle).
func (d *driver) noteCycle(now int64) {
	if is := d.session.cycle; !d.offCycle && d.answers.Load() >= paceOver && d.cfg.off(is) {
		d.offCycle = true
		d.chronicle.Note(link.Event{At: now, What: uint64(ready), Detail: uint64(is)})
	}
}

// off reports whether a cycle is so far from the configured one that limits are those of the shorter one (cycle).
func (c *wireConfig) off(cycle int64) bool {
	return cycle > int64(c.Cycle)*5/4 || cycle < int64(c.Cycle)*4/5
}

func momentOf(e link.Event) moment {
	return moment{
		to: phase(e.What&0xFF) % phases, rule: int32(e.What >> 8 & 0xFF), axis: int32(e.What >> 16 & 0xFF), counting: counting(e.What >> 24 & 0xFF),
		detail: e.Detail,
	}
}

// entry returns a line about a moment.
func (d *driver) entry(e link.Event) link.Entry {
	m, at := momentOf(e), link.Clock(e.At)
	if m.rule == 0 {
		return link.Entry{At: e.At, Text: fmt.Sprintf("since %s: %s", at, d.cfg.cycles(time.Duration(m.detail)))}
	}
	text := fmt.Sprintf("%s since %s: %s", pageWords[m.to], at, whyOf(m.rule))
	switch m.to {
	case refused:
		text += fmt.Sprintf(" (axis %s is %.4g %s away)", axisName(m.axis), math.Float64frombits(m.detail), unitOf(m.axis))
	case unknown:
		text += " (" + assessment(m.detail).text() + ")"
	case blind:
		text += fmt.Sprintf(" (axis %s)", axisName(m.axis))
	case ready:
		text += "; corrections are known by the " + m.counting.source()
		if m.counting == uncounted {
			text += "; " + creeping
		}
	}
	return link.Entry{At: e.At, Text: text}
}

// whyOf returns why a rule led to its phase.
func whyOf(rule int32) string {
	if i := int(rule) - 1; i >= 0 && i < len(rules) {
		return rules[i].why
	}
	return ""
}

// Diary returns the sessions and why they ended, when and why the robot could be commanded or not, and which
// nets were refused (any).
func (a *Arm) Diary() []string {
	var entries []link.Entry
	for _, e := range a.driver.chronicle.Events() {
		entries = append(entries, a.driver.entry(e))
	}
	return append(a.link.Diary(entries...), a.Group.Diary()...)
}
