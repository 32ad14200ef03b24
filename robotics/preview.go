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

// Preview is the predicted outcome of commands. Times are those since the first cycle.
type Preview struct {
	Duration time.Duration       // until all has ended
	Cut      bool                // what went on for too long was cancelled
	Commands []*PreviewedCommand // in the order in which they were started and loaded
	Rules    []PreviewedRule     // in the order in which they were added
	Devices  []*PreviewedJoints  // those whose joints were commanded
	Breaches []*BreachError      // what comes first is first
	LeftOut  []client.LeftOut    // devices that cannot be simulated, and which no command needs

	Warnings []client.PreviewWarning // devices that do not work now, which is previewed as if they did

	asked bool // to cut it
}

// PreviewedCommand is the predicted outcome of a command.
type PreviewedCommand struct {
	Command    string
	Begun      bool
	Begin, End time.Duration
	Completed  bool // it would end by itself, or as it is cancelled
	Relieved   bool // a rule would stop it, and start one that takes over joints of it
	Faults     []PreviewedFault
	Unfinished []PreviewedEnd // what of it would not end in time

	why string // what a rule says that was to start it
}

// PreviewedFault is something that would go wrong with a command.
type PreviewedFault struct {
	At    time.Duration
	Fault *FaultError
}

// PreviewedEnd says that a command, or a part of one, that should end by itself had not done so when all was cancelled.
type PreviewedEnd struct {
	At      time.Duration
	Command string
}

// PreviewedRule is the predicted outcome of a rule.
type PreviewedRule struct {
	State   client.RuleState
	At      time.Duration // when it is decided
	Account string        // why
}

// PreviewedJoints is what joints of a device would be commanded, and where that leads them.
type PreviewedJoints struct {
	Device string
	From   []float64          // where they begin
	By     client.BeginningBy // how that is known
	End    time.Duration      // when they are commanded last
	Rest   time.Duration      // when they rest; the longest time there is if they do not
	Joints []float64          // where they rest
	Left   []*LeftError       // those that are not led to rest
	Peaks  []Peak             // of each joint
}

// LeftError is returned when a joint would be left while it moves: its command is stopped, and no other takes it over. It brakes by
// itself, beside any path.
type LeftError struct {
	At       time.Duration // of its last set-point
	Device   string
	Joint    int
	Name     string // of the joint
	Velocity float64
	Rest     float64 // where it comes to rest

	unit string
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("no command would lead joint %s of %s, which moves at %.6g %s/s; it would brake by itself and rest at %.6g",
		e.Name, e.Device, math.Abs(e.Velocity), e.unit, e.Rest)
}

// Peak is what a joint would be commanded at most, in both directions, beside what it can do; an unknown limit is 0.
type Peak struct {
	Name string // of the joint
	client.Peak
}

// BreachError is returned when a joint would have to go beyond a limit. For each limit of a joint there is the first time that its device would still
// take it, for what limits are rounded by, and the first one that it refuses.
type BreachError struct {
	At     time.Duration
	Device string
	Joint  int
	Name   string  // of the joint
	What   string  // the limit: position, velocity, acceleration or jerk; or start, of what begins elsewhere
	Value  float64 // that is commanded then, NaN or infinite if that is computed
	Limit  float64
	Worst  float64     // value of all those that are taken, or refused, likewise
	Joints []float64   // where the joints of the device are commanded to be then
	Flange *geom.Frame // where its flange is then, seen from its base; nil if the model does not say

	Refused bool // the device would refuse it; otherwise it would still take it

	unit string
}

func (e *BreachError) Error() string {
	return fmt.Sprintf("joint %s of %s would have to %s", e.Name, e.Device, e.verb())
}

// verb says what the joint would have to do, and can.
func (e *BreachError) verb() string {
	if none(e.Value) {
		return fmt.Sprintf("have a %s of %v, which is no number", cmp.Or(strings.TrimPrefix(e.What, "start"), "position"), e.Value)
	}
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

// none reports whether a number is NaN or infinite.
func none(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Outcomes of commands besides faults and violated limits.
var (
	ErrEndless    = errors.New("preview ended before the command did; raise For")
	ErrUnfinished = errors.New("command would not end before everything is cancelled; raise For")
	ErrNeverBegun = errors.New("command would not begin")
)

// PreviewError is returned when commands would not do what they should. It has all that would go wrong: BreachErrors,
// FaultErrors, LeftErrors, ErrStopped, ErrNeverBegun, ErrUnfinished and ErrEndless.
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

// Err is nil if all commands would begin, and end or be relieved by others, without a violated limit, and no joint would be left
// in motion. Commands that do not end by themselves, such as a hold, may be cut (For); others may not. Otherwise it is a
// *PreviewError, which says in sentences what would go wrong first.
func (p *Preview) Err() error {
	var all []problem
	for _, b := range p.Breaches {
		all = append(all, problem{b.At, b})
	}
	for _, d := range p.Devices {
		for _, left := range d.Left {
			all = append(all, problem{left.At, left})
		}
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

// problems returns what would go wrong with a command.
func (c *PreviewedCommand) problems(end time.Duration) (all []problem) {
	for _, f := range c.Faults {
		all = append(all, problem{f.At, f.Fault})
	}
	for _, u := range c.Unfinished {
		all = append(all, problem{u.At, fmt.Errorf("%s: %w", u.Command, ErrUnfinished)})
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

// Joints returns where joints of a device would rest; nil if they are not commanded.
func (p *Preview) Joints(device string) []float64 {
	for _, d := range p.Devices {
		if d.Device == device {
			return d.Joints
		}
	}
	return nil
}

// rest returns the end, or when joints rest that are left in motion, as far as they do.
func (p *Preview) rest() time.Duration {
	end := p.Duration
	for _, d := range p.Devices {
		if d.Left != nil && d.Rest < never {
			end = max(end, d.Rest)
		}
	}
	return end
}

// Then joins a preview with another one of what comes after it, from where joints rest then. The times of the second go on from the end
// of the first, or when joints rest that it leaves in motion.
func (p *Preview) Then(next *Preview) *Preview {
	if next == nil {
		next = &Preview{LeftOut: p.LeftOut}
	}
	before := p.rest()
	all := &Preview{
		Duration: before + next.Duration, Cut: p.Cut || next.Cut, asked: (p.asked || !p.Cut) && (next.asked || !next.Cut),
		Commands: slices.Clone(p.Commands), Rules: slices.Clone(p.Rules), Devices: slices.Clone(p.Devices),
		Breaches: slices.Clone(p.Breaches), LeftOut: next.LeftOut, Warnings: slices.Clone(p.Warnings),
	}
	for _, c := range next.Commands {
		all.Commands = append(all.Commands, c.later(before))
	}
	for _, r := range next.Rules {
		r.At += before
		all.Rules = append(all.Rules, r)
	}
	for _, b := range next.Breaches {
		later := *b
		later.At += before
		all.Breaches = append(all.Breaches, &later)
	}
	for _, d := range next.Devices {
		all.goOn(d.later(before))
	}
	for _, w := range next.Warnings {
		if !slices.Contains(all.Warnings, w) {
			all.Warnings = append(all.Warnings, w)
		}
	}
	return all
}

// later returns the same after something else.
func (c *PreviewedCommand) later(by time.Duration) *PreviewedCommand {
	later := *c
	later.Begin, later.End = c.Begin+by, c.End+by
	later.Faults, later.Unfinished = slices.Clone(c.Faults), slices.Clone(c.Unfinished)
	for i := range later.Faults {
		later.Faults[i].At += by
	}
	for i := range later.Unfinished {
		later.Unfinished[i].At += by
	}
	return &later
}

// later returns the same after something else.
func (d *PreviewedJoints) later(by time.Duration) *PreviewedJoints {
	later := *d
	later.End += by
	if d.Rest < never {
		later.Rest += by
	}
	later.Left = nil
	for _, l := range d.Left {
		left := *l
		left.At += by
		later.Left = append(later.Left, &left)
	}
	later.Peaks = slices.Clone(d.Peaks)
	return &later
}

// goOn takes up what joints are commanded later.
func (p *Preview) goOn(d *PreviewedJoints) {
	i := slices.IndexFunc(p.Devices, func(before *PreviewedJoints) bool { return before.Device == d.Device })
	if i < 0 {
		p.Devices = append(p.Devices, d)
		return
	}
	before := p.Devices[i]
	d.From, d.By, d.Left = before.From, before.By, slices.Concat(before.Left, d.Left)
	for k, peak := range before.Peaks[:min(len(d.Peaks), len(before.Peaks))] {
		d.Peaks[k].Velocity = max(d.Peaks[k].Velocity, peak.Velocity)
		d.Peaks[k].Acceleration = max(d.Peaks[k].Acceleration, peak.Acceleration)
	}
	p.Devices[i] = d
}

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// seconds returns a time from an answer of the daemon.
func seconds(s float64) time.Duration {
	if none(s) {
		return never
	}
	return time.Duration(math.Round(s * float64(time.Second)))
}

// read reads the daemon's answer about the rehearsal.
func (p *Rehearsal) read(told *client.Preview) (*Preview, error) {
	if len(told.Nets) != len(p.plan.Nets) || len(told.Rules) != len(p.plan.Rules) {
		return nil, fmt.Errorf("preview: %d nets and %d rules have become %d and %d", len(p.plan.Nets), len(p.plan.Rules), len(told.Nets), len(told.Rules))
	}
	all := &Preview{Duration: seconds(told.Duration), Cut: told.Cut, asked: p.plan.For > 0, LeftOut: told.LeftOut, Warnings: told.Warnings}
	models := map[string]Jointed{}
	for _, h := range p.commands {
		for _, j := range h.program.joints {
			models[j.Device()] = j
		}
	}
	for i := range told.Breaches {
		all.Breaches = append(all.Breaches, breach(&told.Breaches[i], models))
	}
	for i := range told.Devices {
		all.Devices = append(all.Devices, joined(&told.Devices[i], models))
	}
	for i, h := range p.commands {
		all.Commands = append(all.Commands, h.predicted(&told.Nets[i], all.Breaches))
	}
	for i, r := range told.Rules {
		all.Rules = append(all.Rules, PreviewedRule{r.State, seconds(r.At), r.Account})
		p.ruled(all, i)
	}
	return all, nil
}

// ruled is what a rule would do to commands.
func (p *Rehearsal) ruled(all *Preview, i int) {
	rule, is := &p.plan.Rules[i], all.Rules[i]
	fired := is.State == client.RuleFired
	for k, h := range p.commands {
		c := all.Commands[k]
		c.Relieved = c.Relieved || fired && slices.Contains(rule.Stop, h.net.Name) && slices.ContainsFunc(p.commands, func(next *Handle) bool {
			return slices.Contains(rule.Start, next.net.Name) && h.program.shares(next.program)
		})
		if !c.Begun && slices.Contains(rule.Start, h.net.Name) {
			c.why = is.Account
		}
		if fired && slices.Contains(rule.Cancel, h.net.Name) {
			c.Unfinished = slices.DeleteFunc(c.Unfinished, func(u PreviewedEnd) bool { return u.At >= is.At }) // that was wanted
		}
	}
}

// shares reports whether another program commands joints of this one.
func (p *Program) shares(other *Program) bool {
	return slices.ContainsFunc(p.joints, func(j Jointed) bool {
		return slices.ContainsFunc(other.joints, func(o Jointed) bool { return o.Device() == j.Device() })
	})
}

// breach describes a violated limit, with what models of proxies know.
func breach(told *client.Breach, models map[string]Jointed) *BreachError {
	b := &BreachError{
		At: seconds(told.At), Device: told.Device, Joint: told.Joint, Name: told.Name, What: told.What, Value: told.Value, Limit: told.Limit,
		Worst: told.Worst, Joints: told.Joints, Refused: told.Refused,
	}
	j := models[told.Device]
	b.unit = unitOf(j, told.Joint)
	if j != nil && !slices.ContainsFunc(told.Joints, none) {
		if at, known := j.Forward(told.Joints); known {
			b.Flange = &at
		}
	}
	return b
}

// unitOf returns the unit that positions of a joint are in.
func unitOf(j Jointed, joint int) string {
	if j != nil && j.Joint(joint).Kind == kinematics.Prismatic {
		return "m"
	}
	return "rad"
}

func joined(told *client.PreviewedDevice, models map[string]Jointed) *PreviewedJoints {
	d := &PreviewedJoints{Device: told.Name, From: told.From, By: told.By, End: seconds(told.End), Rest: seconds(told.Rest), Joints: told.Joints}
	for _, l := range told.Left {
		left := &LeftError{At: seconds(l.At), Device: told.Name, Joint: l.Joint, Name: l.Name, Velocity: l.Velocity, unit: unitOf(models[told.Name], l.Joint)}
		if l.Joint < len(told.Joints) {
			left.Rest = told.Joints[l.Joint]
		}
		d.Left = append(d.Left, left)
	}
	for i, peak := range told.Peaks {
		p := Peak{Name: fmt.Sprint(i), Peak: peak}
		if j := models[told.Name]; j != nil && j.Joint(i).Name != "" {
			p.Name = j.Joint(i).Name
		}
		d.Peaks = append(d.Peaks, p)
	}
	return d
}

// predicted returns the outcome of a command, by the variables of its net.
func (h *Handle) predicted(told *client.PreviewedNet, breaches []*BreachError) *PreviewedCommand {
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
	for _, of := range h.program.cut {
		if told.Values[of.key] == "true" {
			c.Unfinished = append(c.Unfinished, PreviewedEnd{seconds(told.True[of.key]), of.command})
		}
	}
	slices.SortStableFunc(c.Faults, func(a, b PreviewedFault) int { return cmp.Compare(a.At, b.At) })
	return c
}

// whyOf returns what a device would refuse.
func whyOf(breaches []*BreachError, device string) string {
	var all []string
	for _, b := range breaches {
		if b.Device == device && b.Refused {
			all = append(all, "joint "+b.Name+" would have to "+b.verb())
		}
	}
	return strings.Join(all, "; ")
}
