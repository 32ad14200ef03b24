package sched

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// table returns the table of §8.3 in words: number, nets, and the resources that they have in common.
func (l *cell) table() (rows []string) {
	l.t.Helper()
	l.must(l.Settle(l.t.Context()))
	for _, d := range l.Lanes() {
		var nets, common []string
		for _, n := range d.Nets {
			nets = append(nets, l.names[n])
		}
		for _, r := range d.Common {
			common = append(common, r.Device)
		}
		slices.Sort(common)
		rows = append(rows, fmt.Sprintf("%d %s {%s}", d.Number, strings.Join(nets, " "), strings.Join(common, " ")))
	}
	return rows
}

func robots(names ...string) (list []device.Resource) {
	for _, name := range names {
		list = append(list, device.Resource{Device: name})
	}
	return list
}

// The example of §8.3, table by table; its threads A, B and C are 1, 2 and 3.
func TestThreadTable(t *testing.T) {
	for _, cpus := range [][]int{nil, {2, 3}} {
		l := newCell(t, Config{CPUs: cpus})
		admit := func(name string, needs ...string) Ref {
			return l.admit(part{name: name, period: ms, resources: robots(needs...)})
		}
		wantStrings(t, "at the beginning", l.table())
		a := admit("a", "x")
		wantStrings(t, "with a", l.table(), "1 a {x}")
		b := admit("b", "y")
		wantStrings(t, "with b", l.table(), "1 a {x}", "2 b {y}")
		c := admit("c", "x", "y")
		wantStrings(t, "with c", l.table(), "1 a c {x}", "2 b {y}")

		l.must(l.Start(t.Context(), a, b))
		l.advance(3 * ms)
		wantStrings(t, "while a and b run", l.table(), "1 a c {x}", "2 b {y}")
		l.must(l.Abort(t.Context(), a))
		wantStrings(t, "without a: 1 and 2 exclude each other, and 2 is not idle", l.table(), "2 b c {y}")
		l.must(l.Abort(t.Context(), b))
		wantStrings(t, "without b", l.table(), "2 c {x y}")
		d := admit("d", "x")
		wantStrings(t, "with d", l.table(), "2 c d {x}")
		e := admit("e", "y")
		wantStrings(t, "with e", l.table(), "2 c d {x}", "3 e {y}")

		l.must(l.Start(t.Context(), c))
		l.advance(ms)
		l.must(l.Switch(t.Context(), Switch{Stop: []Ref{c}, Start: []Ref{d, e}}))
		l.advance(2 * ms)
		wantStrings(t, "after c was replaced by d and e", l.table(), "2 d {x}", "3 e {y}")
		l.must(l.Abort(t.Context(), d, e))
		wantStrings(t, "at the end", l.table())
	}
}

// The example as rules make it happen: all nets are there from the beginning, and a and b end in the tick in which c begins.
// Nothing can be moved then, as c has begun already.
func TestThreadTableWhileNetsTakeOver(t *testing.T) {
	l := newCell(t, Config{CPUs: []int{0, 1}})
	a := l.admit(part{name: "a", period: ms, resources: robots("x")})
	b := l.admit(part{name: "b", period: ms, resources: robots("y")})
	c := l.admit(part{name: "c", period: ms, resources: robots("x", "y")})
	l.must(l.Start(t.Context(), a, b))
	l.advance(2 * ms)
	first := l.executorOf(a.slot)
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{a, b}, Start: []Ref{c}}))
	l.advance(2 * ms)
	wantStrings(t, "table", l.table(), "1 c {x y}")
	if l.executorOf(c.slot) != first || l.executorOf(b.slot) == first {
		t.Error("c is not executed where a was (requirement 5 of §8.3)")
	}
}

// Nets without resources may all run at once, so that each is on its own; period and class tell threads apart.
func TestLanesOfTheirOwn(t *testing.T) {
	l := newCell(t, Config{})
	l.admit(part{name: "free", period: ms})
	l.admit(part{name: "free too", period: ms})
	l.admit(part{name: "x", period: ms, resources: robots("x")})
	slow := l.admit(part{name: "slow x", period: 2 * ms, resources: robots("x")})
	l.admit(part{name: "important x", period: ms, realtime: true, resources: robots("x")})
	l.admit(part{name: "slow x too", period: 2 * ms, resources: robots("x", "y")})
	wantStrings(t, "table", l.table(), "1 free {}", "2 free too {}", "3 x {x}", "4 slow x slow x too {x}", "5 important x {x}")
	l.must(l.Retire(t.Context(), slow))
	wantStrings(t, "without a net that never ran", l.table(),
		"1 free {}", "2 free too {}", "3 x {x}", "4 slow x too {x y}", "5 important x {x}")
}

// Lanes that are idle become one where the last net went.
func TestIdleLanesBecomeOne(t *testing.T) {
	l := newCell(t, Config{CPUs: []int{0, 1}})
	a := l.admit(part{name: "a", period: ms, resources: robots("x")})
	b := l.admit(part{name: "b", period: ms, resources: robots("y")})
	l.admit(part{name: "c", period: ms, resources: robots("x", "y")})
	l.admit(part{name: "d", period: ms, resources: robots("y")})
	wantStrings(t, "table", l.table(), "1 a c {x}", "2 b d {y}")
	l.must(l.Retire(t.Context(), b))
	wantStrings(t, "without b", l.table(), "1 a c {x}", "2 d {y}")
	l.must(l.Retire(t.Context(), a))
	wantStrings(t, "without a", l.table(), "1 c d {y}")
}

// New lanes go where there is least to do: a CPU carries the net of each lane that takes most.
func TestLanesAreSpread(t *testing.T) {
	l := newCell(t, Config{CPUs: []int{4, 5, 6}})
	cpus := func() (list []string) {
		for _, d := range l.Lanes() {
			list = append(list, fmt.Sprintf("%s on %d", l.names[d.Nets[0]], d.CPU))
		}
		return list
	}
	l.admit(part{name: "fast", period: ms / 4})
	l.admit(part{name: "a", period: ms, resources: robots("x")})
	l.admit(part{name: "beside a", period: ms, resources: robots("x")}) // adds nothing: never both at once
	l.admit(part{name: "b", period: ms})
	l.admit(part{name: "c", period: ms, realtime: true})
	l.admit(part{name: "d", period: 2 * ms})
	l.admit(part{name: "e", period: ms})
	wantStrings(t, "lanes", cpus(), "fast on 4", "a on 5", "b on 6", "c on 5", "d on 6", "e on 6")
	if n := len(l.Executors()); n != 5 {
		t.Errorf("%d executors for fast, a, b with e, c, d", n)
	}
}

// When the table of executors is full nets go to executors of their period on other CPUs.
func TestNoRoomForMoreExecutors(t *testing.T) {
	l := newCell(t, Config{CPUs: []int{0, 1}})
	for i := range maxExecutors {
		l.admit(part{name: fmt.Sprint(i), period: ms + time.Duration(i)*time.Microsecond})
	}
	l.admit(part{name: "one more", period: ms})
	if d := l.Lanes()[maxExecutors]; d.Period != ms {
		t.Errorf("%+v", d)
	}
	if _, err := l.Admit(l.program(part{period: time.Second}), Options{}); err == nil {
		t.Error("a net without an executor")
	}
}

// lanesHold checks what is true of every table: each net is in one lane, with others of its period and class; lanes of more
// than one net have a resource that all of them need, the nets of a lane are on one executor, and no two lanes could be
// one, unless nets run in both.
func (l *cell) lanesHold() {
	l.t.Helper()
	l.must(l.Settle(l.t.Context()))
	l.Scheduler.mu.Lock()
	defer l.Scheduler.mu.Unlock()
	seen := map[uint32]bool{}
	for i, a := range l.lanes {
		common := slices.Clone(l.slots.at(a.nets[0]).resources)
		for _, n := range a.nets {
			x := l.executorOf(n)
			if seen[n] || x.key != a.key || l.slots.at(n).lane != a || x != l.executorOfLane(a) {
				l.t.Fatalf("%s is in the wrong lane, or on an executor of its own", l.names[Ref{n, l.slots.at(n).generation}])
			}
			seen[n] = true
			common = intersection(common, l.slots.at(n).resources)
		}
		if !slices.Equal(slices.Sorted(slices.Values(common)), slices.Sorted(slices.Values(a.common))) || len(a.nets) > 1 && len(common) == 0 {
			l.t.Fatalf("lane %d: common resources %v instead of %v", a.number, a.common, common)
		}
		for _, b := range l.lanes[i+1:] {
			if a.key == b.key && len(intersection(a.common, b.common)) > 0 && !(l.executes(a) && l.executes(b)) {
				l.t.Fatalf("lanes %d and %d exclude each other", a.number, b.number)
			}
		}
	}
	for i := range l.slots.of {
		if l.slots.of[i].admitted && l.nets.at(uint32(i)).state == Ready && !seen[uint32(i)] {
			l.t.Fatalf("net %d is in no lane", i)
		}
	}
	for i := range l.executorsUsed() {
		x := l.executor(i)
		nets := 0
		for k := range l.slots.of {
			if l.slots.of[k].admitted && l.executorOf(uint32(k)) == x {
				nets++
			}
		}
		if int(x.nets.Load()) != nets {
			l.t.Fatalf("executor %d counts %d nets, it has %d", i, x.nets.Load(), nets)
		}
	}
}

// Whatever comes and goes, the table holds what it promises.
func TestLanesHold(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 8))
		l := newCell(t, Config{CPUs: []int{0, 1, 2}, Slots: 24})
		var here []Ref
		for step := range 150 {
			any := func() Ref { return here[random.IntN(len(here))] }
			switch k := random.IntN(10); {
			case len(here) < 3, k < 4 && len(here) < 20:
				p := part{name: fmt.Sprint("n", step), period: time.Duration(1+random.IntN(2)) * ms, cycles: uint64(random.IntN(6))}
				for _, name := range []string{"x", "y", "z"} {
					if random.IntN(2) == 0 {
						p.resources = append(p.resources, robots(name)...)
					}
				}
				here = append(here, l.admit(p))
			case k < 7: // what holds its resources is replaced
				next := any()
				var stop []Ref
				for _, n := range here {
					if n != next && len(intersection(l.slots.at(n.slot).resources, l.slots.at(next.slot).resources)) > 0 {
						stop = append(stop, n)
					}
				}
				_ = l.Switch(t.Context(), Switch{Stop: stop, Start: []Ref{next}}) // it may have been started before
			case k < 8:
				n := any()
				l.must(l.Retire(t.Context(), n))
				here = slices.DeleteFunc(here, func(other Ref) bool { return other == n })
			default:
				l.advance(time.Duration(random.IntN(4)) * ms)
			}
			l.lanesHold()
		}
		l.close()
	}
}

// A net that is moved while it is started is executed on one of the two executors, which both know.
func TestMovedWhileStarted(t *testing.T) {
	for _, way := range []string{"before", "after", "at once"} {
		t.Run(way, func(t *testing.T) {
			for range 50 {
				moveAndSettle(t, way)
			}
		})
	}
}

func moveAndSettle(t *testing.T, way string) {
	t.Helper()
	s := newByHand(t, Config{CPUs: []int{0, 1}, Slots: 4, Rules: 1, Resources: 1})
	a := s.started(t, nil, nil)
	moved, err := s.Admit(ending(ms, 0), Options{})
	if err != nil {
		t.Fatal(err)
	}
	from, to := s.executorOf(moved.slot), s.executorOf(a.slot)
	if from == to {
		t.Fatal("both are on one executor")
	}
	move := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.move(moved.slot, to)
	}
	settle := func() { s.settle([]Ref{moved}) }
	var both sync.WaitGroup
	switch way {
	case "before":
		move()
		settle()
	case "after":
		settle()
		move()
	default:
		both.Go(move)
		both.Go(settle)
		both.Wait()
	}
	home := s.executorOf(moved.slot)
	if way == "before" && home != to || way == "after" && home != from || home != from && home != to {
		t.Fatalf("it is executed on CPU %d", home.cpu)
	}
	if s.slots.at(moved.slot).home.Load()&settled == 0 || from.nets.Load()+to.nets.Load() != 2 || home.nets.Load() == 0 {
		t.Fatalf("counts %d and %d", from.nets.Load(), to.nets.Load())
	}
}
