package robotics

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Rehearsal is a list of commands that are only previewed. It has the verbs of a Runtime: commands are started, or loaded and
// started by rules, and take over from each other. Nothing of that reaches the daemon before Run, which has it execute all of
// them with twins of its devices, in a time of its own. Functions of External are not called, inputs say what they say at first,
// and the override is that of the runtime.
//
// Handles on paper are for TakeOver, rules and conditions. All their other methods return client.ErrPlanned. A rehearsal is
// for one goroutine.
type Rehearsal struct {
	runtime  *Runtime
	plan     client.Plan
	commands []*Handle // in the order of the plan
	wrong    error     // of what it presupposes
}

// RehearsalOption is an assumption of a rehearsal.
type RehearsalOption func(*Rehearsal)

// For is for commands that do not end by themselves: after a time, those that still go on are cancelled. One that ends by itself is to have
// done so by then (ErrUnfinished), whatever it is part of: For does not excuse motions that never arrive.
func For(d time.Duration) RehearsalOption {
	return func(p *Rehearsal) {
		if d <= 0 {
			p.wrong = errors.Join(p.wrong, fmt.Errorf("a rehearsal for %v: %w", d, ErrDuration))
		}
		p.plan.For = d.Seconds()
	}
}

// From returns where joints stand at the beginning. Those of which nothing is said stand where they are commanded to be now.
func From(j Jointed, at []float64) RehearsalOption {
	at = slices.Clone(at)
	return func(p *Rehearsal) {
		if mapping.Missing(j) || len(at) != j.Len() {
			p.wrong = errors.Join(p.wrong, fmt.Errorf("a rehearsal from %v: %w", at, ErrJoints))
			return
		}
		p.stands(j.Device(), at)
	}
}

// After returns where a preview has ended: joints that are commanded there stand where they rest then.
func After(before *Preview) RehearsalOption {
	return func(p *Rehearsal) {
		if before == nil {
			return
		}
		for _, d := range before.Devices {
			p.stands(d.Device, d.Joints)
		}
	}
}

func (p *Rehearsal) stands(device string, at []float64) {
	if slices.ContainsFunc(at, none) {
		p.wrong = errors.Join(p.wrong, fmt.Errorf("a rehearsal from %v: %w", at, ErrNumber))
		return
	}
	if p.plan.From == nil {
		p.plan.From = map[string][]float64{}
	}
	p.plan.From[device] = at
}

// ErrRehearsal is returned when a command of a rehearsal depends on one that is not part of it.
var ErrRehearsal = errors.New("a command of a rehearsal can only refer to commands of the same rehearsal")

// Rehearse begins a rehearsal.
func (r *Runtime) Rehearse(of ...RehearsalOption) *Rehearsal {
	p := &Rehearsal{runtime: r}
	for _, presuppose := range of {
		if presuppose != nil {
			presuppose(p)
		}
	}
	return p
}

// Preview predicts a command that is started now: how long it would take, whether it would fail, and which limits would
// be violated, where and when. Nothing moves.
//
//	preview, err := robot.Preview(ctx, c)
//	if err == nil {
//		err = preview.Err()
//	}
//	if err == nil {
//		err = robot.Execute(ctx, c)
//	}
//
// There is no runtime that does so by itself: what is begun in flight (TakeOver), or ends when the application says so, can only be
// previewed by those who know what comes before and after it.
func (r *Runtime) Preview(ctx context.Context, c Command, of ...RehearsalOption) (*Preview, error) {
	p := r.Rehearse(of...)
	if _, err := p.Start(c); err != nil {
		return nil, err
	}
	return p.Run(ctx)
}

// Stand returns where joints stand at the beginning, if that was given; otherwise nil.
func (p *Rehearsal) Stand(j Jointed) []float64 {
	if mapping.Missing(j) {
		return nil
	}
	return slices.Clone(p.plan.From[j.Device()])
}

// Start starts a command when the rehearsal begins.
func (p *Rehearsal) Start(c Command) (*Handle, error) { return p.add(c, true) }

// Load adds a command that rules start.
func (p *Rehearsal) Load(c Command) (*Handle, error) { return p.add(c, false) }

func (p *Rehearsal) add(c Command, start bool) (*Handle, error) {
	m, err := programOf(c, p.runtime.catalogue, (*builder).tellCut)
	if err == nil {
		err = m.among(c, p)
	}
	if err != nil {
		return nil, err
	}
	none := make(chan struct{})
	close(none) // nothing is heard of it
	h := &Handle{
		runtime: p.runtime, net: p.runtime.daemon.Planned(len(p.commands)), program: m, text: c.String(), rested: none, over: none, paper: p,
	}
	p.commands = append(p.commands, h)
	p.plan.Nets = append(p.plan.Nets, client.PlannedNet{Text: m.Text, Start: start})
	return h, nil
}

// among refuses a command that is taken over by one that is not in the same place: a rehearsal, or the daemon.
func (p *Program) among(c Command, where *Rehearsal) error {
	for _, h := range p.from {
		if h.paper != where {
			return fmt.Errorf("%v takes over %s: %w", c, h.text, ErrRehearsal)
		}
	}
	return nil
}

// Synchronize adds a rule. It exists from the beginning, and is decided once.
func (p *Rehearsal) Synchronize(when Condition, do Switch) error {
	if err := errors.Join(when.check(), do.check(p)); err != nil {
		return err
	}
	text := strings.ReplaceAll(string(when), p.mark(), planned)
	if strings.Contains(text, paper) || foreignNet.MatchString(text) {
		return fmt.Errorf("a condition: %w", ErrRehearsal)
	}
	p.plan.Rules = append(p.plan.Rules, client.PlannedRule{
		Condition: strings.ReplaceAll(text, planned, ""), Stop: planNames(do.Stop), Cancel: planNames(do.Cancel), Start: planNames(do.Start),
	})
	return nil
}

// In conditions, names of nets of a rehearsal have a prefix that others do not have.
const (
	paper   = "\x01"
	planned = "\x02"
)

var foreignNet = regexp.MustCompile(`(^|[^\x02\w])rpinet\d+\.`)

func (p *Rehearsal) mark() string { return fmt.Sprintf("%s%p:", paper, p) }

func planNames(of []*Handle) (names []string) {
	for _, n := range nets(of) {
		names = append(names, n.Name)
	}
	return names
}

// Run makes the daemon execute the rehearsal. It may be run again, from where joints are then.
func (p *Rehearsal) Run(ctx context.Context) (*Preview, error) {
	if p.wrong != nil {
		return nil, p.wrong
	}
	if len(p.commands) == 0 {
		return nil, fmt.Errorf("a rehearsal: %w", ErrNoCommand)
	}
	r := p.runtime
	r.mu.Lock()
	override := r.override
	r.mu.Unlock()
	begin, err := inputs(overrideKey, override)
	if err != nil {
		return nil, err
	}
	plan := p.plan
	plan.Nets = slices.Clone(plan.Nets)
	for i, h := range p.commands {
		plan.Nets[i].Cycle = r.cycle.Seconds()
		if h.program.paced {
			plan.Nets[i].Inputs = begin
		}
		if err := r.check(ctx, h.program.joints); err != nil {
			return nil, err
		}
	}
	told, err := r.daemon.Preview(ctx, plan)
	if err != nil {
		r.models.forget() // a device may be another one by now
		return nil, fmt.Errorf("preview: %w", err)
	}
	return p.read(told)
}
