package frisim

import (
	"math/rand/v2"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
)

// network is what is between controller and PC: datagrams are lost, doubled and late.
type network struct {
	config  *Config
	random  *rand.Rand
	out, in queue
	lose    [2]int // datagrams of each direction that are lost next
	late    time.Duration
}

// The directions.
const (
	telegrams = iota
	answers
)

func (n *network) open(c *Config) {
	n.config, n.random = c, rand.New(rand.NewPCG(c.Seed, 0x46524931))
}

// packet is a datagram on its way.
type packet struct {
	due  int64
	size int
	b    [wire.MeasurementSize + 1]byte
}

// queue has those of one direction. Telegrams that do not fit are lost.
type queue struct {
	packets [64]packet
	n       int
}

func (q *queue) put(b []byte, due int64) {
	if q.n < len(q.packets) {
		p := &q.packets[q.n]
		p.size, p.due = copy(p.b[:], b), due
		q.n++
	}
}

// first finds the packet that is due first.
func (q *queue) first() int {
	first := -1
	for i := range q.n {
		if first < 0 || q.packets[i].due < q.packets[first].due {
			first = i
		}
	}
	return first
}

// pop takes the packet that is due first, if it is due.
func (q *queue) pop(now int64, into []byte) (n int, ok bool) {
	i := q.first()
	if i < 0 || q.packets[i].due > now {
		return 0, false
	}
	n = copy(into, q.packets[i].b[:q.packets[i].size])
	q.n--
	copy(q.packets[i:q.n], q.packets[i+1:q.n+1])
	return n, true
}

// pass sends a datagram on its way, once, twice, or not at all.
func (n *network) pass(q *queue, direction int, b []byte, now int64) {
	if n.lose[direction] > 0 {
		n.lose[direction]--
		return
	}
	c := n.config
	if c.Loss > 0 && n.random.Float64() < c.Loss {
		return
	}
	q.put(b, now+n.takes())
	if c.Duplicate > 0 && n.random.Float64() < c.Duplicate {
		q.put(b, now+n.takes())
	}
}

// takes returns how long a datagram is on its way.
func (n *network) takes() int64 {
	t := int64(n.config.Delay)
	if n.late > 0 {
		t, n.late = t+int64(n.late), 0
	}
	if j := int64(n.config.Jitter); j > 0 {
		t += n.random.Int64N(j + 1)
	}
	return t
}

func (n *network) telegram(m *wire.Measurement, id uint16, length int, now int64) {
	var b [wire.MeasurementSize + 1]byte
	m.Encode(b[:])
	b[6], b[7] = byte(id), byte(id>>8)
	n.pass(&n.out, telegrams, b[:length], now)
}

func (n *network) answer(b []byte, now int64) {
	if len(b) > wire.MeasurementSize {
		b = b[:wire.MeasurementSize]
	}
	n.pass(&n.in, answers, b, now)
}

// settle delivers the answers that have arrived by now.
func (n *network) settle(k *KRC, now int64) {
	var b [wire.MeasurementSize + 1]byte
	for {
		size, ok := n.in.pop(now, b[:])
		if !ok {
			return
		}
		k.heard(b[:size])
	}
}

// Next takes the next telegram that has arrived at the PC by now, and returns its length.
func (k *KRC) Next(now int64, into []byte) (n int, ok bool) { return k.network.out.pop(now, into) }

// Due returns when something arrives next, at the PC or at the controller.
func (k *KRC) Due() (at int64, ok bool) {
	for _, q := range [...]*queue{&k.network.out, &k.network.in} {
		if i := q.first(); i >= 0 && (!ok || q.packets[i].due < at) {
			at, ok = q.packets[i].due, true
		}
	}
	return at, ok
}
