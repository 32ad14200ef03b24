package scope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Setup configures a scope. Spans are in seconds.
type Setup struct {
	Name     string    `json:"name"`
	Channels []Channel `json:"channels"`
	Before   float64   `json:"before"` // shown before the trigger
	After    float64   `json:"after"`  // shown after it
	Mode     Mode      `json:"mode"`
	Holdoff  float64   `json:"holdoff,omitempty"` // least time from a trigger to the next one
	Trigger  Trigger   `json:"trigger"`
}

// Mode is what a scope does with triggers.
type Mode string

// Modes. Auto makes a capture without a trigger when none comes in time, see [Scope].
const (
	Auto   Mode = "auto"
	Normal Mode = "normal"
	Single Mode = "single"
)

// Channel is one signal.
type Channel struct {
	Name      string `json:"name"`
	Source    Source `json:"source"`
	Component string `json:"component,omitempty"` // name of a component of a vector, or "norm"; empty for all components
}

// Source is where a signal comes from: a port of a net (path and port as in its graph), or a figure of a device or an executor.
type Source struct {
	Net      string `json:"net,omitempty"`
	Path     string `json:"path,omitempty"`
	Port     string `json:"port,omitempty"`
	Device   string `json:"device,omitempty"`
	Executor string `json:"executor,omitempty"`
	Figure   string `json:"figure,omitempty"`
}

// Kind is what a trigger looks for.
type Kind string

// Kinds of triggers: those of a channel, and those of events.
const (
	None     Kind = "none"
	Edge     Kind = "edge"
	Level    Kind = "level"
	Window   Kind = "window"
	Runt     Kind = "runt"
	Rule     Kind = "rule"
	State    Kind = "state"
	Incident Kind = "incident"
	Fault    Kind = "fault"
)

var (
	ofChannels = []Kind{Edge, Level, Window, Runt}
	ofEvents   = []Kind{Rule, State, Incident, Fault}
)

// Slope is the direction of an edge or a pulse.
type Slope string

// Slopes.
const (
	Rising  Slope = "rising"
	Falling Slope = "falling"
	Either  Slope = "either"
)

// Trigger configures the trigger. [Detector] defines the kinds for signals; the kinds for events compare the fields that are not
// empty with an [Event].
type Trigger struct {
	Kind       Kind    `json:"kind"`
	Channel    string  `json:"channel,omitempty"`
	Level      float64 `json:"level,omitempty"`
	Low        float64 `json:"low,omitempty"`
	High       float64 `json:"high,omitempty"`
	Slope      Slope   `json:"slope,omitempty"`  // rising when empty
	Above      bool    `json:"above,omitempty"`  // level: at or above it instead of at or below
	Inside     bool    `json:"inside,omitempty"` // window: when the signal enters it instead of when it leaves
	Hysteresis float64 `json:"hysteresis,omitempty"`
	Rule       string  `json:"rule,omitempty"`
	Net        string  `json:"net,omitempty"`
	State      string  `json:"state,omitempty"`
	Device     string  `json:"device,omitempty"`
}

// OfChannel reports whether the trigger looks at a channel.
func (t *Trigger) OfChannel() bool { return slices.Contains(ofChannels, t.Kind) }

// OfEvents reports whether the trigger waits for events.
func (t *Trigger) OfEvents() bool { return slices.Contains(ofEvents, t.Kind) }

// Limits of a setup.
const (
	MostChannels  = 32
	longestSpan   = 3600.0 // s, of each span
	longestName   = 64     // bytes
	longestPlace  = 1000   // bytes, of other names
	LargestSetup  = 64 << 10
	shortestTotal = 1e-6 // s
)

// SetupError is a mistake in a setup, with its place.
type SetupError struct {
	Where string // a JSON pointer
	What  string
}

func (e *SetupError) Error() string { return fmt.Sprintf("setup %s: %s", e.Where, e.What) }

func problem(where, format string, args ...any) error {
	return &SetupError{Where: where, What: fmt.Sprintf(format, args...)}
}

// ParseSetup reads a setup in JSON and checks it.
func ParseSetup(text []byte) (*Setup, error) {
	if len(text) > LargestSetup {
		return nil, problem("/", "it has %d bytes, %d are allowed", len(text), LargestSetup)
	}
	s := &Setup{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, problem("/"+strings.ReplaceAll(kind.Field, ".", "/"), "%s is not a %s", kind.Value, kind.Type)
		}
		return nil, problem("/", "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, problem("/", "something follows it")
	}
	return s, s.Check()
}

// Check returns the first mistake in a setup, a *SetupError.
func (s *Setup) Check() error {
	if err := checkName("/name", s.Name); err != nil {
		return err
	}
	if len(s.Channels) == 0 || len(s.Channels) > MostChannels {
		return problem("/channels", "%d channels; a scope has 1 to %d", len(s.Channels), MostChannels)
	}
	names := map[string]bool{}
	for i := range s.Channels {
		c, where := &s.Channels[i], fmt.Sprintf("/channels/%d", i)
		if err := c.check(where); err != nil {
			return err
		}
		if names[c.Name] {
			return problem(where+"/name", "another channel has the name %q", c.Name)
		}
		names[c.Name] = true
	}
	for _, span := range []struct {
		where   string
		seconds float64
	}{{"/before", s.Before}, {"/after", s.After}, {"/holdoff", s.Holdoff}} {
		if !(span.seconds >= 0 && span.seconds <= longestSpan) {
			return problem(span.where, "%v s is outside 0..%v", span.seconds, longestSpan)
		}
	}
	if s.Before+s.After < shortestTotal {
		return problem("/after", "before and after are both 0, so that nothing is shown")
	}
	if !slices.Contains([]Mode{Auto, Normal, Single}, s.Mode) {
		return problem("/mode", "%q is not one of auto, normal, single", s.Mode)
	}
	return s.Trigger.check(s, names)
}

func (c *Channel) check(where string) error {
	if err := checkName(where+"/name", c.Name); err != nil {
		return err
	}
	if len(c.Component) > longestName {
		return problem(where+"/component", "it is longer than %d bytes", longestName)
	}
	s := &c.Source
	for _, name := range []string{s.Net, s.Path, s.Port, s.Device, s.Executor, s.Figure} {
		if len(name) > longestPlace || !utf8.ValidString(name) {
			return problem(where+"/source", "a name is longer than %d bytes, or not UTF-8", longestPlace)
		}
	}
	var ok bool
	switch {
	case s.Net != "":
		ok = s.Port != "" && s.Device == "" && s.Executor == "" && s.Figure == ""
	case s.Device != "":
		ok = s.Figure != "" && s.Path == "" && s.Port == "" && s.Executor == ""
	case s.Executor != "":
		ok = s.Figure != "" && s.Path == "" && s.Port == ""
	}
	if !ok {
		return problem(where+"/source", "give net, path and port, or device and figure, or executor and figure")
	}
	return nil
}

// checkName accepts names that can be those of files, of columns of a table and of topics.
func checkName(where, name string) error {
	switch {
	case name == "":
		return problem(where, "it is empty")
	case len(name) > longestName:
		return problem(where, "it has %d bytes, %d are allowed", len(name), longestName)
	case !utf8.ValidString(name):
		return problem(where, "it is not UTF-8")
	}
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0xC0 && c < 0x250
		if !letter && (i == 0 || !strings.ContainsRune(" ._-()[]", c)) {
			return problem(where, "%q cannot have %q there; use letters, digits and, behind the first, blanks and ._-()[]", name, c)
		}
	}
	return nil
}

func (t *Trigger) check(s *Setup, names map[string]bool) error {
	for _, n := range []struct {
		where string
		v     float64
	}{{"level", t.Level}, {"low", t.Low}, {"high", t.High}, {"hysteresis", t.Hysteresis}} {
		if math.IsNaN(n.v) || math.IsInf(n.v, 0) {
			return problem("/trigger/"+n.where, "it must be finite")
		}
	}
	for _, name := range []string{t.Rule, t.Net, t.State, t.Device} {
		if len(name) > longestPlace || !utf8.ValidString(name) {
			return problem("/trigger", "a name is longer than %d bytes, or not UTF-8", longestPlace)
		}
	}
	switch {
	case t.Kind == None:
		if s.Mode == Normal {
			return problem("/mode", "normal waits for a trigger, and its kind is none; use auto or single")
		}
		return nil
	case t.OfEvents():
		if t.Kind == State && (t.Net == "" || t.State == "") {
			return problem("/trigger", "kind state needs the net and its state")
		}
		return nil
	case !t.OfChannel():
		return problem("/trigger/kind", "%q is not one of none, edge, level, window, runt, rule, state, incident, fault", t.Kind)
	}
	return t.checkChannel(names)
}

func (t *Trigger) checkChannel(names map[string]bool) error {
	switch {
	case !names[t.Channel]:
		return problem("/trigger/channel", "%q is not the name of a channel", t.Channel)
	case !slices.Contains([]Slope{"", Rising, Falling, Either}, t.Slope):
		return problem("/trigger/slope", "%q is not one of rising, falling, either", t.Slope)
	case t.Hysteresis < 0:
		return problem("/trigger/hysteresis", "it is negative")
	case (t.Kind == Window || t.Kind == Runt) && t.Low >= t.High:
		return problem("/trigger/low", "%v is not below high, %v", t.Low, t.High)
	case t.Kind == Window && !t.Inside && 2*t.Hysteresis >= t.High-t.Low:
		return problem("/trigger/hysteresis", "%v leaves nothing of the window from %v to %v", t.Hysteresis, t.Low, t.High)
	}
	return nil
}

// span converts seconds of a setup that has been checked.
func span(seconds float64) int64 { return int64(math.Round(seconds * float64(time.Second))) }
