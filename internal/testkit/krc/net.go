package krc

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"
)

// NetOptions say how hostile a network is. Shares are of parcels, between 0 and 1. The zero value delivers at once.
type NetOptions struct {
	Delay, Jitter time.Duration // of each parcel; jitter is the greatest of random delays that are added
	Loss          float64
	Duplicate     float64
	Age           time.Duration // greatest delay of a duplicate
	Overtake      bool          // jitter may change the order of parcels
}

// Way is a direction.
type Way uint8

// Ways.
const (
	Out Way = iota // telegrams, to the driver
	In             // answers, to the controller
)

// Parcel is a datagram on its way.
type Parcel struct {
	Way  Way
	From netip.AddrPort // who seems to have sent it
	Data []byte
	At   int64 // when it arrives
	Copy bool  // a duplicate, or made up
	n    uint64

	session int // in which it was sent; of an answer, the newest of which its sender had heard
}

// Net is a network. It is given the time: virtual in a rig, real in a Relay. Out and In have the same options.
type Net struct {
	options NetOptions
	random  *rand.Rand
	parcels []Parcel
	n       uint64
	newest  [2]int64 // when the newest parcel of a way arrives
	held    [2]int64 // parcels of a way are held until then
	lose    [2]int   // parcels of a way that are lost next
	past    []Parcel // telegrams and answers that have been delivered, for Replay
	counts  [2]NetCounts
	session int // of what is sent
}

// NetCounts are what became of the parcels of a way.
type NetCounts struct{ Sent, Delivered, Lost, Copied, Held uint64 }

// remembered is how many parcels of the past Replay knows.
const remembered = 4096

// NewNet makes a network whose chances follow from a seed.
func NewNet(seed uint64, o NetOptions) *Net {
	return &Net{options: o, random: rand.New(rand.NewPCG(seed, 0x4e6574))}
}

// Send hands a parcel to the network.
func (n *Net) Send(way Way, from netip.AddrPort, data []byte, now int64) {
	c, o := &n.counts[way], &n.options
	c.Sent++
	p := Parcel{Way: way, From: from, Data: slices.Clone(data), session: n.session}
	if n.past = append(n.past, p); len(n.past) > 2*remembered {
		n.past = slices.Delete(n.past, 0, remembered)
	}
	if n.lose[way] > 0 {
		n.lose[way]--
		c.Lost++
		return
	}
	if n.random.Float64() < o.Loss {
		c.Lost++
		return
	}
	p.At = max(now+n.takes(), n.held[way])
	if n.held[way] > now {
		c.Held++
	}
	if !o.Overtake {
		p.At = max(p.At, n.newest[way])
	}
	n.newest[way] = max(n.newest[way], p.At)
	n.put(p)
	if o.Duplicate > 0 && n.random.Float64() < o.Duplicate {
		p.Copy = true
		p.At += n.random.Int64N(int64(o.Age) + 1)
		c.Copied++
		n.put(p)
	}
}

func (n *Net) takes() int64 {
	t := int64(n.options.Delay)
	if j := int64(n.options.Jitter); j > 0 {
		t += n.random.Int64N(j + 1)
	}
	return t
}

func (n *Net) put(p Parcel) {
	n.n++
	p.n = n.n
	n.parcels = append(n.parcels, p)
}

// Hold keeps all parcels of a way that are not there yet until a time, when they arrive in one burst.
func (n *Net) Hold(way Way, until int64) {
	n.held[way] = max(n.held[way], until)
	for i := range n.parcels {
		if p := &n.parcels[i]; p.Way == way {
			n.counts[way].Held++
			p.At = max(p.At, until)
		}
	}
	n.newest[way] = max(n.newest[way], until)
}

// Lose loses the next parcels of a way.
func (n *Net) Lose(way Way, parcels int) { n.lose[way] += parcels }

// Replay delivers parcels of a way again, in order: count of them, of which the newest is the one that was sent ago parcels
// before the newest.
func (n *Net) Replay(way Way, ago, count int, now int64) {
	var of []Parcel
	for _, p := range n.past {
		if p.Way == way {
			of = append(of, p)
		}
	}
	last := len(of) - ago
	for _, p := range of[min(max(0, last-count), len(of)):max(0, min(last, len(of)))] {
		n.forge(p, now)
	}
}

// Forge delivers something that nobody has sent.
func (n *Net) Forge(way Way, from netip.AddrPort, data []byte, now int64) {
	n.forge(Parcel{Way: way, From: from, Data: slices.Clone(data)}, now)
}

func (n *Net) forge(p Parcel, now int64) {
	p.At, p.Copy = now, true
	n.counts[p.Way].Copied++
	n.put(p)
}

// Happen lets an event happen that is one of the network, and reports whether it is. Telegram is the newest one of the controller, and
// here who sends it.
func (n *Net) Happen(e Event, here netip.AddrPort, telegram []byte, now int64) bool {
	switch e.What {
	case Lose:
		n.Lose(e.Way, e.N)
	case HoldUp:
		n.Hold(e.Way, now+int64(e.For))
	case Replay:
		n.Replay(e.Way, e.Ago, e.N, now)
	case Stranger:
		for range e.N {
			n.Forge(Out, stranger, telegram, now)
		}
	case Junk:
		for i := range e.N {
			n.Forge(Out, here, telegram[:len(telegram)*i/e.N], now)
		}
	default:
		return false
	}
	return true
}

// Next returns when the next parcel arrives; ok is false when none is on its way.
func (n *Net) Next() (at int64, ok bool) {
	if i := n.first(); i >= 0 {
		return n.parcels[i].At, true
	}
	return 0, false
}

func (n *Net) first() int {
	first := -1
	for i := range n.parcels {
		p := &n.parcels[i]
		if first < 0 || p.At < n.parcels[first].At || p.At == n.parcels[first].At && p.n < n.parcels[first].n {
			first = i
		}
	}
	return first
}

// Pop takes the next parcel that has arrived by now.
func (n *Net) Pop(now int64) (p Parcel, ok bool) {
	i := n.first()
	if i < 0 || n.parcels[i].At > now {
		return p, false
	}
	p = n.parcels[i]
	n.parcels = slices.Delete(n.parcels, i, i+1)
	n.counts[p.Way].Delivered++
	return p, true
}

// Counts returns what became of the parcels of a way.
func (n *Net) Counts(way Way) NetCounts { return n.counts[way] }
