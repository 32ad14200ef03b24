package kukafri

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Why sessions end, where the driver knows better than the link.
const (
	silence link.Cause = link.OwnCauses + iota
	counted            // again
)

// endings are the words of these causes, for page, state and log.
var endings = []string{
	silence - link.OwnCauses: "telegrams stopped: cable or power of the controller, or its program closed the interface (friClose)",
	counted - link.OwnCauses: "another session began: the controller counts from the beginning",
}

// ending returns why a session ended, as far as is known (cycle).
func ending(why link.Cause) link.Cause {
	switch why {
	case link.Silent:
		return silence
	case link.Restarted:
		return counted
	}
	return why
}

// recent is how long ago an answer may have been missing, or rated badly, that is the reason why the controller leaves command mode,
// in cycles. Single answers are missing now and then, and the controller bridges them.
const recent = 5

// answered counts the cycles since an answer was missing, or was rated badly (cycle).
func (r *Robot) answered() {
	s := &r.session
	if s.now.Missed != s.missing || s.now.State == wire.Command && s.now.Quality < wire.Fine {
		s.missing, s.since = s.now.Missed, 0
		return
	}
	s.since = min(s.since+1+s.lost, recent)
}

// whyLeft returns why the controller left command mode by itself, as far as the newest telegrams say (cycle).
func (r *Robot) whyLeft() reason {
	switch s := &r.session; {
	case !s.now.Powered():
		return leftUnpowered
	case s.since < recent:
		return leftUnanswered
	}
	return leftCommandMode
}

// note keeps for the log when and why control began or ended. A state that lasts for moments only is not worth a line, and where a session
// ends the link says so (cycle).
func (r *Robot) note(was, to phase) {
	s := &r.session
	if to == was || to == searching || was == searching && to == leading || to == listening && was == offline {
		return
	}
	r.shown.chronicle.Note(link.Event{At: s.heard, What: uint64(to) | uint64(s.away)<<8 | uint64(s.signals)<<16})
}

// entry returns a line about a change of the phase.
func entry(e link.Event) link.Entry {
	to, lost, is := phase(e.What&0xFF)%phases, reason(e.What>>8&0xFF), signals(e.What>>16&0xFFFF)
	text := fmt.Sprintf("under control since %s: command mode", link.Clock(e.At))
	if to != leading {
		text = fmt.Sprintf("not under control since %s: %s", link.Clock(e.At), because(to, is, lost))
	}
	return link.Entry{At: e.At, Text: text}
}

// Diary returns the sessions and why they ended, when and why the robot could be commanded or not, and which
// nets were refused (any).
func (r *Robot) Diary() []string {
	var entries []link.Entry
	for _, e := range r.shown.chronicle.Events() {
		entries = append(entries, entry(e))
	}
	return append(r.link.Diary(entries...), r.Group.Diary()...)
}
