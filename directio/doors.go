package directio

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// doors are the connections of HTTP that do not speak DirectIO. Their number is bounded: a new one beyond it closes another, so that the
// process keeps descriptors and each new client is served, however many others are idle or slow. The victim is the connection that has
// been quiet for longest, of the host that has most.
type doors struct {
	most int

	mu    sync.Mutex
	open  map[net.Conn]*door
	of    map[netip.Addr]int // connections by host
	count uint64             // of what has happened
}

// door is one of these connections.
type door struct {
	host netip.Addr
	last uint64 // number of what has happened last
}

func newDoors(most int) *doors {
	return &doors{most: most, open: map[net.Conn]*door{}, of: map[netip.Addr]int{}}
}

// note is called at every change of a connection.
func (d *doors) note(c net.Conn, state http.ConnState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	is := d.open[c]
	switch {
	case state == http.StateNew:
		host, _ := hostOf(c.RemoteAddr().String())
		d.open[c] = &door{host, d.count}
		if d.of[host]++; len(d.open) > d.most {
			d.close(d.victim())
		}
	case is == nil: // it had to go
	case state == http.StateClosed || state == http.StateHijacked:
		d.forget(c)
	default:
		is.last = d.count
	}
}

// victim is the connection that has to go. The mutex is held.
func (d *doors) victim() (victim net.Conn) {
	most, oldest := 0, uint64(math.MaxUint64)
	for c, is := range d.open {
		if n := d.of[is.host]; n > most || n == most && is.last < oldest {
			victim, most, oldest = c, n, is.last
		}
	}
	return victim
}

func (d *doors) close(c net.Conn) {
	d.forget(c)
	_ = c.Close() // who has it hears nothing, as when a time is over
}

func (d *doors) forget(c net.Conn) {
	host := d.open[c].host
	delete(d.open, c)
	if d.of[host]--; d.of[host] == 0 {
		delete(d.of, host)
	}
}
