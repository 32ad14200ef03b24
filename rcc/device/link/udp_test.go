package link

import (
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// loopback opens a Link at the loopback with robots that call it.
func loopback(t *testing.T, o Options, d Driver, robots int) (*Link, []*net.UDPConn) {
	t.Helper()
	o.Listen = netip.MustParseAddrPort("127.0.0.1:0")
	l, err := Open(o, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	list := make([]*net.UDPConn, robots)
	for i := range list {
		if list[i], err = net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(l.Address())); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = list[i].Close() })
		_ = list[i].SetReadDeadline(time.Now().Add(time.Minute))
	}
	return l, list
}

func exchange(t *testing.T, robot *net.UDPConn, telegram []byte) []byte {
	t.Helper()
	if _, err := robot.Write(telegram); err != nil {
		t.Fatal(err)
	}
	room := make([]byte, 10)
	n, err := robot.Read(room)
	if err != nil {
		t.Fatal(err)
	}
	return room[:n]
}

func TestUDP(t *testing.T) {
	for name, thread := range map[string]*rt.Thread{"ordinary": nil, "detached": {CPU: rt.AnyCPU}} {
		t.Run(name, func(t *testing.T) {
			d := new(counting)
			l, robots := loopback(t, Options{Name: "test", Cycle: time.Hour, Thread: thread}, d, 2)
			for i := range byte(100) {
				if a := exchange(t, robots[0], []byte{i + 1}); !slices.Equal(a, []byte{i + 1}) {
					t.Fatalf("answer %v to %d", a, i+1)
				}
				if _, err := robots[1].Write([]byte{i}); err != nil {
					t.Fatal(err)
				}
			}
			exchange(t, robots[0], []byte{101}) // after all of the other one have been taken
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if s := l.Statistics(); s.Received != 201 || s.Answered != 101 || s.Foreign != 100 || s.Answer.Count != 101 || s.Cycle.Count != 100 {
				t.Errorf("%+v", s)
			}
			if list := l.Sessions(); len(list) != 1 || list[0].Cause != Closed || list[0].Telegrams != 101 ||
				list[0].Peer != robots[0].LocalAddr().(*net.UDPAddr).AddrPort() {
				t.Errorf("sessions %+v", list)
			}
			if want := []Cause{Closed}; !slices.Equal(d.told(), want) {
				t.Errorf("the driver was told %v", d.told())
			}
			if x := l.Execution(); thread != nil && x.Detached != (rt.Detachable() == nil) || thread == nil && x.Detached {
				t.Errorf("executed %+v", x)
			}
			if l.Close() == nil {
				t.Error("closed twice")
			}
		})
	}
}

// told is a driver that passes events on to ordinary threads, which may wait.
type told struct {
	counting
	lost chan Cause
}

func (d *told) Lost(_ Stamp, why Cause) Cause {
	d.lost <- why
	return why
}

// A robot that falls silent is lost, and the next one is answered.
func TestUDPSilence(t *testing.T) {
	d := &told{lost: make(chan Cause)}
	l, robots := loopback(t, Options{Name: "test", Cycle: time.Millisecond, Lapse: 2}, d, 2)
	for _, robot := range robots {
		exchange(t, robot, []byte{1})
		if why := <-d.lost; why != Silent {
			t.Errorf("lost: %v", why)
		}
	}
	if s := l.Statistics(); s.Sessions != 2 || s.Silent != 4 || s.Foreign != 0 {
		t.Errorf("%+v", s)
	}
}

// Floods of others neither keep the caller from being answered, nor hide its silence. The system drops
// what finds no room, as networks do: the robot goes on with its next telegram.
func TestUDPFlood(t *testing.T) {
	d := &told{lost: make(chan Cause, 1)}
	l, robots := loopback(t, Options{Name: "test", Cycle: time.Hour, Lapse: 3}, d, 2)
	robot := robots[0]
	exchange(t, robot, []byte{1})
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		junk := make([]byte, 1000)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = robots[1].Write(junk)
			}
		}
	}()
	number := byte(1)
	call := func(wait time.Duration) bool {
		number = number%100 + 1
		_, _ = robot.Write([]byte{number})
		_ = robot.SetReadDeadline(time.Now().Add(wait))
		_, err := robot.Read(make([]byte, 10))
		return err == nil
	}
	for answers := 0; answers < 30; {
		if call(20 * time.Millisecond) {
			answers++
		}
	}
	l.cycle.Store(int64(time.Millisecond)) // from the next telegram on
	for lost := false; !lost; {
		call(100 * time.Millisecond)
		select {
		case <-d.lost:
			lost = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	close(stop)
	<-ended
	if s := l.Statistics(); s.Foreign == 0 {
		t.Errorf("%+v", s)
	}
}

// Any thread may look at a Link while telegrams come and sessions end.
func TestLookingAtALink(t *testing.T) {
	l, robots := loopback(t, Options{Name: "test", Cycle: time.Hour}, new(counting), 1)
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for last := uint64(0); ; {
			select {
			case <-stop:
				return
			default:
			}
			s, list, v := l.Statistics(), l.Sessions(), viewOf(l)
			if s.Received < last || len(list) >= Remembered || len(v.Sessions) >= Remembered || len(l.Metrics()) == 0 {
				t.Errorf("%+v, %d sessions", s, len(list))
			}
			last = s.Received
		}
	}()
	for range 3 * Remembered {
		for _, telegram := range [][]byte{{1}, {2}, {255}} {
			exchange(t, robots[0], telegram)
		}
	}
	close(stop)
	<-ended
	if s := l.Statistics(); s.Sessions != 3*Remembered || s.Answered != 9*Remembered {
		t.Errorf("%+v", s)
	}
}
