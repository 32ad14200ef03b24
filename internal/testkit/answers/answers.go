// Package answers measures how fast robots that call are answered (§9.4.4): it plays the robots, and beside them, in the same
// run and from the same thread, one whose telegrams a bare loop sends back.
package answers

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Robot is what calls. Telegram writes the next telegram and returns how long it is; Take gets the answer to it.
type Robot interface {
	Telegram(into []byte) int
	Take(answer []byte)
}

// Call is a robot and where it sends to.
type Call struct {
	Robot Robot
	To    netip.AddrPort
}

// Calls are telegrams that are sent in every cycle, one of each robot. Half a cycle later the one for the bare loop is sent.
type Calls struct {
	Cycle  time.Duration
	Calls  []Call
	Thread rt.Thread // of the bare loop: such as that of those who answer
}

// Times are those of answers, as a Link tells them.
type Times = figures.Distribution

// Figures are what was measured. Round trips are from before a telegram is sent until the robot has its answer; each goes with one of
// the bare loop, half a cycle later, from the same thread and likewise just woken. So other work of the machine counts for both,
// and their ratio and difference tell more than each.
type Figures struct {
	Trips, EchoTrips Samples
	Behind           Samples              // how much longer a trip took than that of the bare loop beside it
	Echo             figures.Distribution // from when a telegram arrived until it was sent back, by the bare loop
	EchoTime         time.Duration        // of a CPU for each telegram, of the bare loop
	Missing          int                  // answers that did not come within a cycle
	Detached         error                // why the bare loop was not detached
}

// Samples are all that were taken.
type Samples []time.Duration

// Quantile returns the least of them that is not exceeded by a share of all.
func (s Samples) Quantile(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	slices.Sort(s)
	return s[min(int(share*float64(len(s))), len(s)-1)]
}

const room = 1 << 13

// Measure sends as many telegrams of each robot.
func (c *Calls) Measure(telegrams int) (*Figures, error) {
	echo, err := newEcho(c.Thread)
	if err != nil {
		return nil, err
	}
	defer echo.stop()
	var lines []*line
	for _, call := range c.Calls {
		l, err := newLine(call)
		if err != nil {
			return nil, err
		}
		defer l.close()
		lines = append(lines, l)
	}
	back, err := newLine(Call{alike{lines[0]}, echo.socket.Address()})
	if err != nil {
		return nil, err
	}
	defer back.close()

	f := new(Figures)
	clock := rt.NewReal()
	var alarm rt.Alarm
	next := clock.Now() + int64(c.Cycle)
	for range telegrams {
		prepare(clock, lines)
		clock.SleepUntil(next, &alarm)
		round(clock, lines, next+int64(c.Cycle/2))
		prepare(clock, []*line{back})
		clock.SleepUntil(next+int64(c.Cycle/2), &alarm)
		round(clock, []*line{back}, next+int64(c.Cycle))
		f.add(lines, back)
		next = max(next+int64(c.Cycle), clock.Now())
	}
	echo.stop()
	f.Echo = echo.times.Read()
	f.Detached = echo.ordinary
	if n := int64(f.Echo.Count); n > 0 {
		f.EchoTime = time.Duration(echo.spent / n)
	}
	return f, nil
}

// prepare lets robots write their telegrams, which takes them longer than it takes the bare loop. An answer that was late must not be
// taken for the next one.
func prepare(clock *rt.Real, lines []*line) {
	for _, l := range lines {
		for l.trip == 0 && l.sent != 0 && l.socket.Receive(clock, clock.Now(), &l.got) == rt.Received {
		}
		l.length = l.robot.Telegram(l.telegram)
	}
}

// round sends the telegrams of robots and waits for the answers.
func round(clock *rt.Real, lines []*line, until int64) {
	for _, l := range lines {
		l.sent = clock.Now()
		l.socket.Send(l.telegram[:l.length], &l.to)
	}
	for _, l := range lines {
		l.trip = 0
		if l.socket.Receive(clock, until, &l.got) == rt.Received {
			l.trip = time.Duration(l.got.Taken - l.sent)
			l.robot.Take(l.answer[:min(l.got.Length, len(l.answer))])
		}
	}
}

// add takes the trips of a cycle.
func (f *Figures) add(lines []*line, back *line) {
	if back.trip == 0 {
		f.Missing++
	} else {
		f.EchoTrips = append(f.EchoTrips, back.trip)
	}
	for _, l := range lines {
		if l.trip == 0 {
			f.Missing++
			continue
		}
		f.Trips = append(f.Trips, l.trip)
		if back.trip > 0 {
			f.Behind = append(f.Behind, l.trip-back.trip)
		}
	}
}

// line is the end of a robot.
type line struct {
	robot            Robot
	socket           *rt.Socket
	to               rt.Address
	telegram, answer []byte
	length           int // of the newest telegram
	got              rt.Datagram
	sent             int64
	trip             time.Duration // 0: no answer
}

func newLine(c Call) (*line, error) {
	l := &line{robot: c.Robot, to: rt.AddressOf(c.To), telegram: make([]byte, room), answer: make([]byte, room)}
	var err error
	l.socket, err = rt.Listen(netip.AddrPortFrom(c.To.Addr(), 0), l.answer)
	return l, err
}

func (l *line) close() { _ = l.socket.Close() }

// alike is a robot whose telegrams are as long as those of another one, and without sense.
type alike struct{ to *line }

func (a alike) Telegram(into []byte) int { return min(a.to.length, len(into)) }

func (a alike) Take([]byte) {}

// echo is the bare loop.
type echo struct {
	socket   *rt.Socket
	clock    *rt.Real
	room     []byte
	got      rt.Datagram
	times    figures.Times
	spent    int64 // of a CPU, ns
	ordinary error
	once     sync.Once
	ended    chan struct{}
}

func newEcho(thread rt.Thread) (*echo, error) {
	e := &echo{clock: rt.NewReal(), room: make([]byte, room), ended: make(chan struct{})}
	var err error
	if e.socket, err = rt.Listen(netip.MustParseAddrPort("127.0.0.1:0"), e.room); err != nil {
		return nil, err
	}
	thread.Name = "echo"
	go func() {
		defer close(e.ended)
		thread.Run(e.detached, e.plain)
	}()
	return e, nil
}

func (e *echo) detached() {
	from := rt.ThreadTime()
	for e.socket.ReceiveDetached(e.clock, rt.Never, &e.got) == rt.Received {
		e.back()
	}
	e.spent = rt.ThreadTime() - from
}

func (e *echo) plain(why error) {
	e.ordinary = why
	from := rt.ThreadTime()
	for e.socket.Receive(e.clock, rt.Never, &e.got) == rt.Received {
		e.back()
	}
	e.spent = rt.ThreadTime() - from
}

func (e *echo) back() {
	room, n := e.room, e.got.Length
	if uint(n) > uint(len(room)) {
		return
	}
	e.socket.Send(room[:n], &e.got.From)
	took := e.clock.Now() - e.got.Arrived
	e.times.Add(took, took)
}

func (e *echo) stop() {
	e.once.Do(func() {
		e.socket.Stop()
		<-e.ended
		_ = e.socket.Close()
	})
}

// Report shows figures of a benchmark: of those who answered, from when a telegram arrived until the answer was sent, and
// the same of the bare loop, in µs and by classes that are up to 25 % wide; round trips of both exactly, how much those who answered are
// behind the bare loop, and the ratio; the time of a CPU for each telegram as well.
func (f *Figures) Report(b *testing.B, answers []Times, spent time.Duration) {
	b.Helper()
	answer := all(answers)
	if f.Detached != nil {
		b.Log("ordinary threads:", f.Detached)
	}
	for _, part := range []float64{0.5, 0.99, 0.999} {
		b.ReportMetric(micro(answer.Quantile(part)), fmt.Sprintf("answer-p%g-µs", 100*part))
		b.ReportMetric(micro(f.Echo.Quantile(part)), fmt.Sprintf("echo-p%g-µs", 100*part))
	}
	for _, part := range []float64{0.5, 0.9} {
		trip, echo := f.Trips.Quantile(part), f.EchoTrips.Quantile(part)
		b.ReportMetric(micro(trip), fmt.Sprintf("trip-p%g-µs", 100*part))
		b.ReportMetric(micro(echo), fmt.Sprintf("echo-trip-p%g-µs", 100*part))
		b.ReportMetric(micro(f.Behind.Quantile(part)), fmt.Sprintf("behind-p%g-µs", 100*part))
		if echo > 0 {
			b.ReportMetric(float64(trip)/float64(echo), fmt.Sprintf("trip/echo-p%g", 100*part))
		}
	}
	b.ReportMetric(micro(spent), "cpu-µs/telegram")
	b.ReportMetric(micro(f.EchoTime), "echo-cpu-µs/telegram")
	b.ReportMetric(float64(f.Missing), "missing")
	b.ReportMetric(0, "ns/op")
}

// all returns what is known of several distributions together: their classes.
func all(list []figures.Distribution) (sum figures.Distribution) {
	for i := range list {
		for class, n := range list[i].Histogram {
			sum.Histogram[class] += n
		}
		sum.Count += list[i].Count
		sum.Max = max(sum.Max, list[i].Max)
	}
	return sum
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// Thread returns what threads that answer are like in a benchmark: on the last CPU that the process may use, before everything
// else where it has the right.
func Thread(b *testing.B) *rt.Thread {
	b.Helper()
	t := &rt.Thread{Name: "answers", CPU: rt.AnyCPU}
	if cpus, err := rt.Affinity(0); err == nil && len(cpus) > 1 {
		t.CPU = cpus[len(cpus)-1]
	}
	t.Priority = 80
	if err := t.Detach(func() {}); err != nil {
		b.Log("without priority:", err)
		t.Priority = 0
	}
	return t
}
