package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Preview predicts an activity that begins now, if the application says in time how it goes on: motions that blend into
// each other do so where they can be left soonest. Nothing moves, and nothing is remembered by the robots.
//
// A robot that moves is previewed from where it will rest; where that is not known, Preview waits until it rests. What waits for the rest
// of what goes before is previewed from there on, and robotics.For holds for what goes before and after each by itself. Nothing is
// previewed after what would go wrong (robotics.Preview.Err). Functions of At are not called; those of With are, as they are part of making
// commands. Paths that arms cannot follow are errors, as of Begin.
func Preview(ctx context.Context, a Activity, of ...robotics.RehearsalOption) (*robotics.Preview, error) {
	p := &paper{of: slices.Clone(of), arms: map[string]bool{}, last: map[string]*Execution{}}
	_, err := p.begin(ctx, a)
	if err == nil {
		err = p.run(ctx)
	}
	if err != nil && !errors.Is(err, errWrong) {
		return nil, err
	}
	return p.seen, nil
}

// errWrong is returned when something previewed would go wrong.
var errWrong = errors.New("preview failed")

// paper is where nothing moves. Motions that relieve each other are rehearsed together; where one waits for rest, what goes before is
// previewed first. Arms are those of devices.
type paper struct {
	of   []robotics.RehearsalOption
	arms map[string]bool       // of which is known where they stand
	plan *robotics.Rehearsal   // of what has not been previewed; nil if there is nothing
	last map[string]*Execution // that has begun in it
	seen *robotics.Preview     // so far
}

func (p *paper) begin(ctx context.Context, a Activity) (*Execution, error) {
	if s, is := a.(staged); is {
		return s.begin(ctx, p)
	}
	return nil, fmt.Errorf("%v: %w", a, ErrOwn)
}

// take looks where arms will rest that begin something for the first time.
func (p *paper) take(ctx context.Context, r *robotics.Runtime, armInfos []*armInfo) (give func(), err error) {
	for _, s := range armInfos {
		if known := p.arms[s.arm.Device()] || p.stand(r, s.arm) != nil; !known {
			err = errors.Join(err, p.look(ctx, s))
		}
		p.arms[s.arm.Device()] = true
	}
	return func() {}, err
}

// look looks where an arm will rest that moves.
func (p *paper) look(ctx context.Context, s *armInfo) error {
	x := s.latest()
	if x == nil || x.isOver() {
		return nil
	}
	if at := x.restOf(s.arm.Device()); at != nil {
		p.of = append(p.of, robotics.From(s.arm.Joints, at))
		return nil
	}
	return s.rest(ctx)
}

// stand returns where joints of an arm stand, if it is not where they are now; otherwise nil.
func (p *paper) stand(r *robotics.Runtime, a *actuator.Arm) []float64 {
	return r.Rehearse(p.of...).Stand(a.Joints)
}

// rest waits until an arm rests, after whatever waits for its turn.
func (s *armInfo) rest(ctx context.Context) error {
	give, err := take(ctx, []*armInfo{s})
	if err != nil {
		return err
	}
	defer give()
	return rest(ctx, []*armInfo{s})
}

func (p *paper) newest(s *armInfo) *Execution { return p.last[s.arm.Device()] }

func (p *paper) goes(*Execution) bool { return true } // what was previewed is forgotten

func (p *paper) rest(ctx context.Context, armInfos []*armInfo) error {
	for _, s := range armInfos {
		if p.newest(s) != nil {
			return p.run(ctx)
		}
	}
	return nil
}

func (p *paper) wait(ctx context.Context, _ *Execution) error { return p.run(ctx) }

// run previews what there is, so that all arms rest.
func (p *paper) run(ctx context.Context) error {
	if p.plan == nil {
		return nil
	}
	next, err := p.plan.Run(ctx)
	if err != nil {
		return err
	}
	p.plan = nil
	clear(p.last)
	p.of = append(p.of, robotics.After(next))
	if p.seen != nil {
		next = p.seen.Then(next)
	}
	p.seen = next
	if next.Err() != nil {
		return errWrong
	}
	return nil
}

func (p *paper) joints(ctx context.Context, r *Robot, a *actuator.Arm) ([]float64, error) {
	if at := p.stand(r.runtime, a); at != nil {
		return at, nil
	}
	return live{}.joints(ctx, r, a)
}

func (p *paper) pose(ctx context.Context, r *Robot, of, in *world.Frame) (at geom.Frame, err error) {
	if p.seen == nil && p.stand(r.runtime, r.arm) == nil {
		return live{}.pose(ctx, r, of, in)
	}
	joints, err := p.joints(ctx, r, r.arm)
	if err != nil {
		return at, err
	}
	at, known := r.arm.Seen(robotics.End{Joints: joints}, of, in)
	if !known {
		return at, ErrBegin
	}
	return at, nil
}

// rehearsal returns what is to be previewed next.
func (p *paper) rehearsal(r *robotics.Runtime) *robotics.Rehearsal {
	if p.plan == nil {
		p.plan = r.Rehearse(p.of...)
	}
	return p.plan
}

func (p *paper) start(_ context.Context, r *robotics.Runtime, c robotics.Command) (*robotics.Handle, error) {
	return p.rehearsal(r).Start(c)
}

func (p *paper) relieve(_ context.Context, m *Motion, c robotics.Command, x, before *Execution) (_ *Execution, err error) {
	plan := p.rehearsal(m.robot.runtime)
	if x.handle, err = plan.Load(c); err != nil {
		return nil, err
	}
	when, do := before.relievedBy(x)
	if err := plan.Synchronize(when, do); err != nil {
		return nil, err
	}
	p.began(x, m.robot.armInfos)
	return x, nil
}

func (p *paper) began(x *Execution, armInfos []*armInfo) {
	for _, s := range armInfos {
		p.last[s.arm.Device()] = x
	}
}

// latest returns what goes on with an arm, or is to go on after that.
func (s *armInfo) latest() *Execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting != nil {
		return s.waiting
	}
	return s.last
}

// restOf returns where the joints of a device will rest, if that is known.
func (x *Execution) restOf(device string) []float64 {
	if x.by == nil || x.isCancelled() {
		return nil
	}
	for i, a := range x.by.arms() {
		if a.Device() == device && i < len(x.joints) {
			return x.joints[i]
		}
	}
	return nil
}
