package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// words returns a value of several words: a stand-in for structured types.
func words(key string, n int) spec.Var {
	return spec.Var{Key: key, Type: "words", Report: true, Initial: make([]uint64, n)}
}

func TestVarText(t *testing.T) {
	v := spec.NewVar("outx", 0.5)
	if got := string(v.Text(nil, v.Initial)); got != "0.5" || v.Type != value.TypeDouble || !v.Report {
		t.Errorf("%s of type %s, reported %t", got, v.Type, v.Report)
	}
	w, err := v.Parse("-inf")
	if err != nil || string(v.Text(nil, w)) != "-inf" {
		t.Errorf("-inf is read as %s, %v", v.Text(nil, w), err)
	}
	if _, err := v.Parse("much"); err == nil {
		t.Error("much is a double")
	}
}

func TestVarsShareKeys(t *testing.T) {
	var b spec.Board
	first := spec.NewVar("outx", int32(1))
	first.Report = false
	offset, err := b.Add(first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(spec.NewVar("outy", true)); err != nil {
		t.Fatal(err)
	}
	again, err := b.Add(spec.NewVar("outx", int32(2)))
	if err != nil || again != offset {
		t.Errorf("the same key is at %d and at %d, %v", offset, again, err)
	}
	if v, ok := b.Find("outx"); !ok || !v.Report || v.Initial[0] != 1 {
		t.Error("the value is not that of the first, or not reported although one wants it")
	}
	if _, err := b.Add(spec.NewVar("outx", 1.0)); err == nil || !strings.Contains(err.Error(), "outx is used with type int and with type double") {
		t.Errorf("two types: %v", err)
	}
	if len(b.Vars()) != 2 || b.Size() != 5 {
		t.Errorf("%d variables in %d words", len(b.Vars()), b.Size())
	}
}

// inbox has two variables of one word.
func inbox(t *testing.T) (b *spec.Inbox, x, y *spec.Var) {
	t.Helper()
	b = &spec.Inbox{}
	for _, key := range []string{"inx", "iny"} {
		if _, err := b.Add(words(key, 1)); err != nil {
			t.Fatal(err)
		}
	}
	b.Seal()
	x, _ = b.Find("inx")
	y, _ = b.Find("iny")
	return b, x, y
}

func read(b *spec.Inbox, v *spec.Var) [2]uint64 {
	var dst [2]uint64
	b.Read(v.Offset(), dst[:])
	return dst
}

func TestInboxTake(t *testing.T) {
	b, x, y := inbox(t)
	b.Put(100, spec.Update{Var: x, Words: []uint64{1}})
	if got := read(b, x); got != [2]uint64{} {
		t.Errorf("%v before it is taken", got)
	}
	b.Put(200, spec.Update{Var: y, Words: []uint64{2}})
	b.Take()
	if gotX, gotY := read(b, x), read(b, y); gotX != [2]uint64{100, 1} || gotY != [2]uint64{200, 2} {
		t.Errorf("after two writes: %v %v", gotX, gotY)
	}
	b.Put(300, spec.Update{Var: x, Words: []uint64{3}})
	b.Take()
	b.Take()
	if gotX, gotY := read(b, x), read(b, y); gotX != [2]uint64{300, 3} || gotY != [2]uint64{200, 2} {
		t.Errorf("after another write: %v %v", gotX, gotY)
	}
	if diff := cmp.Diff([]uint64{3}, b.Latest(x)); diff != "" {
		t.Error(diff)
	}
}

// TestInboxHammer: what several writers put together is read together, and never runs backwards.
func TestInboxHammer(t *testing.T) {
	b, x, y := inbox(t)
	const writes = 20_000
	var writers sync.WaitGroup
	var count struct {
		sync.Mutex
		n uint64
	}
	for range 2 {
		writers.Go(func() {
			for range writes {
				count.Lock() // the order of the numbers is the order of the writes
				count.n++
				b.Put(int64(count.n), spec.Update{Var: x, Words: []uint64{count.n}}, spec.Update{Var: y, Words: []uint64{^count.n}})
				count.Unlock()
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	last := uint64(0)
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		b.Take()
		gotX, gotY := read(b, x), read(b, y)
		if gotX[0] != 0 && (gotX[0] != gotX[1] || gotY[1] != ^gotX[1]) || gotX[1] < last {
			t.Fatalf("%v and %v after %d", gotX, gotY, last)
		}
		last = gotX[1]
	}
	if last != 2*writes {
		t.Errorf("%d arrived last, not %d", last, 2*writes)
	}
}

func TestInboxPeer(t *testing.T) {
	b, x, _ := inbox(t)
	var dst [1]uint64
	if seen := b.Received(x.Offset(), 0, dst[:]); seen != 0 {
		t.Errorf("number %d before anything was sent", seen)
	}
	b.Send(x.Offset(), []uint64{7})
	seen := b.Received(x.Offset(), 0, dst[:])
	if seen == 0 || dst[0] != 7 {
		t.Errorf("number %d: %d, not 7", seen, dst[0])
	}
	if again := b.Received(x.Offset(), seen, dst[:]); again != seen {
		t.Errorf("number %d after %d without a new value", again, seen)
	}
	if got := read(b, x); got != [2]uint64{} {
		t.Errorf("what a net sends shows as written by the application: %v", got)
	}
}

// TestOutside: offsets that lie outside are ignored, as nothing may panic in the cycle.
func TestOutside(t *testing.T) {
	in, _, _ := inbox(t)
	var board spec.Board
	board.Seal()
	dst := make([]uint64, 3)
	for _, offset := range []int{-1, 4, 1 << 40} {
		in.Read(offset, dst)
		in.Send(offset, dst)
		if seen := in.Received(offset, 5, dst); seen != 5 {
			t.Errorf("offset %d received number %d", offset, seen)
		}
		board.Write(offset, dst)
		if _, _, ok := board.Read(offset, dst); ok {
			t.Errorf("offset %d can be read", offset)
		}
	}
}

// TestBoardHammer: whoever reads a board sees the words of one cycle, and its number.
func TestBoardHammer(t *testing.T) {
	var b spec.Board
	for _, key := range []string{"outx", "outy"} {
		if _, err := b.Add(words(key, 2)); err != nil {
			t.Fatal(err)
		}
	}
	b.Seal()
	y, _ := b.Find("outy")
	const cycles = 50_000
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := uint64(1); n <= cycles; n++ {
			b.Write(0, []uint64{n, n})
			if n%2 == 0 {
				b.Write(y.Offset(), []uint64{n, n})
			}
			b.End(n)
		}
	}()
	all, one := make([]uint64, b.Size()), make([]uint64, 2)
	last := uint64(0)
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if n := b.Snapshot(all); n > 0 {
			even := n - n%2
			if diff := cmp.Diff([]uint64{n, n, even, even}, []uint64{all[1], all[2], all[4], all[5]}); diff != "" {
				t.Fatalf("cycle %d (-want +got):\n%s", n, diff)
			}
			if given := all[3] != 0; given != (even > 0) {
				t.Fatalf("cycle %d: outy was given: %v", n, given)
			}
		}
		written, published, ok := b.Read(y.Offset(), one)
		if ok && (written != one[0] || written != one[1] || published-written > 1) {
			t.Fatalf("%v written in cycle %d, newest %d", one, written, published)
		}
		if ok {
			last = published
		}
	}
	if last != cycles {
		t.Errorf("cycle %d was published last", last)
	}
}

// TestBoardOfANetThatIsStopped stops a net at each point of its cycle: whoever reads the board gets the cycle before, at once.
func TestBoardOfANetThatIsStopped(t *testing.T) {
	var b spec.Board
	for _, key := range []string{"outx", "outy"} {
		if _, err := b.Add(words(key, 2)); err != nil {
			t.Fatal(err)
		}
	}
	b.Seal()
	x, _ := b.Find("outx")
	y, _ := b.Find("outy")
	look := func(n uint64, stopped string) {
		t.Helper()
		all := make([]uint64, b.Size())
		cycle := b.Snapshot(all)
		if got := []uint64{all[1], all[2], all[4], all[5]}; cycle != n || !slices.Equal(got, []uint64{n, n, n, n}) {
			t.Errorf("%s: %v of cycle %d, want %d", stopped, got, cycle, n)
		}
		var one [2]uint64
		if _, published, ok := b.Read(y.Offset(), one[:]); !ok || published != n || one != [2]uint64{n, n} {
			t.Errorf("%s: another net gets %v of cycle %d, want %d", stopped, one, published, n)
		}
	}
	for n := range uint64(10) {
		look(n, "before it writes")
		b.Write(x.Offset(), []uint64{n + 1, n + 1})
		look(n, "after one variable")
		b.Write(y.Offset(), []uint64{n + 1, n + 1})
		look(n, "before it publishes")
		b.End(n + 1)
	}
}

// TestBoardTellsWhenAVariableWasWritten: never, in the newest cycle, or before (§7.6.1: a time-stamp to recognize old
// values).
func TestBoardTellsWhenAVariableWasWritten(t *testing.T) {
	var b spec.Board
	for i := range 70 { // more than a word of marks
		if _, err := b.Add(words(fmt.Sprint("out", i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	b.Seal()
	v, _ := b.Find("out69")
	for n, step := range []struct {
		write bool
		want  uint64
	}{{false, 0}, {true, 2}, {true, 3}, {false, 3}, {false, 3}, {true, 6}} {
		if step.write {
			b.Write(v.Offset(), []uint64{7})
		}
		b.End(uint64(n + 1))
		written, published, ok := b.Read(v.Offset(), nil)
		if !ok || written != step.want || published != uint64(n+1) {
			t.Errorf("cycle %d: written in %d, want %d; newest %d", n+1, written, step.want, published)
		}
	}
}

// Boolean variables are true or false in the cycle that has written them, and neither in others.
func TestTruth(t *testing.T) {
	var b spec.Board
	for _, key := range []string{"outx", "outy"} {
		if _, err := b.Add(spec.NewVar(key, true)); err != nil {
			t.Fatal(err)
		}
	}
	b.Seal()
	y, _ := b.Find("outy")
	truth, none := b.Truth(y.Offset()), b.Truth(b.Size())
	const bit = 1 << 63
	for n, step := range []struct {
		words   []uint64 // written, none if there are none
		is, may uint64
	}{{nil, 0, bit}, {[]uint64{1}, bit, bit}, {[]uint64{1}, bit, bit}, {nil, 0, bit}, {[]uint64{0}, 0, 0}, {nil, 0, bit}} {
		before := b.Edition()
		if len(step.words) > 0 {
			b.Write(y.Offset(), step.words)
		}
		if !b.Unchanged(before) {
			t.Errorf("cycle %d is seen before it is complete", n+1)
		}
		b.End(uint64(n + 1))
		after := b.Edition()
		if after.Number() != uint64(n+1) || b.Unchanged(before) || !b.Unchanged(after) {
			t.Errorf("cycle %d: edition %d of cycle %d after %d", n+1, after, after.Number(), before)
		}
		if is, may := truth.Read(); is != step.is || may != step.may {
			t.Errorf("cycle %d: %x %x, want %x %x", n+1, is, may, step.is, step.may)
		}
		if is, may := none.Read(); is != 0 || may != bit {
			t.Errorf("cycle %d: a variable that is none is %x %x", n+1, is, may)
		}
	}
}

// TestInboxChanged: whoever looks only then misses nothing.
func TestInboxChanged(t *testing.T) {
	b, x, _ := inbox(t)
	for i, step := range []struct {
		write func()
		want  bool
	}{
		{func() {}, true}, // initial values are new
		{func() {}, false},
		{func() { b.Put(100, spec.Update{Var: x, Words: []uint64{1}}) }, true},
		{func() {}, false},
		{func() { b.Send(x.Offset(), []uint64{2}); b.Send(x.Offset(), []uint64{3}) }, true},
		{func() {}, false},
	} {
		step.write()
		if b.Take(); b.Changed() != step.want {
			t.Errorf("step %d: changed is %t", i, b.Changed())
		}
	}
}
