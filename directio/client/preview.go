package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Plan is what a preview executes: nets, and rules that switch between them, with twins of the devices of the daemon in a time of its
// own. Times are in s.
type Plan struct {
	Nets  []PlannedNet         `json:"nets"` // rpinet1, rpinet2, … in this order: so rules and other nets call them
	Rules []PlannedRule        `json:"rules,omitempty"`
	From  map[string][]float64 `json:"from,omitempty"` // where joints of devices stand; those left out stand where they are commanded to be now
	For   float64              `json:"for,omitempty"`  // after which what goes on is cancelled, at most 600; 60 if it is 0
}

// PlannedNet is a net of a plan.
type PlannedNet struct {
	Text   string            `json:"text"`
	Cycle  float64           `json:"cycle,omitempty"`
	Inputs map[string]string `json:"inputs,omitempty"` // as NetOptions.Inputs
	Start  bool              `json:"start,omitempty"`  // it begins at once, all of these in the same cycle; others wait for a rule
}

// PlannedRule is a synchronization rule of a plan, by the names of its nets.
type PlannedRule struct {
	Condition string   `json:"condition"`
	Stop      []string `json:"stop,omitempty"`
	Cancel    []string `json:"cancel,omitempty"`
	Start     []string `json:"start,omitempty"`
}

// Preview is what would come of a plan. Times are in s since the first cycle.
type Preview struct {
	Duration float64           `json:"duration"` // until the last net has ended
	Cut      bool              `json:"cut"`      // nets were cancelled, as they went on for longer than they were to
	Nets     []PreviewedNet    `json:"nets"`     // in the order of the plan
	Rules    []PreviewedRule   `json:"rules"`
	Devices  []PreviewedDevice `json:"devices"` // with joints that nets have commanded
	Breaches []Breach          `json:"breaches"`
	LeftOut  []LeftOut         `json:"leftOut"` // devices that have no twin
}

// PreviewedNet is what became of a net.
type PreviewedNet struct {
	State  State              `json:"state"`
	Begun  bool               `json:"begun"`
	Begin  float64            `json:"begin"`
	End    float64            `json:"end"`
	Values map[string]string  `json:"values"` // of its variables at the end
	True   map[string]float64 `json:"true"`   // when variables that are true or false became true for the first time
}

// PreviewedRule is what became of a rule.
type PreviewedRule struct {
	State   RuleState `json:"state"`
	At      float64   `json:"at"` // when it was decided, or looked at for the last time
	Account string    `json:"account"`
}

// PreviewedDevice is what joints of a device were commanded.
type PreviewedDevice struct {
	Name string  `json:"name"`
	End  float64 `json:"end"` // when the last set-point came

	Joints []float64 `json:"joints"` // where they are at the end
	Peaks  []Peak    `json:"peaks"`  // of each joint
}

// Peak is what a joint was commanded at most, of both directions, beside what it can do; a limit that nobody knows is 0.
type Peak struct {
	Velocity          float64 `json:"velocity"`
	VelocityLimit     float64 `json:"velocityLimit"`
	Acceleration      float64 `json:"acceleration"`
	AccelerationLimit float64 `json:"accelerationLimit"`
}

// Breach is that a joint was commanded something beyond a limit. There is one for each limit of a joint: when and where it was for the
// first time, with the worst value of all times.
type Breach struct {
	At     float64   `json:"at"`
	Device string    `json:"device"`
	Joint  int       `json:"joint"`
	Name   string    `json:"name"`   // of the joint
	What   string    `json:"what"`   // the limit: position, velocity, acceleration or jerk; or start: a net began where the joint was not
	Value  float64   `json:"value"`  // that was commanded
	Limit  float64   `json:"limit"`  // that is allowed, or where the joint was
	Joints []float64 `json:"joints"` // where the joints of the device were commanded to be
	Text   string    `json:"text"`   // for people

	Refused bool `json:"refused"` // by the device; otherwise it would still take it, for what limits are rounded by
}

// LeftOut is a device that a preview has no twin of, and why. A plan with nets that need it is refused.
type LeftOut struct {
	Device string `json:"device"`
	Why    string `json:"why"`
}

// Preview has the daemon execute a plan with twins of its devices, in a time of its own: as fast as it can be computed, and nothing moves.
// A plan that makes no sense is a *RefusedError.
func (d *Daemon) Preview(ctx context.Context, plan Plan) (*Preview, error) {
	body, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	answer, err := d.request(ctx, http.MethodPost, "/preview/", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	var p Preview
	if err := json.Unmarshal(answer, &p); err != nil {
		return nil, fmt.Errorf("POST /preview/: what answers there is not rccd: %w", err)
	}
	return &p, nil
}
