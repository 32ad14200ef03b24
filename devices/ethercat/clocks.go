package ethercat

import (
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
)

// history is how clocks have been in the last minute, looked at once in a round.
type history struct {
	mu     sync.Mutex
	ring   [samples]sample
	number int // of samples there have been
}

const samples = 600

// sample is how clocks were at an instant.
type sample struct {
	at         int64
	difference time.Duration // of the clock that is farthest from the reference
	error      time.Duration // of the phase of frames
}

func (h *history) add(s sample) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring[h.number%samples] = s
	h.number++
}

// list returns the samples, oldest first.
func (h *history) list() (list []sample) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := max(0, h.number-samples); i < h.number; i++ {
		list = append(list, h.ring[i%samples])
	}
	return list
}

// sampleClocks keeps how clocks are.
func (b *Bus) sampleClocks(m *ethercat.Master) {
	c := m.Clocks()
	if c.Reference < 0 || !m.Cyclic() {
		return
	}
	b.errors.add(sample{b.ground.now(), worst(m), c.Error})
}

// worst returns the largest difference of a clock from the reference.
func worst(m *ethercat.Master) time.Duration {
	var most time.Duration
	for _, s := range m.Slaves() {
		if s.HasClock() {
			d := time.Duration(s.Status().Difference)
			most = max(most, d, -d)
		}
	}
	return most
}
