package preview

// Result is what would come of a plan. Times are in s since the first cycle of the first net.
type Result struct {
	Duration float64   `json:"duration"` // until the last net has ended
	Cut      bool      `json:"cut"`      // nets were cancelled, as they went on for longer than they were to
	Nets     []Ran     `json:"nets"`     // in the order of the plan
	Rules    []Decided `json:"rules"`    // in the order of the plan
	Devices  []Device  `json:"devices"`  // with joints that nets have commanded
	Breaches []Breach  `json:"breaches"` // in the order of their times
	LeftOut  []LeftOut `json:"leftOut"`
}

// Ran is what became of a net.
type Ran struct {
	State  string             `json:"state"`
	Begun  bool               `json:"begun"`
	Begin  float64            `json:"begin"` // first cycle
	End    float64            `json:"end"`   // last cycle
	Values map[string]string  `json:"values"`
	True   map[string]float64 `json:"true"` // when variables were true for the first time
}

// Decided is what became of a rule.
type Decided struct {
	State   string  `json:"state"`
	At      float64 `json:"at"` // tick at whose end it was decided, or looked at for the last time
	Account string  `json:"account"`
}

// Device is what joints of a device were commanded.
type Device struct {
	Name   string    `json:"name"`
	End    float64   `json:"end"`    // newest set-point
	Joints []float64 `json:"joints"` // where they are commanded to be at the end
	Peaks  []Peak    `json:"peaks"`
}

// Peak is what a joint was commanded at most, in both directions, of what it did not refuse. A limit that nobody knows is 0.
type Peak struct {
	Velocity          float64 `json:"velocity"`
	VelocityLimit     float64 `json:"velocityLimit"`
	Acceleration      float64 `json:"acceleration"`
	AccelerationLimit float64 `json:"accelerationLimit"`
}

// Breach is that a joint was commanded something beyond a limit. There is one for each limit of a joint: when and where it was the
// first time, and the worst value of all times.
type Breach struct {
	At      float64   `json:"at"`
	Device  string    `json:"device"`
	Joint   int       `json:"joint"`
	Name    string    `json:"name"`
	What    string    `json:"what"` // position, velocity, acceleration, jerk, or start: a net began elsewhere
	Value   float64   `json:"value"`
	Limit   float64   `json:"limit"` // of a start: where the joint was
	Refused bool      `json:"refused"`
	Joints  []float64 `json:"joints"` // where those of the device were commanded to be
	Text    string    `json:"text"`
}

// LeftOut is a device that has no twin.
type LeftOut struct {
	Device string `json:"device"`
	Why    string `json:"why"`
}
