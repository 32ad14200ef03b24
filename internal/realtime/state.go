package realtime

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/internal/doctor"
)

// The words for how real-time a process is.
const (
	Full     = "full"     // it has the rights, and its machine keeps the cycle times that are in use
	Checking = "checking" // it has the rights, and the self-test decides about the machine
	Degraded = "degraded" // rights or machine fall short
	Off      = "off"      // nothing was asked for
)

// State is how real-time a process is: a word, and the three facts that it follows from (ADR 0040).
type State struct {
	Word   string
	Reason string         // why it is not Full, and what still holds
	Facts  [3]doctor.Fact // rights, machine, record
	Notes  []Note         // what could be better
}

// Now is what else the state depends on.
type Now struct {
	Shortest time.Duration // cycle time in use, zero for none
	Ordinary string        // why executors are not the threads that they could be, if so
	Record   Record
}

// State returns the state by the setup, the self-test and the last check.
func (p *Process) State(now Now) State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := State{
		Facts: [3]doctor.Fact{p.haveRights(now.Ordinary), p.fit(cmp.Or(now.Shortest, p.Shortest)), now.Record.Fact()},
		Notes: slices.Concat(p.notes, p.found),
	}
	rights, machine := s.Facts[0], s.Facts[1]
	switch {
	case p.Off != "":
		s.Word, s.Reason = Off, p.Off
	case !rights.OK:
		s.Word, s.Reason = Degraded, rights.Text
	case machine.OK:
		s.Word = Full
	case machine.State == doctor.Checking:
		s.Word, s.Reason = Checking, "the self-test is not through yet"
	default:
		s.Word, s.Reason = Degraded, machine.Short+"; executors are detached threads nevertheless, but nothing bounds how late they are"
	}
	return s
}

// haveRights returns the fact on rights. An executor that has not got its thread has none.
func (p *Process) haveRights(ordinary string) doctor.Fact {
	switch {
	case p.Off != "":
		return doctor.Fact{Name: doctor.Rights, State: doctor.Off, Text: p.Off}
	case ordinary != "" && p.rights.OK:
		return doctor.Fact{Name: doctor.Rights, State: doctor.Missing, Text: ordinary}
	}
	return p.rights
}

// fit returns the fact on the machine: what the doctor finds, and whether a thread has kept the shortest cycle time.
func (p *Process) fit(shortest time.Duration) doctor.Fact {
	if p.Off != "" {
		return doctor.Fact{Name: doctor.Machine, State: doctor.Off, Text: p.Off}
	}
	f := p.report.Machine()
	text, kept := "self-test: not through yet", false
	switch {
	case p.Selftest == nil || !p.threads:
		return f
	case p.unkept != nil:
		text = p.unkept.Error()
	case p.tested:
		kept, text = p.pace.Keeps(shortest)
		text = fmt.Sprintf("self-test for %v: %s", shortest, text)
	case f.OK:
		f.State = doctor.Checking
	}
	if p.tested && f.OK && !kept {
		f.State = doctor.Unfit
		f.Text, f.Short = text+"; "+f.Text, text
	} else {
		f.Text += "; " + text
	}
	f.OK = f.OK && kept
	return f
}

// Counts are late and missed ticks and too long cycles.
type Counts struct {
	Late     uint64 // ticks
	Missed   uint64 // ticks
	Overruns uint64 // cycles that took longer than their period
}

func (c Counts) minus(before Counts) Counts {
	return Counts{c.Late - before.Late, c.Missed - before.Missed, c.Overruns - before.Overruns}
}

func (c Counts) String() string {
	return fmt.Sprintf("%d late, %d missed, %d overruns", c.Late, c.Missed, c.Overruns)
}

// Record is the record of ticks.
type Record struct {
	Minute Counts // the last one, and up to a look more
	Start  Counts // since the start
}

// Fact returns the fact on the record. It is clean when the last minute was.
func (r Record) Fact() doctor.Fact {
	f := doctor.Fact{Name: doctor.Record, OK: r.Minute == Counts{}, State: doctor.Clean}
	if !f.OK {
		f.State = doctor.Late
	}
	f.Text = fmt.Sprintf("last minute %v; since the start %v", r.Minute, r.Start)
	return f
}

// Ledger remembers the counts of a minute. It may be used by several goroutines.
type Ledger struct {
	mu    sync.Mutex
	looks []look // the oldest first, of which the first one may be older than a minute
}

// look is what was counted at an instant.
type look struct {
	at     time.Duration
	counts Counts
}

// Look adds the counts of an instant, and drops old ones.
func (l *Ledger) Look(at time.Duration, counts Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks = append(l.looks, look{at, counts})
	for len(l.looks) > 1 && at-l.looks[1].at >= time.Minute {
		l.looks = l.looks[1:]
	}
}

// Record returns the record at an instant. In the first minute all is new.
func (l *Ledger) Record(at time.Duration, counts Counts) Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Record{Minute: counts, Start: counts}
	for _, old := range l.looks {
		if at-old.at >= time.Minute {
			r.Minute = counts.minus(old.counts)
		}
	}
	return r
}
