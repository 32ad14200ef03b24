package ethercat

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// patient are options for machines that have other things to do: what matters here is that threads do not get into each other's
// way, and not when.
func patient(l link.Link) Options {
	return Options{Link: l, Cycle: 5 * time.Millisecond, Answer: 500 * time.Millisecond, Mailbox: time.Minute, Patience: 1000}
}

// calm gives slaves all the time that there is.
type calm struct{ everything }

func (c *calm) Startup(slaves []ecat.Slave) error {
	for _, s := range slaves {
		s.(*Slave).Setup.Limit, s.(*Slave).Setup.Watchdog = time.Minute, 6*time.Second
	}
	return c.everything.Startup(slaves)
}

// bring starts a bus with a thread of its own, talks to it from two sides, and stops it.
func bring(t *testing.T, l link.Link) {
	t.Helper()
	m, err := New(patient(l))
	if err != nil {
		t.Fatal(err)
	}
	c := &calm{}
	m.Add(c)
	clock, alarm := rt.NewReal(), &rt.Alarm{}
	var thread sync.WaitGroup
	thread.Go(func() {
		offset := clock.Now() - l.Now()
		for next := l.Now(); clock.SleepUntil(next+offset, alarm); {
			next = m.Exchange(l.Now()).Next
		}
	})
	defer thread.Wait()
	defer alarm.Ring()
	ctx := t.Context()
	if err := m.Start(ctx); err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for range 5 {
				if v, err := m.Slaves()[3].Upload(ctx, 0x1018, 1, false); err != nil || len(v) != 4 {
					t.Error(v, err)
				}
				_, _, _ = m.Statistics(), m.Clocks(), m.Incidents()
			}
		})
	}
	for range 3 {
		if err := m.Tend(ctx); err != nil {
			t.Error(err)
		}
	}
	others.Wait()
	for _, s := range m.Slaves() {
		if st := s.Status(); st.State != wire.Op {
			t.Errorf("%v: %v", s, st)
		}
	}
	if err := m.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	t.Logf("%+v", m.Statistics())
	if s := m.Statistics(); s.Cycles == 0 || s.Received == 0 {
		t.Errorf("%+v", s)
	}
}

// slaves runs a chain behind a socket until the test ends.
func slaves(t *testing.T, serve func(chain *sim.Chain, clock *rt.Real), stop func()) {
	t.Helper()
	clock := rt.NewReal()
	chain, err := sim.NewChain(rackOf("EK1100", "EL1008", "EL2008", "EL3102"), nil, clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	var thread sync.WaitGroup
	thread.Go(func() { serve(chain, clock) })
	t.Cleanup(func() {
		stop()
		thread.Wait()
	})
}

func TestOverUDP(t *testing.T) {
	here := netip.MustParseAddrPort("127.0.0.1:0")
	room := make([]byte, wire.LongestFrame)
	socket, err := rt.Listen(here, room)
	if err != nil {
		t.Skip("skip: ", err)
	}
	slaves(t, func(chain *sim.Chain, clock *rt.Real) {
		var d rt.Datagram
		for socket.Receive(clock, rt.Never, &d) == rt.Received {
			chain.ProcessPayload(room[:d.Length], clock.Now(), func(back []byte, _ int64) { socket.Send(back, &d.From) })
		}
	}, socket.Stop)
	l, err := cable.DialUDP(here, socket.Address(), rt.NewReal())
	if err != nil {
		t.Fatal(err)
	}
	bring(t, l)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestOverCable(t *testing.T) {
	if !veth.Enter(t) {
		return
	}
	far, err := rt.OpenPacket(veth.B, wire.EtherType)
	if err != nil {
		t.Fatal(err)
	}
	slaves(t, func(chain *sim.Chain, clock *rt.Real) {
		room := make([]byte, wire.LongestFrame)
		for {
			n, how := far.Receive(clock, rt.Never, room)
			if how != rt.Received {
				return
			}
			chain.Process(room[:n], clock.Now(), func(back []byte, _ int64) { far.Send(back) })
		}
	}, far.Stop)
	l, err := link.OpenRaw(veth.A, rt.NewReal(), 0)
	if err != nil {
		t.Fatal(err)
	}
	bring(t, l)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
