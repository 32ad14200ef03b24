package preview

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Plan is what is to be tried out. Its members are those that clients send; times are in s.
type Plan struct {
	Nets  []Net                `json:"nets"` // rpinet1, rpinet2, … in this order
	Rules []Rule               `json:"rules"`
	From  map[string][]float64 `json:"from"` // where joints of devices are; those left out are where they are commanded to be now
	For   float64              `json:"for"`  // after which what goes on is cancelled; usual if 0
}

// Net is a net of a plan.
type Net struct {
	Text   string            `json:"text"`
	Cycle  float64           `json:"cycle"` // that of the daemon if 0
	Inputs map[string]string `json:"inputs"`
	Start  bool              `json:"start"` // in the first cycle; others wait for a rule
}

// Rule is a synchronization rule of a plan, by the names of its nets.
type Rule struct {
	Condition string   `json:"condition"`
	Stop      []string `json:"stop"`
	Cancel    []string `json:"cancel"`
	Start     []string `json:"start"`
}

// Limits of plans.
const (
	MostNets  = 256
	MostRules = 1024
	Longest   = 600 // s

	usual = 60               // s, when a plan does not say for how long
	grace = 10 * time.Second // for what has been cancelled to end
)

// Error is what is wrong with a plan.
type Error struct {
	Place     string   // in the plan, such as nets[2]
	Net, Rule int      // that it is about, -1 when it is none
	Err       error    // nil when a net is rejected
	Rejected  *rcc.Net // which tells its problems
}

func (e *Error) Error() string {
	if e.Rejected == nil {
		return fmt.Sprintf("%s: %v", e.Place, e.Err)
	}
	text := e.Place + ": it is rejected"
	for _, p := range e.Rejected.Problems() {
		text += "; " + p.String()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// of makes an error about the whole, a net or a rule.
func of(place string, err error) *Error { return &Error{Place: place, Net: -1, Rule: -1, Err: err} }

func ofNet(i int, member string, err error) *Error {
	return &Error{Place: fmt.Sprintf("nets[%d]%s", i, member), Net: i, Rule: -1, Err: err}
}

func ofRule(i int, err error) *Error {
	return &Error{Place: fmt.Sprintf("rules[%d]", i), Net: -1, Rule: i, Err: err}
}

func wrong(place, format string, args ...any) *Error { return of(place, fmt.Errorf(format, args...)) }

// check looks for what is wrong before anything is made.
func (p *Plan) check() error {
	switch {
	case len(p.Nets) == 0:
		return wrong("nets", "missing")
	case len(p.Nets) > MostNets:
		return wrong("nets", "%d given, at most %d are allowed", len(p.Nets), MostNets)
	case len(p.Rules) > MostRules:
		return wrong("rules", "%d given, at most %d are allowed", len(p.Rules), MostRules)
	case !(p.For >= 0 && p.For <= Longest):
		return wrong("for", "%v s is not between 0 and %d", p.For, Longest)
	}
	for device, joints := range p.From {
		for i, v := range joints {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return wrong(fmt.Sprintf("from.%s[%d]", device, i), "%v is not a position", v)
			}
		}
	}
	for i, n := range p.Nets {
		if rcc.Seconds(n.Cycle) < 0 {
			return ofNet(i, ".cycle", fmt.Errorf("%v s is not a time", n.Cycle))
		}
	}
	return nil
}
