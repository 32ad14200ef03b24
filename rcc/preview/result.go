package preview

import (
	"encoding/json"
	"math"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Number is one that nets or devices compute, which may be none. JSON has no form for those: they are the strings NaN, Infinity and
// -Infinity there.
type Number float64

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	default:
		return json.Marshal(v)
	}
}

// Result is what would come of a plan. Times are in s since the first cycle of the first net.
type Result struct {
	Duration float64   `json:"duration"` // until the last net has ended
	Cut      bool      `json:"cut"`      // nets were cancelled, as they went on for longer than they were to
	Nets     []Ran     `json:"nets"`     // in the order of the plan
	Rules    []Decided `json:"rules"`    // in the order of the plan
	Devices  []Device  `json:"devices"`  // with joints that nets have commanded
	Breaches []Breach  `json:"breaches"` // in the order of their times
	LeftOut  []LeftOut `json:"leftOut"`
	Warnings []Warning `json:"warnings"`
}

// Ran is what became of a net.
type Ran struct {
	State  string             `json:"state"`
	Begun  bool               `json:"begun"`
	Begin  float64            `json:"begin"` // first cycle
	End    float64            `json:"end"`   // last cycle
	Values map[string]string  `json:"values"`
	True   map[string]float64 `json:"true"` // when variables were true for the first time

	Warnings []rcc.Problem `json:"warnings,omitempty"` // that loading it gives
}

// Decided is what became of a rule.
type Decided struct {
	State   string  `json:"state"`
	At      float64 `json:"at"` // tick at whose end it was decided, or looked at for the last time
	Account string  `json:"account"`
}

// Device is what joints of a device were commanded, and where that has led them.
type Device struct {
	Name   string        `json:"name"`
	From   []Number      `json:"from"`   // where they began
	By     rcc.Beginning `json:"by"`     // how that is known
	End    float64       `json:"end"`    // newest set-point
	Rest   Number        `json:"rest"`   // when they rested, +Inf if they do not
	Joints []Number      `json:"joints"` // where they rest
	Left   []Left        `json:"left"`
	Peaks  []Peak        `json:"peaks"`
}

// Left is a joint that nets have left faster than it can be stopped in a cycle, when they did so for the first time.
type Left struct {
	Joint    int     `json:"joint"`
	Name     string  `json:"name"`
	At       float64 `json:"at"` // last set-point
	Velocity float64 `json:"velocity"`
}

// Peak is what a joint was commanded at most, in both directions, of what it did not refuse. A limit that nobody knows is 0.
type Peak struct {
	Velocity          Number `json:"velocity"`
	VelocityLimit     Number `json:"velocityLimit"`
	Acceleration      Number `json:"acceleration"`
	AccelerationLimit Number `json:"accelerationLimit"`
	Unit              string `json:"unit,omitempty"` // of the joint, rad or m; empty when nobody knows
}

// Breach is a command of a joint beyond a limit. There are up to two for each limit of a joint: the first time that
// the device took it, as it allows for rounding, and the first time that it did not.
type Breach struct {
	At      float64  `json:"at"`
	Device  string   `json:"device"`
	Joint   int      `json:"joint"`
	Name    string   `json:"name"`
	What    string   `json:"what"`  // position, velocity, acceleration, jerk, or start: a net began elsewhere
	Value   Number   `json:"value"` // at that time
	Limit   Number   `json:"limit"` // of a start: where the joint was
	Worst   Number   `json:"worst"` // value of all times that the device took it, or did not
	Refused bool     `json:"refused"`
	Joints  []Number `json:"joints"` // where those of the device were commanded to be
	Text    string   `json:"text"`
}

// LeftOut is a device that has no twin.
type LeftOut struct {
	Device string `json:"device"`
	Why    string `json:"why"`
}

// Warning is a device that does not work now as its twin does.
type Warning struct {
	Device string `json:"device"`
	Text   string `json:"text"`
}
