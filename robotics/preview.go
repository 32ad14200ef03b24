package robotics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// Preview is what would come of commands. Times are those since the first cycle.
type Preview struct {
	Duration time.Duration       // until all has come to its end
	Cut      bool                // what went on for too long was cancelled
	Commands []*PreviewedCommand // in the order in which they were started and loaded
	Rules    []PreviewedRule     // in the order in which they were added
	Devices  []*PreviewedJoints  // those whose joints were commanded
	Breaches []*BreachError      // what comes first is first
	LeftOut  []client.LeftOut    // devices that cannot be simulated, and which no command needs

	asked bool // to cut it
}

// PreviewedCommand is what would become of a command.
type PreviewedCommand struct {
	Command    string
	Begun      bool
	Begin, End time.Duration
	Completed  bool // it would come to its end by itself, or as it is cancelled
	Relieved   bool // a rule would stop it
	Faults     []PreviewedFault

	why string // what a rule says that was to start it
}

// PreviewedFault is something that would go wrong with a command.
type PreviewedFault struct {
	At    time.Duration
	Fault *FaultError
}

// PreviewedRule is what would become of a rule.
type PreviewedRule struct {
	State   client.RuleState
	At      time.Duration // when it is decided
	Account string        // why
}

// PreviewedJoints is what joints of a device would be commanded.
type PreviewedJoints struct {
	Device string
	End    time.Duration // when they are commanded last
	Joints []float64     // where they are then
	Peaks  []Peak        // of each joint
}

// Peak is what a joint would be commanded at most, in both directions, beside what it can do; a limit that nobody knows is 0.
type Peak struct {
	Name string // of the joint
	client.Peak
}

// BreachError is that a joint would have to go beyond a limit. There is one for each limit of a joint.
type BreachError struct {
	At     time.Duration
	Device string
	Joint  int
	Name   string  // of the joint
	What   string  // the limit: position, velocity, acceleration or jerk; or start, of what begins elsewhere
	Value  float64 // that is commanded, the worst one
	Limit  float64
	Joints []float64   // where the joints of the device are the first time
	Flange *geom.Frame // where its flange is then, seen from its base; nil if the model does not tell

	Refused bool // the device would refuse it; otherwise it would still take it

	unit string
}

func (e *BreachError) Error() string {
	return fmt.Sprintf("joint %s of %s would have to %s", e.Name, e.Device, e.verb())
}

// verb says what the joint would have to do, and can.
func (e *BreachError) verb() string {
	value := math.Abs(e.Value)
	if e.What == "position" || e.What == "start" {
		value = e.Value
	}
	for _, of := range []struct{ what, text, per string }{
		{"position", "be at %s, it ends at %.6g", ""},
		{"velocity", "be %s fast, it can be %.6g", "/s"},
		{"acceleration", "accelerate with %s, it can with %.6g", "/s²"},
		{"jerk", "change its acceleration by %s, it can by %.6g", "/s³"},
		{"start", "begin at %s, it is at %.6g", ""},
	} {
		if of.what == e.What {
			return fmt.Sprintf(of.text, fmt.Sprintf("%.6g %s%s", value, e.unit, of.per), e.Limit)
		}
	}
	return fmt.Sprintf("do %.6g, %.6g is its limit of %s", e.Value, e.Limit, e.What)
}

// What may come of commands beside faults and violated limits.
var (
	ErrEndless    = errors.New("it would go on for longer than was looked at (For)")
	ErrNeverBegun = errors.New("it would not begin")
)

// PreviewError is that commands would not do what they are to do. It is all that would go wrong: BreachErrors, FaultErrors, ErrStopped,
// ErrNeverBegun and ErrEndless.
type PreviewError struct {
	Preview  *Preview
	problems []problem // what comes first is first
}

// problem is something that would go wrong.
type problem struct {
	at  time.Duration
	err error
}

func (e *PreviewError) Error() string {
	const most = 3
	var texts []string
	for _, p := range e.problems[:min(most, len(e.problems))] {
		texts = append(texts, fmt.Sprintf("after %v: %v", p.at, p.err))
	}
	if more := len(e.problems) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns all that would go wrong.
func (e *PreviewError) Unwrap() []error {
	all := make([]error, len(e.problems))
	for i, p := range e.problems {
		all[i] = p.err
	}
	return all
}

// Err is nil if all commands would begin, and come to their ends or be relieved by others, without a violated limit. Otherwise it is a
// *PreviewError, which says in sentences what would go wrong first.
func (p *Preview) Err() error {
	var all []problem
	for _, b := range p.Breaches {
		all = append(all, problem{b.At, b})
	}
	for _, c := range p.Commands {
		all = append(all, c.problems(p.Duration)...)
	}
	if p.Cut && !p.asked {
		all = append(all, problem{p.Duration, ErrEndless})
	}
	if all == nil {
		return nil
	}
	slices.SortStableFunc(all, func(a, b problem) int { return cmp.Compare(a.at, b.at) })
	return &PreviewError{p, all}
}

// problems are what would go wrong with a command.
func (c *PreviewedCommand) problems(end time.Duration) (all []problem) {
	for _, f := range c.Faults {
		all = append(all, problem{f.At, f.Fault})
	}
	switch {
	case !c.Begun && c.why != "":
		return []problem{{end, fmt.Errorf("%s: %w: %s", c.Command, ErrNeverBegun, c.why)}}
	case !c.Begun:
		return []problem{{end, fmt.Errorf("%s: %w", c.Command, ErrNeverBegun)}}
	case all == nil && !c.Completed && !c.Relieved:
		return []problem{{c.End, fmt.Errorf("%s: %w", c.Command, ErrStopped)}}
	}
	return all
}

// Joints are where joints of a device would be at the end; nil if they are not commanded.
func (p *Preview) Joints(device string) []float64 {
	for _, d := range p.Devices {
		if d.Device == device {
			return d.Joints
		}
	}
	return nil
}

// Then is a preview and another one of what comes after it, from where joints are then, as one. The times of the second go on from the end
// of the first.
func (p *Preview) Then(next *Preview) *Preview {
	all := &Preview{
		Duration: p.Duration + next.Duration, Cut: p.Cut || next.Cut, asked: (p.asked || !p.Cut) && (next.asked || !next.Cut),
		Commands: slices.Clone(p.Commands), Rules: slices.Clone(p.Rules), Devices: slices.Clone(p.Devices),
		Breaches: slices.Clone(p.Breaches), LeftOut: next.LeftOut,
	}
	for _, c := range next.Commands {
		later := *c
		later.Begin, later.End = c.Begin+p.Duration, c.End+p.Duration
		later.Faults = slices.Clone(c.Faults)
		for i := range later.Faults {
			later.Faults[i].At += p.Duration
		}
		all.Commands = append(all.Commands, &later)
	}
	for _, r := range next.Rules {
		r.At += p.Duration
		all.Rules = append(all.Rules, r)
	}
	for _, b := range next.Breaches {
		later := *b
		later.At += p.Duration
		all.Breaches = append(all.Breaches, &later)
	}
	for _, d := range next.Devices {
		later := *d
		later.End += p.Duration
		all.goOn(&later)
	}
	return all
}

// goOn takes up what joints are commanded later.
func (p *Preview) goOn(d *PreviewedJoints) {
	i := slices.IndexFunc(p.Devices, func(before *PreviewedJoints) bool { return before.Device == d.Device })
	if i < 0 {
		p.Devices = append(p.Devices, d)
		return
	}
	d.Peaks = slices.Clone(d.Peaks)
	for k, before := range p.Devices[i].Peaks[:min(len(d.Peaks), len(p.Devices[i].Peaks))] {
		d.Peaks[k].Velocity = max(d.Peaks[k].Velocity, before.Velocity)
		d.Peaks[k].Acceleration = max(d.Peaks[k].Acceleration, before.Acceleration)
	}
	p.Devices[i] = d
}

// seconds is a time that a daemon tells.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// read reads what the daemon tells of the rehearsal.
func (p *Rehearsal) read(told *client.Preview) (*Preview, error) {
	if len(told.Nets) != len(p.plan.Nets) || len(told.Rules) != len(p.plan.Rules) {
		return nil, fmt.Errorf("preview: %d nets and %d rules have become %d and %d", len(p.plan.Nets), len(p.plan.Rules), len(told.Nets), len(told.Rules))
	}
	all := &Preview{Duration: seconds(told.Duration), Cut: told.Cut, asked: p.plan.For > 0, LeftOut: told.LeftOut}
	models := map[string]*Joints{}
	for _, h := range p.commands {
		for _, j := range h.program.joints {
			models[j.name] = j
		}
	}
	for i := range told.Breaches {
		all.Breaches = append(all.Breaches, breach(&told.Breaches[i], models))
	}
	for i := range told.Devices {
		all.Devices = append(all.Devices, joined(&told.Devices[i], models))
	}
	for i, h := range p.commands {
		all.Commands = append(all.Commands, h.foretold(&told.Nets[i], all.Breaches))
	}
	for i, r := range told.Rules {
		all.Rules = append(all.Rules, PreviewedRule{r.State, seconds(r.At), r.Account})
		for k, h := range p.commands {
			c := all.Commands[k]
			c.Relieved = c.Relieved || r.State == client.RuleFired && slices.Contains(p.plan.Rules[i].Stop, h.net.Name)
			if !c.Begun && slices.Contains(p.plan.Rules[i].Start, h.net.Name) {
				c.why = r.Account
			}
		}
	}
	return all, nil
}

// breach tells of a violated limit, with what models of proxies know.
func breach(told *client.Breach, models map[string]*Joints) *BreachError {
	b := &BreachError{
		At: seconds(told.At), Device: told.Device, Joint: told.Joint, Name: told.Name, What: told.What, Value: told.Value, Limit: told.Limit,
		Joints: told.Joints, Refused: told.Refused, unit: "rad",
	}
	j := models[told.Device]
	if j == nil {
		return b
	}
	if j.Joint(told.Joint).Kind == kinematics.Prismatic {
		b.unit = "m"
	}
	if j.chain != nil && len(told.Joints) == j.Len() {
		at := j.chain.Forward(told.Joints)
		b.Flange = &at
	}
	return b
}

func joined(told *client.PreviewedDevice, models map[string]*Joints) *PreviewedJoints {
	d := &PreviewedJoints{Device: told.Name, End: seconds(told.End), Joints: told.Joints}
	for i, peak := range told.Peaks {
		p := Peak{Name: fmt.Sprint(i), Peak: peak}
		if j := models[told.Name]; j != nil && j.Joint(i).Name != "" {
			p.Name = j.Joint(i).Name
		}
		d.Peaks = append(d.Peaks, p)
	}
	return d
}

// foretold is what would become of a command, by the variables of its net.
func (h *Handle) foretold(told *client.PreviewedNet, breaches []*BreachError) *PreviewedCommand {
	c := &PreviewedCommand{
		Command: h.text, Begun: told.Begun, Begin: seconds(told.Begin), End: seconds(told.End),
		Completed: told.Values["out"+endedKey] == "true" && !(h.program.failed != "" && told.Values[h.program.failed] == "true"),
	}
	for _, f := range h.program.faults {
		if told.Values[f.key] != "true" {
			continue
		}
		fault := f.fault
		if refuses := fault.Fault == FaultRefused || fault.Fault == FaultIllegal; refuses {
			fault.Why = whyOf(breaches, fault.Of)
		}
		c.Faults = append(c.Faults, PreviewedFault{seconds(told.True[f.key]), &fault})
	}
	slices.SortStableFunc(c.Faults, func(a, b PreviewedFault) int { return cmp.Compare(a.At, b.At) })
	return c
}

// whyOf is what a device would refuse.
func whyOf(breaches []*BreachError, device string) string {
	var all []string
	for _, b := range breaches {
		if b.Device == device && b.Refused {
			all = append(all, "joint "+b.Name+" would have to "+b.verb())
		}
	}
	return strings.Join(all, "; ")
}
