package link

import (
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/figures"
)

// Statistics are the figures of a Link since it was opened.
type Statistics struct {
	Sessions uint64 // that have begun
	Received uint64 // telegrams, whatever they were
	Answered uint64
	Unsent   uint64 // answers that the system did not take
	Lost     uint64 // telegrams that did not come, by the numbers of others
	Late     uint64 // telegrams in order that came more than half a cycle after they were due
	Repeated uint64
	Outdated uint64 // telegrams that came after newer ones
	Foreign  uint64 // telegrams of others than the one who calls, or may
	Garbage  uint64 // telegrams that were not understood
	TooLong  uint64 // of them: telegrams that were longer than Options.Size
	Silent   uint64 // cycles of sessions without a telegram in order

	Cycle  figures.Distribution // time between two telegrams
	Jitter figures.Distribution // by how much that was not the cycle
	Answer figures.Distribution // time from when a telegram arrived until the answer was sent
}

// counters are written by the thread of the wire and read by any thread, word by word: a telegram may come in between.
type counters struct {
	sessions, received, answered, unsent, lost, late, repeated, outdated, foreign, garbage, tooLong, silent atomic.Uint64

	cycle, jitter, answer figures.Times
}

// span counts the time between two telegrams. Where some were lost in between, it says nothing about the cycle.
func (c *counters) span(span, cycle int64, lost uint32) {
	if span > (int64(lost)+1)*cycle+cycle/2 {
		c.late.Add(1)
	}
	if silent := (span - cycle/2) / max(1, cycle); silent > 0 {
		c.silent.Add(uint64(silent))
	}
	if lost == 0 {
		c.cycle.Add(span, span)
		off := max(span-cycle, cycle-span)
		c.jitter.Add(off, off)
	}
}

// sent counts an answer: whether it was sent, and how long after its telegram (cycle).
func (c *counters) sent(took int64, sent bool) {
	if !sent {
		c.unsent.Add(1)
		return
	}
	c.answered.Add(1)
	c.answer.Add(took, took)
}

// Statistics returns the figures (any).
func (l *Link) Statistics() Statistics {
	c := &l.count
	return Statistics{
		Sessions: c.sessions.Load(), Received: c.received.Load(), Answered: c.answered.Load(), Unsent: c.unsent.Load(),
		Lost: c.lost.Load(), Late: c.late.Load(), Repeated: c.repeated.Load(), Outdated: c.outdated.Load(),
		Foreign: c.foreign.Load(), Garbage: c.garbage.Load(), TooLong: c.tooLong.Load(), Silent: c.silent.Load(),
		Cycle: c.cycle.Read(), Jitter: c.jitter.Read(), Answer: c.answer.Read(),
	}
}

// Time returns the Unix time of a Stamp or a Session as a time.Time.
func timeOf(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(0, unix)
}
