package client

import (
	"context"
	"encoding/json"
	"time"
)

// Figures are what the cycles of a net have taken (table 11.2).
type Figures struct {
	Cycles   int
	Overruns int // cycles that took longer than there was time
	Late     int // cycles that did not begin in time
	Missed   int // cycles that were left out

	Cycle     Times // from the beginning of a cycle to that of the next one
	Execution Times // of a cycle
}

// Times are many times.
type Times struct{ Mean, StdDev, Min, Max time.Duration }

// UnmarshalJSON reads milliseconds.
func (t *Times) UnmarshalJSON(text []byte) error {
	var ms struct{ Mean, StdDev, Min, Max float64 }
	if err := json.Unmarshal(text, &ms); err != nil {
		return err
	}
	of := func(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
	*t = Times{of(ms.Mean), of(ms.StdDev), of(ms.Min), of(ms.Max)}
	return nil
}

// Figures asks what the cycles of the net have taken so far, and have altogether when it has ended.
func (n *Net) Figures(ctx context.Context) (f Figures, err error) {
	if _, err := n.connection(); err != nil {
		return f, err
	}
	return f, n.daemon.get(ctx, place("nets", n.Name, "stats"), &f)
}
