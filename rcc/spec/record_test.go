package spec

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// recorderOf records cells, each for some cycles, by a kernel for each.
func recorderOf(bytes int64, cycles int, cells ...any) (r *Recorder, do func(cy *Cycle)) {
	r = new(Recorder)
	for i, cell := range cells {
		r.Record(fmt.Sprint("p", i), cell, cycles)
	}
	if bytes >= 0 {
		r.Shorten(bytes)
	}
	r.Seal()
	var kernels []func(*Cycle)
	for i := range cells {
		if r.Keeps(i) {
			kernels = append(kernels, r.Kernel([]int{i}))
		}
	}
	return r, func(cy *Cycle) {
		r.Begin(cy)
		for _, k := range kernels {
			k(cy)
		}
		r.End(cy)
	}
}

// table returns what a copy has, a line for each cycle.
func table(c *Recording) string {
	var b strings.Builder
	first, last := c.Cycles()
	for n := first; n <= last; n++ {
		fmt.Fprint(&b, n)
		for i := range c.Ports() {
			text, ok := c.Text(nil, n, i)
			if !ok {
				text = []byte("-")
			}
			fmt.Fprint(&b, " ", string(text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestRecorderKeepsEveryType goes round a ring with a port of each type, null in every third cycle, and an open one.
func TestRecorderKeepsEveryType(t *testing.T) {
	var (
		flag   Out[bool]
		count  Out[int32]
		length Out[float64]
		at     Out[value.Time]
		place  Out[geom.Vector]
		list   = Out[[]float64]{V: make([]float64, 3)}
		flags  = Out[[]bool]{V: make([]bool, 2)}
		none   = Out[[]int32]{V: []int32{}}
		matrix = Out[value.Matrix]{V: value.Matrix{Rows: 1, Cols: 2, V: make([]float64, 2)}}
	)
	r, do := recorderOf(-1, 3, &flag, &count, &length, &at, &place, &list, &flags, &none, &matrix, nil)
	var cy Cycle
	if got := table(copyOf(t, r, 0)); got != "" {
		t.Errorf("before the first cycle there is %s", got)
	}
	for range 7 {
		cy.N++
		if n := float64(cy.N); cy.N%3 != 0 {
			flag.Set(&cy, cy.N%2 == 0)
			count.Set(&cy, -int32(cy.N))
			length.Set(&cy, n/2)
			at.Set(&cy, value.Time(cy.N))
			place.Set(&cy, geom.Vector{X: n, Z: -n})
			SetElements(&list, &cy, []float64{n, n + 1, n + 2})
			SetElements(&flags, &cy, []bool{true, cy.N == 4})
			none.Touch(&cy)
			matrix.V.Set(0, 1, n)
			matrix.Touch(&cy)
		}
		do(&cy)
	}
	want := "5 false -5 2.5 5 {x:5,y:0,z:-5} [5,6,7] [true,false] [] [[0,5]] -\n" +
		"6 - - - - - - - - - -\n" +
		"7 false -7 3.5 7 {x:7,y:0,z:-7} [7,8,9] [true,false] [] [[0,7]] -\n"
	if got := table(copyOf(t, r, 0)); got != want {
		t.Errorf("kept\n%swant\n%s", got, want)
	}
	if got := table(copyOf(t, r, 6)); got != want[strings.LastIndex(want, "\n7")+1:] {
		t.Errorf("after cycle 6:\n%s", got)
	}
	if got := table(copyOf(t, r, 7)) + table(copyOf(t, r, 1000)); got != "" {
		t.Errorf("after the last cycle: %s", got)
	}
}

// TestRecorderOfManyPorts has more ports than there are bits in a word.
func TestRecorderOfManyPorts(t *testing.T) {
	cells := make([]any, 130)
	for i := range cells {
		cells[i] = new(Out[float64])
	}
	r, do := recorderOf(-1, 2, cells...)
	cy := Cycle{}
	for range 5 {
		cy.N++
		for i, c := range cells {
			if i%3 == int(cy.N)%3 {
				c.(*Out[float64]).Set(&cy, float64(i)+float64(cy.N)/10)
			}
		}
		do(&cy)
	}
	c := copyOf(t, r, 0)
	for n := uint64(4); n <= 5; n++ {
		for i := range cells {
			text, ok := c.Text(nil, n, i)
			if want := fmt.Sprint(float64(i) + float64(n)/10); ok != (i%3 == int(n)%3) || ok && string(text) != want {
				t.Fatalf("cycle %d, port %d: %s, %t", n, i, text, ok)
			}
		}
	}
}

// TestRecorderIsShortened gives recorders less memory than they ask for.
func TestRecorderIsShortened(t *testing.T) {
	for _, tt := range []struct {
		bytes int64
		kept  string
	}{
		{-1, "3 4 5 6"}, {5 * 24, "3 4 5 6"}, {5*24 - 1, "4 5 6"}, {2 * 24, "6"}, {2*24 - 1, ""}, {0, ""}, {1 << 60, "3 4 5 6"},
	} {
		var cell Out[float64]
		r, do := recorderOf(tt.bytes, 4, &cell) // rows of head, bits and value
		cy := Cycle{}
		for range 6 {
			cy.N++
			cell.Set(&cy, 1)
			do(&cy)
		}
		var kept []string
		first, last := copyOf(t, r, 0).Cycles()
		for n := first; n <= last; n++ {
			kept = append(kept, fmt.Sprint(n))
		}
		if got := strings.Join(kept, " "); got != tt.kept || tt.bytes >= 0 && r.Bytes() > tt.bytes || r.Ports()[0].Asked != 4 {
			t.Errorf("with %d bytes: cycles %q of %d bytes, want %q", tt.bytes, got, r.Bytes(), tt.kept)
		}
	}
}

// TestLongTapesAreShortened cuts what is kept for long, not what is kept for short anyway.
func TestLongTapesAreShortened(t *testing.T) {
	r := new(Recorder)
	for _, cycles := range []int{1000, 2, 500, 1000} {
		r.Record("p", new(Out[float64]), cycles)
	}
	r.Shorten(2 * 24 * 100)
	r.Seal()
	kept := ""
	for _, p := range r.Ports() {
		kept += fmt.Sprint(" ", p.Kept)
	}
	if kept != " 83 2 83 83" || r.Bytes() != 84*(32+24)+3*24 {
		t.Errorf("kept%s in %d bytes", kept, r.Bytes())
	}
}

// TestRecorderHammer reads while the ring is written, as fast as both can.
func TestRecorderHammer(t *testing.T) {
	const ports, cycles = 4, 20_000
	for _, kept := range []int{1, 2, 50} {
		var one Out[float64]
		list := Out[[]float64]{V: make([]float64, ports)}
		r, do := recorderOf(-1, kept, &one, &list, new(Out[bool]))
		var readers sync.WaitGroup
		stop := make(chan struct{})
		for range 3 {
			readers.Go(func() {
				seen := uint64(0)
				for {
					c, _ := r.Copy(seen / 2)
					if !belongsTogether(t, c, kept) {
						return
					}
					_, seen = c.Cycles()
					select {
					case <-stop:
						return
					default:
					}
				}
			})
		}
		var cy Cycle
		for range cycles {
			cy.N++
			one.Set(&cy, float64(cy.N))
			for i := range list.V {
				list.V[i] = float64(cy.N)
			}
			if cy.N%2 == 0 {
				list.Touch(&cy)
			}
			do(&cy)
		}
		close(stop)
		readers.Wait()
	}
}

// belongsTogether checks whether each row of a copy is of one cycle, and no row is missing between the first and the last.
func belongsTogether(t *testing.T, c *Recording, kept int) bool {
	first, last := c.Cycles()
	if last+1-first > uint64(kept) && first <= last {
		t.Errorf("cycles %d to %d of %d", first, last, kept)
		return false
	}
	for n := first; n <= last; n++ {
		one, given := c.Text(nil, n, 0)
		list, even := c.Text(nil, n, 1)
		_, never := c.Text(nil, n, 2)
		if string(one) != string(value.Double.Append(nil, float64(n))) || !given || even != (n%2 == 0) || never ||
			even && string(list) != fmt.Sprintf("[%s,%s,%s,%s]", one, one, one, one) {
			t.Errorf("cycle %d: %s, %s", n, one, list)
			return false
		}
	}
	return true
}

func TestRecorderAllocatesNothing(t *testing.T) {
	var one Out[float64]
	list := Out[[]float64]{V: make([]float64, 7)}
	_, do := recorderOf(-1, 10, &one, &list)
	var cy Cycle
	if n := alloc.Least(func() {
		for range 100 {
			cy.N++
			one.Set(&cy, 1)
			list.Touch(&cy)
			do(&cy)
		}
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// BenchmarkRecorder measures a cycle of a recorder with 500 ports that change in every cycle, and that never do.
func BenchmarkRecorder(b *testing.B) {
	b.Run("double", func(b *testing.B) {
		benchmarkRecorder(b, func() *Out[float64] { return new(Out[float64]) }, func(p *Out[float64], cy *Cycle) { p.Set(cy, float64(cy.N)) })
	})
	b.Run("unchanged", func(b *testing.B) {
		benchmarkRecorder(b, func() *Out[float64] { return new(Out[float64]) }, func(p *Out[float64], cy *Cycle) { p.Set(cy, 1) })
	})
	b.Run("bool", func(b *testing.B) {
		benchmarkRecorder(b, func() *Out[bool] { return new(Out[bool]) }, func(p *Out[bool], cy *Cycle) { p.Set(cy, cy.N%2 == 0) })
	})
	b.Run("frame", func(b *testing.B) {
		benchmarkRecorder(b, func() *Out[geom.Frame] { return new(Out[geom.Frame]) }, func(p *Out[geom.Frame], cy *Cycle) {
			p.V.Pos.X = float64(cy.N)
			p.Touch(cy)
		})
	})
	b.Run("seven doubles", func(b *testing.B) {
		benchmarkRecorder(b, func() *Out[[]float64] { return &Out[[]float64]{V: make([]float64, 7)} }, func(p *Out[[]float64], cy *Cycle) {
			for i := range p.V {
				p.V[i] = float64(cy.N)
			}
			p.Touch(cy)
		})
	})
}

func benchmarkRecorder[T any](b *testing.B, make func() *Out[T], set func(p *Out[T], cy *Cycle)) {
	const ports, cycles = 500, 1000
	r := new(Recorder)
	var list []int
	var cells []*Out[T]
	for range ports {
		cells = append(cells, make())
		list = append(list, r.Record("p", cells[len(cells)-1], cycles))
	}
	r.Seal()
	kernel := r.Kernel(list)
	var cy Cycle
	for b.Loop() {
		cy.N++
		for _, c := range cells {
			set(c, &cy)
		}
		r.Begin(&cy)
		kernel(&cy)
		r.End(&cy)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ports, "ns/port")
	b.ReportMetric(0, "ns/op")
}

// copyOf returns a copy while the net stands still.
func copyOf(t *testing.T, r *Recorder, after uint64) *Recording {
	t.Helper()
	c, ok := r.Copy(after)
	if !ok {
		t.Fatal("nothing could be copied")
	}
	return c
}

// TestCopyInVain: a net that has overwritten all rows, and is at it still, is told apart from one of which nothing is kept.
func TestCopyInVain(t *testing.T) {
	var out Out[int32]
	r, do := recorderOf(-1, 1, &out)
	do(&Cycle{N: 5})
	r.Begin(&Cycle{N: 7}) // in the row of cycle 5
	if _, ok := r.Copy(0); ok {
		t.Error("the row was copied that is being written")
	}
	if c := copyOf(t, r, 5); table(c) != "" {
		t.Errorf("after the newest cycle there is %s", table(c))
	}
}
