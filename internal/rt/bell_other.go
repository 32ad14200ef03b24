//go:build !linux

package rt

// Bell wakes one goroutine from the cycle. Unanswered rings count as one.
type Bell struct {
	rung chan struct{}
}

// NewBell makes a bell.
func NewBell() (*Bell, error) { return &Bell{rung: make(chan struct{}, 1)}, nil }

// Ring wakes the waiting goroutine, or lets its next Wait return at once. It never waits.
func (b *Bell) Ring() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

// Wait returns after a ring. Memory written before the ring is visible after it.
func (b *Bell) Wait() { <-b.rung }

// Close releases the bell.
func (b *Bell) Close() error { return nil }
