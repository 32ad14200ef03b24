// Package answers measures how fast robots that call are answered (§9.4.4): it plays the robots, and beside them, in the same
// run and from the same thread, one whose telegrams a bare loop sends back.
package answers

import (
	"fmt"
	"net/netip"
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

// Figures are what was measured. Round trips are from before a telegram is sent until the robot has its answer.
type Figures struct {
	Trips, EchoTrips figures.Distribution
	Echo             figures.Distribution // from when a telegram arrived until it was sent back, by the bare loop
	EchoTime         time.Duration        // of a CPU for each telegram, of the bare loop
	Missing          int                  // answers that did not come within a cycle
	Detached         error                // why the bare loop was not detached
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
	var trips, echoTrips figures.Times
	var alarm rt.Alarm
	next := clock.Now() + int64(c.Cycle)
	for range telegrams {
		clock.SleepUntil(next, &alarm)
		f.Missing += round(clock, lines, next+int64(c.Cycle/2), &trips)
		clock.SleepUntil(next+int64(c.Cycle/2), &alarm)
		f.Missing += round(clock, []*line{back}, next+int64(c.Cycle), &echoTrips)
		next = max(next+int64(c.Cycle), clock.Now())
	}
	echo.stop()
	f.Trips, f.EchoTrips, f.Echo = trips.Read(), echoTrips.Read(), echo.times.Read()
	f.Detached = echo.ordinary
	if n := int64(f.Echo.Count); n > 0 {
		f.EchoTime = time.Duration(echo.spent / n)
	}
	return f, nil
}

// round sends a telegram of each robot and waits for the answers.
func round(clock *rt.Real, lines []*line, until int64, trips *figures.Times) (missing int) {
	for _, l := range lines {
		l.length = l.robot.Telegram(l.telegram)
		l.sent = clock.Now()
		l.socket.Send(l.telegram[:l.length], &l.to)
	}
	for _, l := range lines {
		if l.socket.Receive(clock, until, &l.got) != rt.Received {
			missing++
			continue
		}
		trips.Add(l.got.Taken-l.sent, l.got.Taken-l.sent)
		l.robot.Take(l.answer[:min(l.got.Length, len(l.answer))])
	}
	return missing
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
// the same of the bare loop, in µs; the time of a CPU for each telegram as well.
func (f *Figures) Report(b *testing.B, answers []Times, spent time.Duration) {
	b.Helper()
	answer := all(answers)
	if f.Detached != nil {
		b.Log("ordinary threads:", f.Detached)
	}
	for _, m := range []struct {
		who string
		of  *figures.Distribution
	}{{"answer", &answer}, {"echo", &f.Echo}, {"trip", &f.Trips}, {"echo-trip", &f.EchoTrips}} {
		for _, part := range []float64{0.5, 0.99, 0.999} {
			b.ReportMetric(micro(m.of.Quantile(part)), fmt.Sprintf("%s-p%g-µs", m.who, 100*part))
		}
	}
	b.ReportMetric(micro(spent), "cpu-µs/telegram")
	b.ReportMetric(micro(f.EchoTime), "echo-cpu-µs/telegram")
	b.ReportMetric(float64(f.Missing), "missing")
	b.ReportMetric(0, "ns/op")
}

// all is what is known of several distributions together: their classes.
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

// Thread is what threads that answer are like in a benchmark: on the last CPU that the process may use, before everything
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
