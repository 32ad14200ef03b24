package link

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Event is something that has happened to a robot. The driver knows its kinds.
type Event struct {
	At     int64  // Unix time in ns
	What   uint64 // number of the event
	Detail uint64 // as the event wants it
}

// EventLog is a ring of events that one thread writes and any thread may read. Nothing that happens between two looks of a reader is
// lost, unless it is more than Remembered.
type EventLog struct {
	noted atomic.Uint64
	slots [Remembered]struct {
		at           atomic.Int64
		what, detail atomic.Uint64
	}
}

// Note adds an event (cycle).
func (c *EventLog) Note(e Event) {
	s := &c.slots[c.noted.Load()%Remembered]
	s.at.Store(e.At)
	s.what.Store(e.What)
	s.detail.Store(e.Detail)
	c.noted.Add(1)
}

// Events returns the newest ones, the oldest first (any).
func (c *EventLog) Events() (list []Event) {
	newest := c.noted.Load()
	for i := newest; i > 0 && newest-i < Remembered; i-- {
		s := &c.slots[(i-1)%Remembered]
		e := Event{At: s.at.Load(), What: s.what.Load(), Detail: s.detail.Load()}
		if c.noted.Load()-i >= Remembered-1 { // it is about to be overwritten, or has been
			break
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	return list
}

// Entry is a line of a diary, and when what it says happened.
type Entry struct {
	At   int64 // Unix time in ns
	Text string
}

// Clock formats a time for entries: always in the same zone, and no two events alike.
func Clock(unix int64) string { return time.Unix(0, unix).UTC().Format("15:04:05.000") }

// inDiary is how many sessions stand in a diary.
const inDiary = 8

// Diary returns entries about the newest sessions, and those of its driver, the oldest first (any).
func (l *Link) Diary(more ...Entry) (lines []string) {
	list := l.Sessions()
	if len(list) > inDiary {
		list = list[:inDiary]
	}
	var entries []Entry
	for i := range slices.Backward(list) { // what happened at the same time stays in this order
		entries = append(entries, list[i].entries()...)
	}
	entries = append(entries, more...)
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.At, b.At) })
	for _, e := range entries {
		lines = append(lines, e.Text)
	}
	return lines
}

// entries returns the lines of one session.
func (s *Session) entries() (list []Entry) {
	begin := s.Begin.UnixNano()
	whose := fmt.Sprintf("session of %v since %s", s.Peer, Clock(begin))
	list = append(list, Entry{begin, whose + " began"})
	for _, a := range s.Strangers {
		list = append(list, Entry{begin, fmt.Sprintf("%s: dropping telegrams of %v", whose, a)})
	}
	if s.Cause != Alive {
		list = append(list, Entry{s.End.UnixNano(), fmt.Sprintf("%s ended after %s: %s", whose, device.Counted(s.Telegrams, "telegram", "telegrams"), s.Why)})
	}
	return list
}
