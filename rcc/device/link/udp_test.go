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
			if want := []event{{why: Closed}}; !slices.Equal(d.told(), want) {
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
