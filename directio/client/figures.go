package client

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"time"
)

// Figures are the durations of the cycles of a net (table 11.2).
type Figures struct {
	Cycles   int
	Overruns int // cycles that took longer than there was time
	Late     int // cycles that did not begin in time
	Missed   int // cycles that were left out

	Cycle     Times // from the beginning of a cycle to that of the next one
	Execution Times // of a cycle
}

// Phases is the durations of the phases of one cycle (figure 11.1): to read sensors, to compute, and to command actuators.
type Phases struct {
	Cycle           int
	Sense, Run, Act time.Duration
}

// Times is a distribution of durations.
type Times struct{ Mean, StdDev, Min, Max time.Duration }

// UnmarshalJSON reads milliseconds.
func (t *Times) UnmarshalJSON(text []byte) error {
	var ms struct{ Mean, StdDev, Min, Max float64 }
	if err := json.Unmarshal(text, &ms); err != nil {
		return err
	}
	*t = Times{fromMilliseconds(ms.Mean), fromMilliseconds(ms.StdDev), fromMilliseconds(ms.Min), fromMilliseconds(ms.Max)}
	return nil
}

// UnmarshalJSON reads milliseconds.
func (p *Phases) UnmarshalJSON(text []byte) error {
	var of struct {
		Cycle           int
		Sense, Run, Act float64
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*p = Phases{of.Cycle, fromMilliseconds(of.Sense), fromMilliseconds(of.Run), fromMilliseconds(of.Act)}
	return nil
}

func fromMilliseconds(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// KeepPhases makes the daemon keep the phases of the net's newest cycles, from now on until it is unloaded.
func (n *Net) KeepPhases(ctx context.Context) error {
	if _, err := n.connection(); err != nil {
		return err
	}
	return n.daemon.post(ctx, place("nets", n.Name, "stats"), url.Values{"phases": {"true"}})
}

// Phases returns the phases that are kept, the oldest cycle first.
func (n *Net) Phases(ctx context.Context) ([]Phases, error) {
	if _, err := n.connection(); err != nil {
		return nil, err
	}
	var stats struct{ Phases []Phases }
	err := n.daemon.get(ctx, place("nets", n.Name, "stats"), &stats)
	return stats.Phases, err
}

// Figures returns the durations of the cycles so far, or of all cycles when the net has ended.
func (n *Net) Figures(ctx context.Context) (f Figures, err error) {
	if _, err := n.connection(); err != nil {
		return f, err
	}
	return f, n.daemon.get(ctx, place("nets", n.Name, "stats"), &f)
}
