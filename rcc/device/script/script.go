// Package script has what happens to simulated devices, and when: faults for tests, written as parameters of devices.
//
//	1s off; 1.5s on; 2s fail 0; 5s torque 2 10
//
// Times are counted from the first tick of the device. Which words there are, and how many numbers each of them needs, every
// device says itself.
package script

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Word is something that may happen.
type Word struct {
	Name    string
	Numbers []Number
}

// Number is a number that a word needs.
type Number struct {
	Whole     bool
	Least     float64 // both allowed
	Most      float64
	Counts    string // what whole numbers count, for people: joint
	Unbounded bool   // any finite number is allowed
}

// Any is any finite number.
var Any = Number{Unbounded: true}

// Index returns the number of one of several things, from 0.
func Index(of string, n int) Number { return Number{Whole: true, Most: float64(n - 1), Counts: of} }

// Between returns a number within bounds, both allowed.
func Between(least, most float64) Number { return Number{Least: least, Most: most} }

// Most is how many numbers a word may need.
const Most = 6

// Event is something that happens: the number of its word, and the numbers behind the word.
type Event struct {
	What    int
	Numbers [Most]float64

	at int64 // ns after the first tick
}

// Script is what happens, in its order, and what is ordered besides. Next belongs to the thread that ticks the device.
type Script struct {
	words  []Word
	events []Event
	next   int
	begun  bool
	epoch  int64

	mu          sync.Mutex  // of those who let something happen
	sudden      [room]Event // a ring
	told, taken atomic.Uint64
}

// room is for what may be ordered between two ticks.
const room = 16

// Parse reads a script (load).
func Parse(text string, words []Word) (*Script, error) {
	s := &Script{words: words}
	for part := range strings.SplitSeq(text, ";") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		e, err := timed(fields, words)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", strings.TrimSpace(part), err)
		}
		s.events = append(s.events, e)
	}
	slices.SortStableFunc(s.events, func(a, b Event) int { return cmp.Compare(a.at, b.at) })
	return s, nil
}

func timed(fields []string, words []Word) (e Event, err error) {
	at, err := time.ParseDuration(fields[0])
	if err != nil || at < 0 {
		return e, fmt.Errorf("%s is not a time after the beginning", fields[0])
	}
	e, err = parse(fields[1:], words)
	e.at = int64(at)
	return e, err
}

func parse(fields []string, words []Word) (e Event, err error) {
	if len(fields) == 0 {
		return e, errors.New("event is missing")
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.Name
	}
	name, given := fields[0], fields[1:]
	e.What = slices.Index(names, name)
	if e.What < 0 {
		return e, fmt.Errorf("unknown event %s%s", name, suggest.DidYouMean(name, slices.Values(names)))
	}
	want := words[e.What].Numbers
	if len(given) != len(want) {
		return e, fmt.Errorf("%s needs %d numbers", name, len(want))
	}
	for i, n := range want {
		if e.Numbers[i], err = n.parse(given[i]); err != nil {
			return e, err
		}
	}
	return e, nil
}

func (n Number) parse(text string) (float64, error) {
	if n.Whole {
		v, err := strconv.Atoi(text)
		if err != nil || float64(v) < n.Least || float64(v) > n.Most {
			return 0, fmt.Errorf("no %s %s, only %v to %v", n.Counts, text, n.Least, n.Most)
		}
		return float64(v), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is not a number", text)
	case !n.Unbounded && (v < n.Least || v > n.Most):
		return 0, fmt.Errorf("%s is not between %v and %v", text, n.Least, n.Most)
	}
	return v, nil
}

// Happen lets something happen in the next tick: a word with its numbers (any).
func (s *Script) Happen(text string) error {
	e, err := parse(strings.Fields(text), s.words)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	told := s.told.Load()
	if told-s.taken.Load() == room {
		return errors.New("too many events for one tick")
	}
	s.sudden[told%room] = e
	s.told.Store(told + 1)
	return nil
}

// Words returns what may happen, for people: fail JOINT (any).
func (s *Script) Words() []string {
	list := make([]string, len(s.words))
	for i, w := range s.words {
		list[i] = w.Name
		for _, n := range w.Numbers {
			list[i] += " " + cmp.Or(strings.ToUpper(n.Counts), "NUMBER")
		}
	}
	return list
}

// Next returns what is due at an instant and has not happened yet, one after the other (cycle).
func (s *Script) Next(now int64) (e Event, due bool) {
	if at := s.taken.Load(); at != s.told.Load() {
		e = s.sudden[at%room]
		s.taken.Store(at + 1)
		return e, true
	}
	if !s.begun {
		s.begun, s.epoch = true, now
	}
	events := s.events
	if uint(s.next) >= uint(len(events)) || events[s.next].at > now-s.epoch {
		return e, false
	}
	e = events[s.next]
	s.next++
	return e, true
}
