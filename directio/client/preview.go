package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
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

// Preview is the predicted outcome of a plan. Times are in s since the first cycle.
type Preview struct {
	Duration float64           `json:"duration"` // until the last net has ended
	Cut      bool              `json:"cut"`      // nets were cancelled, as they went on for longer than they were to
	Nets     []PreviewedNet    `json:"nets"`     // in the order of the plan
	Rules    []PreviewedRule   `json:"rules"`
	Devices  []PreviewedDevice `json:"devices"` // with joints that nets have commanded
	Breaches []Breach          `json:"breaches"`
	LeftOut  []LeftOut         `json:"leftOut"`  // devices that have no twin
	Warnings []PreviewWarning  `json:"warnings"` // devices that do not work now, while their twins do
}

// PreviewedNet is the predicted outcome of a net.
type PreviewedNet struct {
	State  State              `json:"state"`
	Begun  bool               `json:"begun"`
	Begin  float64            `json:"begin"`
	End    float64            `json:"end"`
	Values map[string]string  `json:"values"` // of its variables at the end
	True   map[string]float64 `json:"true"`   // when variables that are true or false became true for the first time

	Warnings []Reason `json:"warnings"` // that loading it gives
}

// PreviewedRule is the predicted outcome of a rule.
type PreviewedRule struct {
	State   RuleState `json:"state"`
	At      float64   `json:"at"` // when it was decided, or looked at for the last time
	Account string    `json:"account"`
}

// PreviewedDevice is what the joints of a device were commanded, and where that led them. Numbers may be NaN or infinite where
// nets compute such ones.
type PreviewedDevice struct {
	Name string      `json:"name"`
	From []float64   `json:"from"` // where joints began
	By   BeginningBy `json:"by"`   // how that is known
	End  float64     `json:"end"`  // when the last set-point came
	Rest float64     `json:"rest"` // when its joints rested, +Inf if they still moved 10 s after the last net

	Joints []float64   `json:"joints"` // where they rest; those that nets have left in motion brake until then
	Left   []LeftJoint `json:"left"`   // that nets have left in motion
	Peaks  []Peak      `json:"peaks"`  // of each joint
}

// BeginningBy is how the first positions of a twin's joints are known.
type BeginningBy string

// The ways in which it is known.
const (
	ByPlan       BeginningBy = "plan"       // it says so
	ByCommand    BeginningBy = "commanded"  // there they are commanded to be
	ByMeasuring  BeginningBy = "measured"   // some cannot be commanded, as they have no power or have failed, and are where they are measured
	ByParameters BeginningBy = "parameters" // the device has not been heard of yet
)

// LeftJoint is a joint that a net has left faster than it can be stopped in a cycle: it has braked by itself. Only the first
// time is reported.
type LeftJoint struct {
	Joint    int     `json:"joint"`
	Name     string  `json:"name"` // of the joint
	At       float64 `json:"at"`   // of the last set-point
	Velocity float64 `json:"velocity"`
}

// Peak is what a joint was commanded at most, of both directions, beside what it can do; an unknown limit is 0.
type Peak struct {
	Velocity          float64 `json:"velocity"`
	VelocityLimit     float64 `json:"velocityLimit"`
	Acceleration      float64 `json:"acceleration"`
	AccelerationLimit float64 `json:"accelerationLimit"`
}

// Breach is a command of a joint beyond a limit. There are up to two for each limit of a joint: the first set-point that the
// device would still take, for what limits are rounded by, and the first one that it refuses. After a refusal a joint brakes, and is
// judged no more until nets have left it.
type Breach struct {
	At     float64   `json:"at"`
	Device string    `json:"device"`
	Joint  int       `json:"joint"`
	Name   string    `json:"name"`   // of the joint
	What   string    `json:"what"`   // the limit: position, velocity, acceleration or jerk; or start: a net began where the joint was not
	Value  float64   `json:"value"`  // that was commanded then; NaN or infinite if a net has computed that
	Limit  float64   `json:"limit"`  // that is allowed, or where the joint was
	Worst  float64   `json:"worst"`  // value of all those of this kind
	Joints []float64 `json:"joints"` // where the joints of the device were commanded to be
	Text   string    `json:"text"`   // for people

	Refused bool `json:"refused"` // by the device
}

// PreviewWarning is a device that does not work now, as its emergency stop is pressed, drives have no power or it is not connected: its twin
// behaves as if all was well.
type PreviewWarning struct {
	Device string `json:"device"`
	Text   string `json:"text"` // for people
}

// LeftOut is a device that a preview has no twin of, and why. A plan with nets that need it is refused.
type LeftOut struct {
	Device string `json:"device"`
	Why    string `json:"why"`
}

// Preview makes the daemon execute a plan with twins of its devices, in a time of its own: as fast as it can be computed, and
// nothing moves. A plan that makes no sense is a *RefusedError.
func (d *Daemon) Preview(ctx context.Context, plan Plan) (*Preview, error) {
	body, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	answer, err := d.request(ctx, d.instance(), http.MethodPost, "/preview/", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	var p Preview
	if err := json.Unmarshal(answer, &p); err != nil {
		return nil, fmt.Errorf("POST /preview/: the server there is not rccd: %w", err)
	}
	return &p, nil
}

// number is one that may be none: NaN, Infinity and -Infinity are strings in JSON.
type number float64

// UnmarshalJSON reads both forms.
func (n *number) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", text)
	}
	*n = number(v)
	return nil
}

func floats(of []number) []float64 {
	var list []float64
	for _, n := range of {
		list = append(list, float64(n))
	}
	return list
}

// UnmarshalJSON reads NaN and infinities, too.
func (d *PreviewedDevice) UnmarshalJSON(text []byte) error {
	type plain PreviewedDevice
	as := struct {
		*plain

		From   []number `json:"from"`
		Rest   number   `json:"rest"`
		Joints []number `json:"joints"`
		Peaks  []struct {
			Velocity          number `json:"velocity"`
			VelocityLimit     number `json:"velocityLimit"`
			Acceleration      number `json:"acceleration"`
			AccelerationLimit number `json:"accelerationLimit"`
		} `json:"peaks"`
	}{plain: (*plain)(d)}
	err := json.Unmarshal(text, &as)
	d.Peaks = nil
	for _, p := range as.Peaks {
		d.Peaks = append(d.Peaks, Peak{float64(p.Velocity), float64(p.VelocityLimit), float64(p.Acceleration), float64(p.AccelerationLimit)})
	}
	d.From, d.Rest, d.Joints = floats(as.From), float64(as.Rest), floats(as.Joints)
	return err
}

// UnmarshalJSON reads NaN and infinities, too.
func (b *Breach) UnmarshalJSON(text []byte) error {
	type plain Breach
	as := struct {
		*plain

		Value  number   `json:"value"`
		Limit  number   `json:"limit"`
		Worst  number   `json:"worst"`
		Joints []number `json:"joints"`
	}{plain: (*plain)(b)}
	err := json.Unmarshal(text, &as)
	b.Value, b.Limit, b.Worst, b.Joints = float64(as.Value), float64(as.Limit), float64(as.Worst), floats(as.Joints)
	return err
}
