package link

import (
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/answers"
)

// BenchmarkAnswer measures what the wire takes by itself: a driver that does nearly nothing, beside a bare loop that sends back
// what it gets, at the cycles of FRI and RSI, with telegrams as long as theirs.
func BenchmarkAnswer(b *testing.B) {
	for _, bb := range []struct {
		cycle                  time.Duration
		robots, length, answer int
	}{
		{time.Millisecond, 1, 916, 376},
		{4 * time.Millisecond, 1, 700, 300},
		{time.Millisecond, 4, 916, 376},
		{4 * time.Millisecond, 4, 700, 300},
	} {
		b.Run(fmt.Sprintf("%v_%d_robots", bb.cycle, bb.robots), func(b *testing.B) {
			c := answers.Calls{Cycle: bb.cycle, Thread: *answers.Thread(b)}
			var drivers []*quick
			var links []*Link
			for range bb.robots {
				d := &quick{length: bb.answer}
				l, err := Open(Options{
					Name: "bench", Listen: netip.MustParseAddrPort("127.0.0.1:0"), Cycle: bb.cycle, Thread: answers.Thread(b),
				}, d)
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = l.Close() })
				drivers, links = append(drivers, d), append(links, l)
				c.Calls = append(c.Calls, answers.Call{Robot: sized(bb.length), To: l.Address()})
			}
			b.ResetTimer()
			f, err := c.Measure(b.N)
			if err != nil {
				b.Fatal(err)
			}
			var times []answers.Times
			var spent time.Duration
			for i, l := range links {
				times = append(times, l.Statistics().Answer)
				spent += drivers[i].spent() / time.Duration(len(links))
			}
			f.Report(b, times, spent)
		})
	}
}

// sized is a robot whose telegrams have a length.
type sized int

func (s sized) Telegram(into []byte) int { return min(int(s), len(into)) }

func (s sized) Take([]byte) {}

// quick is a driver that answers at once, and looks now and then for how long its thread has been executed.
type quick struct {
	length                  int
	first, last, lastNumber atomic.Int64
}

func (q *quick) Answer(_, answer []byte, at Stamp) (int, Verdict) {
	if at.N%64 == 1 {
		now := rt.ThreadTime()
		if at.N == 1 {
			q.first.Store(now)
		}
		q.last.Store(now)
		q.lastNumber.Store(int64(at.N))
	}
	return min(q.length, len(answer)), Verdict{}
}

func (q *quick) Lost(_ Stamp, why Cause) Cause { return why }

// spent returns the time of a CPU for each telegram.
func (q *quick) spent() time.Duration {
	n := q.lastNumber.Load() - 1
	if n <= 0 {
		return 0
	}
	return time.Duration((q.last.Load() - q.first.Load()) / n)
}
