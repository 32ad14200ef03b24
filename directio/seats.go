package directio

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// seats are those of connections that speak DirectIO, or of those that read the stream. However many idle ones there are, somebody who sits at the machine gets in,
// and one host cannot take the seats of all others. Requests by HTTP, such as /healthz and aborts, need no seat.
type seats struct {
	most    int // of all
	reserve int // more of them, for clients on this machine
	advice  string

	mu    sync.Mutex
	taken int
	of    map[netip.Addr]int // by host; clients on this machine are not counted
}

// reservedSeats is how many clients on this machine get in when all seats are taken.
const reservedSeats = 8

func newSeats(most int, advice string) *seats {
	return &seats{most: most, reserve: reservedSeats, advice: advice, of: map[netip.Addr]int{}}
}

// take gives a client a seat; leave gives it back.
func (s *seats) take(peer string) (leave func(), err error) {
	host, here := hostOf(peer)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch most := s.most - s.most/4; {
	case here && s.taken < s.most+s.reserve:
	case s.taken >= s.most:
		return nil, fmt.Errorf("%w: %d of %d seats are taken, %s", errFull, s.taken, s.most, s.advice)
	case !here && s.of[host] >= most:
		return nil, fmt.Errorf("%w from %v: %d, one host may have %d of the %d seats; %s", errFull, host, s.of[host], most, s.most, s.advice)
	}
	s.taken++
	if !here {
		s.of[host]++
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.taken--
		if here {
			return
		}
		if s.of[host]--; s.of[host] == 0 {
			delete(s.of, host)
		}
	}, nil
}

func (s *seats) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// hostOf returns the host of an address, and whether it is this machine.
func hostOf(peer string) (host netip.Addr, here bool) {
	name, _, err := net.SplitHostPort(peer)
	if err != nil {
		name = peer
	}
	host, _ = netip.ParseAddr(name) // all that have none count as one
	host = host.Unmap().WithZone("")
	return host, host.IsLoopback()
}
