package client

import (
	"errors"
	"fmt"
)

// ErrPlanned is returned for a net that exists in a plan only: it cannot be started, and has no states.
var ErrPlanned = errors.New("net exists in a plan only")

// Planned returns a net of a plan by its place there, from 0. It has the name by which rules and other nets of the plan call it;
// all its other methods, and calls that wait for it, return ErrPlanned.
func (d *Daemon) Planned(place int) *Net {
	n := &Net{Name: fmt.Sprintf("rpinet%d", place+1), daemon: d, subject: newSubject(), values: map[string]string{}, counts: map[string]int{}}
	n.cause = fmt.Errorf("net %s: %w", n.Name, ErrPlanned)
	return n
}
