// Planted breaks every rule of the cycle, each in a function of its own, and keeps all of them in its clean functions. The
// tests of cyclecheck begin cycles in each of them.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

type state struct {
	number, other int
	real          float64
	text          string
	numbers       []int
	table         map[int]int
	channel       chan int
	mu            sync.Mutex
	any           any
	err           error
	now           time.Time
	next, spare   *state
	list          []*state
	device, twin  device
	safe          safe
	pair          pair
	steps         []func(*state, int)
	step          func(*state, string)
	count         atomic.Int64
	shared        atomic.Pointer[state]
	port          port[[]int]
}

// port holds a value as an out port does, also an array.
type port[T any] struct{ value T }

func (p *port[T]) set(v T) { p.value = v }

type pair struct {
	left, right *state
	values      [8]*int
}

type cycle struct{ period float64 }

type device interface{ cycle(c *cycle) }

// safe is an interface whose methods keep the rules, all of them: who calls one of them may reach each.
type safe interface{ turn(by float64) }

func (m *motor) turn(by float64) { m.position += by }

type motor struct{ position float64 }

func (m *motor) cycle(c *cycle) { m.position += c.period }

// logger is a device that does what it must not.
type logger struct{ lines []string }

func (l *logger) cycle(c *cycle) { l.lines = append(l.lines, fmt.Sprint(c.period)) }

// geared has the method of its motor.
type geared struct {
	ratio float64
	*logger
}

func cleanCalls(s *state) {
	s.safe.turn(s.real)
	for i, step := range s.steps {
		step(s, i)
	}
	s.real = largest([]float64{s.real, 1, 2})
	copy(s.port.value, s.numbers)
	switch s.number { // a table of jumps
	case 0:
		s.other = 3
	case 1:
		s.other++
	case 2:
		s.other--
	case 3:
		s.other *= 7
	case 4:
		s.other ^= 5
	case 5:
		s.other = -s.other
	case 6:
		s.other <<= 1
	case 7:
		s.other >>= 1
	case 8:
		s.other |= 16
	}
}

func cleanNumbers(s *state) {
	s.real = math.Sqrt(s.real) + math.Floor(s.real) + math.Abs(s.real) + math.Exp(s.real) + math.FMA(s.real, 2, 1)
	if s.other != 0 {
		s.number /= s.other
	}
	if list, i := s.numbers, s.number; i >= 0 && i < len(list) {
		list[i]++
		copy(list[i:], list)
	}
	s.count.Add(1)
}

var shared cycle

func (s *state) cycleOf() *cycle { return &shared }

type ordered interface{ ~int | ~float64 }

func largest[T ordered](list []T) T {
	var most T
	for _, v := range list {
		most = max(most, v)
	}
	return most
}

func (s *state) halve() { s.number >>= 1 }

func (s *state) raise(by int) { s.number += by }

func (s *state) lower(by int) { s.number -= by }

func allocates(s *state) { s.number += len(fresh(s.number)) }

//go:noinline
func fresh(n int) []int { return make([]int, n) }

func escapes(s *state) {
	c := cycle{period: s.real}
	s.device.cycle(&c)
}

func appends(s *state) { s.number = len(append(s.numbers, s.number)) }

func looksUp(s *state)     { s.number = s.table[s.number] }
func maps(s *state)        { s.table[s.number] = 1 }
func sends(s *state)       { s.channel <- s.number }
func receives(s *state)    { s.number = <-s.channel }
func starts(s *state)      { go s.halve() }
func locks(s *state)       { s.mu.Lock() }
func unlocks(s *state)     { s.mu.Unlock() }
func linksNext(s *state)   { s.next = s.spare }
func linksAny(s *state)    { s.device = s.twin }
func linksPair(s *state)   { s.spare.pair = s.pair }
func linksText(s *state)   { s.text = s.spare.text }
func slices(s *state)      { s.numbers = s.spare.numbers[:0] }
func setsArray(s *state)   { s.port.set(s.numbers) }
func swaps(s *state)       { s.shared.Swap(s.next) }
func boxes(s *state)       { s.any = s.number }
func divides(s *state)     { s.number /= s.other }
func indexes(s *state)     { s.number = s.numbers[s.other] }
func cuts(s *state)        { s.number = len(s.numbers[s.other:]) }
func shifts(s *state)      { s.number <<= s.other }
func joins(s *state)       { s.number = len(join(s.text, s.spare.text)) }
func converts(s *state)    { s.number = len(bytesOf(s.text)) }
func formats(s *state)     { s.number = len(strconv.Itoa(s.number)) }
func prints(s *state)      { fmt.Fprintln(os.Stderr, s.number) }
func looksAtTime(s *state) { s.number = time.Now().Nanosecond() }
func sleeps(*state)        { time.Sleep(1) }
func asserts(s *state)     { s.number = s.any.(int) }
func panics(s *state) {
	if s.number < 0 {
		panic(s.err)
	}
}

func defers(s *state) {
	for range s.numbers {
		defer s.halve()
	}
}

func defersOnce(s *state) {
	defer s.halve()
	s.device.cycle(nil)
}

func linksList(s *state) {
	if len(s.list) > 0 {
		s.list[0] = s.next
	}
}

func selects(s *state) {
	select {
	case s.channel <- 1:
	case n := <-s.spare.channel:
		s.number = n
	}
}

//go:noinline
func join(a, b string) string { return a + b }

//go:noinline
func bytesOf(s string) []byte { return []byte(s) }

func recurses(s *state) { s.number += descend(s.number) }

func descend(n int) int {
	if n <= 0 {
		return 0
	}
	return 1 + descend(n-1)
}

func recursesOverTwo(s *state) { s.number += even(s.number) }

//go:noinline
func even(n int) int {
	if n == 0 {
		return 1
	}
	return odd(n-1) + 1
}

//go:noinline
func odd(n int) int {
	if n == 0 {
		return 0
	}
	return even(n-1) + 1
}

func isLarge(s *state) {
	var all [70 << 10]byte
	for i := range all {
		all[i] = byte(s.number + i)
	}
	s.number = int(all[s.other&0xfff]) + int(all[s.number&0xfff])
}

func reachesThroughPointer(s *state)     { s.step(s, s.text) }
func reachesThroughInterface(s *state)   { s.device.cycle(s.cycleOf()) }
func reachesThroughMethodValue(s *state) { call(s.badEnd) }
func reachesThroughLiteral(s *state)     { each(s, func(n int) { s.err = strconv.ErrRange }) }
func reachesThroughGeneric(s *state)     { s.number = apply[*state](s, 1) }
func reachesNothing(s *state)            { never(s, true) }
func reachesNobody(*state)               { unborn.live(1) }

var never func(*state, bool)

// unborn is of an interface that no type has: it is nil for ever, and nothing is called.
var unborn interface{ live(int) }

func (s *state) badStep(string) { s.number = s.table[1] }

func (s *state) badEnd() { s.number = s.table[2] }

//go:noinline
func each(s *state, f func(int)) {
	for _, n := range s.numbers {
		f(n)
	}
}

//go:noinline
func call(f func()) { f() }

type adder interface{ add(int) int }

func (s *state) add(n int) int { return s.table[n] }

//go:noinline
func apply[T adder](a T, n int) int { return a.add(n) }

// main makes all of it reachable, as far as anybody can tell.
func main() {
	s := &state{device: &motor{}, twin: &motor{}, safe: &motor{}, steps: []func(*state, int){(*state).raise, (*state).lower}}
	s.spare = s
	if len(os.Args) > 1 {
		s.device, s.step = &geared{1, &logger{}}, (*state).badStep
	}
	for _, root := range []func(*state){
		cleanCalls, cleanNumbers, allocates, escapes, appends, looksUp, maps, sends, receives, starts, locks, unlocks,
		linksNext, linksAny, linksPair, linksText, linksList, slices, setsArray, swaps, boxes, divides, indexes, cuts, shifts, joins, converts,
		formats, prints, looksAtTime, sleeps, asserts, panics, defers, defersOnce, selects, recurses, recursesOverTwo, isLarge,
		reachesThroughPointer, reachesThroughInterface, reachesThroughMethodValue, reachesThroughLiteral, reachesThroughGeneric, reachesNothing, reachesNobody,
	} {
		root(s)
	}
}
