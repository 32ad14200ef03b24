package core

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// earliest finds the last of many times that is not later than a given one in a logarithm of steps, whatever their
// order: a tree of minima, whose leaves are the second half.
type earliest struct {
	min []value.Time
}

func newEarliest(places int) earliest {
	leaves := 1
	for leaves < places {
		leaves *= 2
	}
	e := earliest{min: make([]value.Time, 2*leaves)}
	for i := range e.min {
		e.min[i] = math.MaxInt64
	}
	return e
}

func (e *earliest) places() int { return len(e.min) / 2 }

// at and set are total: a bounds check that fails would end the process.
func (e *earliest) at(i int) value.Time {
	if all := e.min; i >= 0 && i < len(all) {
		return all[i]
	}
	return math.MaxInt64
}

func (e *earliest) set(i int, v value.Time) {
	if all := e.min; i >= 0 && i < len(all) {
		all[i] = v
	}
}

func (e *earliest) put(place int, v value.Time) {
	i := place + e.places()
	e.set(i, v)
	for i /= 2; i > 0; i /= 2 {
		e.set(i, min(e.at(2*i), e.at(2*i+1)))
	}
}

// last returns the highest place below limit whose time is not later than wanted, or -1.
func (e *earliest) last(limit int, wanted value.Time) int {
	if limit >= e.places() {
		return e.descend(1, wanted)
	}
	for i := limit + e.places(); i > 1; i /= 2 {
		if i%2 == 1 && e.at(i-1) <= wanted {
			return e.descend(i-1, wanted)
		}
	}
	return -1
}

// descend returns the highest place under a node whose time is not later than wanted, or -1.
func (e *earliest) descend(i int, wanted value.Time) int {
	if e.at(i) > wanted {
		return -1
	}
	for i < e.places() {
		i = 2*i + 1
		if e.at(i) > wanted {
			i--
		}
	}
	return i - e.places()
}

// mean adds samples up in a tree, whose leaves are the second half. A running sum would be shorter, but it collects the
// errors of every addition, and one NaN would stay in it for ever.
type mean struct {
	nodes []sum
	at    int    // next leaf
	epoch uint64 // nodes of an older one count as empty
}

type sum struct {
	total float64
	count int64
	epoch uint64
}

func newMean(samples int) mean { return mean{nodes: make([]sum, 2*samples), epoch: 1} }

func (m *mean) reset() {
	m.epoch++
	m.at = 0
}

// add puts a sample in place of the oldest one; count 0 is a sample without value.
func (m *mean) add(v float64, count int64) {
	leaves := len(m.nodes) / 2
	if m.at >= leaves {
		m.at = 0
	}
	i := m.at + leaves
	m.at++
	m.set(i, v, count)
	for i /= 2; i > 0; i /= 2 {
		a, b := m.node(2*i), m.node(2*i+1)
		m.set(i, a.total+b.total, a.count+b.count)
	}
}

func (m *mean) set(i int, total float64, count int64) {
	if all := m.nodes; i >= 0 && i < len(all) {
		all[i] = sum{total: total, count: count, epoch: m.epoch}
	}
}

func (m *mean) node(i int) sum {
	if all := m.nodes; i >= 0 && i < len(all) && all[i].epoch == m.epoch {
		return all[i]
	}
	return sum{}
}

// value returns the mean of the samples, and whether there is one.
func (m *mean) value() (float64, bool) {
	all := m.node(1)
	if all.count <= 0 {
		return 0, false
	}
	return all.total / float64(all.count), true
}
