package sched

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// cell is a scheduler on a paused virtual clock with a trace of what its nets and its events did.
type cell struct {
	*Scheduler
	t     *testing.T
	clock *rt.Virtual

	mu     sync.Mutex
	trace  []string
	events []Event
	names  map[Ref]string
}

var zero = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func newCell(t *testing.T, c Config) *cell {
	t.Helper()
	l := &cell{t: t, clock: rt.NewVirtual(zero), names: map[Ref]string{}}
	c.Clock, c.OnEvent = l.clock, l.onEvent
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	l.Scheduler = s
	t.Cleanup(l.close)
	return l
}

func (l *cell) close() {
	if err := l.Close(context.Background()); err != nil && !errors.Is(err, ErrClosed) {
		l.t.Error(err)
	}
}

func (l *cell) onEvent(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

func (l *cell) log(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trace = append(l.trace, fmt.Sprintf(format, args...))
}

// told returns the events so far in words.
func (l *cell) told() (words []string) {
	l.t.Helper()
	l.must(l.Settle(l.t.Context()))
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		text := fmt.Sprintf("%s %v", l.names[e.Net], e.Kind)
		switch e.Kind {
		case NetEnded:
			text += fmt.Sprintf(" %v after %d", e.Cause, e.Cycle)
		case NetStarted:
			text += fmt.Sprintf(" at %v", since(e.Time))
		case RuleFired, RuleInactive:
			text = fmt.Sprintf("rule %d %v", e.Rule, e.Kind)
		case RuleFailed:
			text = fmt.Sprintf("rule %d %v: %T", e.Rule, e.Kind, e.Err)
		}
		words = append(words, text)
	}
	l.events = nil
	return words
}

func since(unix int64) time.Duration { return time.Unix(0, unix).Sub(zero) }

func (l *cell) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *cell) advance(d time.Duration) {
	l.t.Helper()
	l.must(l.clock.Advance(l.t.Context(), d))
}

// part is a net of a test: how long it runs and what it needs.
type part struct {
	name      string
	period    time.Duration
	cycles    uint64 // after which it terminates, 0 = never
	resources []device.Resource
	realtime  bool
	board     *spec.Board
	act       func(cy *spec.Cycle) // beside the trace
}

func (l *cell) admit(p part) Ref {
	l.t.Helper()
	r, err := l.Admit(l.program(p), Options{Realtime: p.realtime})
	l.must(err)
	l.mu.Lock()
	l.names[r] = p.name
	l.mu.Unlock()
	return r
}

func (l *cell) program(p part) *net.Program {
	end := new(spec.Out[bool])
	program := net.NewProgram(p.period, nil,
		func(cy *spec.Cycle) { end.Set(cy, cy.N == p.cycles) },
		func(cy *spec.Cycle) {
			cancel := ""
			if cy.Cancel {
				cancel = " cancelled"
			}
			l.log("%s %d @%v%s", p.name, cy.N, since(cy.Time), cancel)
			if p.act != nil {
				p.act(cy)
			}
		}, end)
	program.Resources = p.resources
	if p.board != nil {
		program.Board = p.board
	}
	return program
}

func (l *cell) traced() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.trace
	l.trace = nil
	return t
}

func joint(n int) []device.Resource {
	return []device.Resource{{Device: "arm", Channel: fmt.Sprint(n)}}
}
