// Package script has what happens to simulated devices, and when: faults for tests, written as parameters of devices.
//
//	1s off; 1.5s on; 2s fail 0; 5s torque 2 10
//
// Times are counted from the first tick of the device. Which words there are, and how many numbers each of them needs, every
// device says itself.
package script

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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

// Index is the number of one of several things, from 0.
func Index(of string, n int) Number { return Number{Whole: true, Most: float64(n - 1), Counts: of} }

// Between is a number within bounds, both allowed.
func Between(least, most float64) Number { return Number{Least: least, Most: most} }

// Most is how many numbers a word may need.
const Most = 6

// Event is something that happens: the number of its word, and the numbers behind the word.
type Event struct {
	What    int
	Numbers [Most]float64

	at int64 // ns after the first tick
}

// Script is what happens, in its order. It belongs to the thread that ticks the device.
type Script struct {
	events []Event
	next   int
	begun  bool
	epoch  int64
}

// Parse reads a script (load).
func Parse(text string, words []Word) (*Script, error) {
	s := &Script{}
	for part := range strings.SplitSeq(text, ";") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		e, err := parse(fields, words)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", strings.TrimSpace(part), err)
		}
		s.events = append(s.events, e)
	}
	slices.SortStableFunc(s.events, func(a, b Event) int { return cmp.Compare(a.at, b.at) })
	return s, nil
}

func parse(fields []string, words []Word) (e Event, err error) {
	at, err := time.ParseDuration(fields[0])
	if err != nil || at < 0 {
		return e, fmt.Errorf("%s is no time after the beginning", fields[0])
	}
	if len(fields) < 2 {
		return e, fmt.Errorf("what happens is missing")
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.Name
	}
	what := slices.Index(names, fields[1])
	if what < 0 {
		return e, fmt.Errorf("nothing is called %s%s", fields[1], suggest.DidYouMean(fields[1], slices.Values(names)))
	}
	given, want := fields[2:], words[what].Numbers
	if len(given) != len(want) {
		return e, fmt.Errorf("%s needs %d numbers", fields[1], len(want))
	}
	e = Event{What: what, at: int64(at)}
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
			return 0, fmt.Errorf("there is no %s %s, only %v to %v", n.Counts, text, n.Least, n.Most)
		}
		return float64(v), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s is no number", text)
	case !n.Unbounded && (v < n.Least || v > n.Most):
		return 0, fmt.Errorf("%s is not between %v and %v", text, n.Least, n.Most)
	}
	return v, nil
}

// Next returns what is due at an instant and has not happened yet, one after the other (cycle).
func (s *Script) Next(now int64) (e Event, due bool) {
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
