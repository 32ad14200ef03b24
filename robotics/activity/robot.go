package activity

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// Robot is an arm, or several that move as one, that does one activity after the other. It may be used by any number of goroutines.
type Robot struct {
	runtime  *robotics.Runtime
	arm      *actuator.Arm     // that leads
	actuator robotics.Actuator // what is commanded: the arm, or several
	armInfos []*armInfo        // of all arms that move, in the order in which all activities ask for them
	wrong    error             // why nothing can be done
	blend    *float64          // share of motions that say nothing else
}

// armInfo is what is known of an arm of the application.
type armInfo struct {
	arm  *actuator.Arm
	turn chan struct{} // who has it begins something

	mu       sync.Mutex
	last     *Execution // that has begun
	waiting  *Execution // that has been loaded, and is to begin
	attempts []*attempt // to begin something
}

// NewRobot returns a robot at rest. Nothing else should move its arm at the same time: one of the two would be refused.
func NewRobot(runtime *robotics.Runtime, arm *actuator.Arm) *Robot {
	return &Robot{runtime: runtime, arm: arm, actuator: arm, armInfos: []*armInfo{{arm: arm, turn: make(chan struct{}, 1)}}}
}

// FindRobot returns a robot at rest with the model that its device reports, and parameters that its motions have by default.
func FindRobot(ctx context.Context, runtime *robotics.Runtime, device string, defaults ...robotics.SpaceParam) (*Robot, error) {
	arm, err := actuator.FindArm(ctx, runtime, device, general(defaults)...)
	if err != nil {
		return nil, err
	}
	return NewRobot(runtime, arm), nil
}

func (r *Robot) String() string { return r.actuator.String() }

// Arm returns the arm; of several the one that leads.
func (r *Robot) Arm() *actuator.Arm { return r.arm }

// SetBlend makes motions that are made from now on blend into the next one when a share of their time has passed (Motion.Blend), unless
// they say otherwise. It must be called before others use the robot.
func (r *Robot) SetBlend(share float64) { r.blend = &share }

// take waits for a turn at each arm. All activities ask for arms in the same order, so that none waits for ever.
func take(ctx context.Context, armInfos []*armInfo) (give func(), err error) {
	taken := 0
	give = func() {
		for _, s := range armInfos[:taken] {
			<-s.turn
		}
	}
	for _, s := range armInfos {
		select {
		case s.turn <- struct{}{}:
			taken++
		case <-ctx.Done():
			give()
			return nil, ctx.Err()
		}
	}
	return give, nil
}

// attempt is something that is about to begin, from when it is requested: it may wait for its turn, ask where the robot is, or
// be on its way to the daemon.
type attempt struct {
	cancel context.CancelCauseFunc
	over   chan struct{} // closed when it has begun, or is not to begin any more
}

// try has something begun that Cancel of the robots can prevent until then.
func try(ctx context.Context, armInfos []*armInfo, begin func(context.Context) (*Execution, error)) (*Execution, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &attempt{cancel, make(chan struct{})}
	for _, s := range armInfos {
		s.mu.Lock()
		s.attempts = append(s.attempts, t)
		s.mu.Unlock()
	}
	defer func() {
		for _, s := range armInfos {
			s.mu.Lock()
			s.attempts = slices.DeleteFunc(s.attempts, func(of *attempt) bool { return of == t })
			s.mu.Unlock()
		}
		close(t.over)
		cancel(nil)
	}()
	x, err := begin(ctx)
	if err != nil && errors.Is(context.Cause(ctx), ErrCancelled) {
		err = ErrCancelled
	}
	return x, err
}

// Execution is an activity that has begun.
type Execution struct {
	handle  *robotics.Handle
	several *several // instead of a handle, of what goes on each by itself
	by      *Robot   // nil if it is of several
	end     robotics.End
	joints  [][]float64 // of each arm at the end, as far as that is known
	speed   float64     // share of it to which it was slowed down; 0: not at all
	alone   bool        // it begins at rest

	tokens // rest is nil if it cannot be taken over

	mu        sync.Mutex
	cancelled bool
	reliefs   []*relief
}

// relief is another activity that may relieve this one.
type relief struct {
	decided chan struct{} // closed when it is known
	done    bool
}

func (f *relief) decide(done bool) {
	f.done = done
	close(f.decided)
}

// relief announces that another activity may relieve this one.
func (x *Execution) relief() *relief {
	x.mu.Lock()
	defer x.mu.Unlock()
	f := &relief{decided: make(chan struct{})}
	x.reliefs = append(x.reliefs, f)
	return f
}

// Wait waits until the activity has ended, or was relieved by the next one. The errors are those of robotics.Handle.Wait.
func (x *Execution) Wait(ctx context.Context) error {
	return x.outcome(ctx, x.course().Wait(ctx))
}

// course returns what goes on: a command, or several.
func (x *Execution) course() interface {
	Wait(ctx context.Context) error
	Cancel(ctx context.Context) error
	Done() <-chan struct{}
	Ended() <-chan struct{}
} {
	if x.several != nil {
		return x.several
	}
	return x.handle
}

// outcome returns how the activity has ended, when its command has ended like that.
func (x *Execution) outcome(ctx context.Context, err error) error {
	if !errors.Is(err, robotics.ErrStopped) {
		return err
	}
	x.mu.Lock()
	reliefs := x.reliefs
	x.mu.Unlock()
	for _, f := range reliefs {
		select {
		case <-f.decided:
			if f.done {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// Done is closed when the activity has ended, or nothing more can be heard of it.
func (x *Execution) Done() <-chan struct{} { return x.course().Done() }

// Slowed returns the share of its speed to which the motion was slowed down before it began, so that all joints can follow (robotics.Slowest); of
// several motions that of the slowest. 1 means that it was not.
func (x *Execution) Slowed() float64 {
	if x.speed == 0 {
		return 1
	}
	return x.speed
}

// Handle returns the command that is executed; nil of Parallel with more than motions, which is several commands.
func (x *Execution) Handle() *robotics.Handle { return x.handle }

// Cancel brings this activity to rest. It does not wait for that.
func (x *Execution) Cancel(ctx context.Context) error {
	x.mu.Lock()
	x.cancelled = true
	x.mu.Unlock()
	return x.course().Cancel(ctx)
}

func (x *Execution) isCancelled() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cancelled
}

func (x *Execution) isOver() bool {
	select {
	case <-x.course().Ended():
		return true
	default:
		return false
	}
}

// ended waits for the end of an activity, but not for functions that it has called: they may begin the next one.
func (x *Execution) ended(ctx context.Context) error {
	select {
	case <-x.course().Ended():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cancel brings the robot to rest on its path, and waits for that. An activity that has not begun yet, for whatever reason, does
// not begin, and a sequence in which the robot has a part begins none of its parts any more. Functions of At are not waited for:
// they may use it as well.
func (r *Robot) Cancel(ctx context.Context) error {
	var attempts []*attempt
	for _, s := range r.armInfos {
		s.mu.Lock()
		attempts = append(attempts, s.attempts...)
		s.mu.Unlock()
	}
	for _, t := range attempts {
		t.cancel(ErrCancelled)
	}
	err := cancel(ctx, r.lasts())
	for _, t := range attempts {
		select {
		case <-t.over:
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
	}
	all := r.lasts() // motions that have begun in the meantime, too
	if err := errors.Join(err, cancel(ctx, all)); err != nil {
		return err
	}
	var problems []error
	for _, x := range all {
		problems = append(problems, x.outcome(ctx, x.handle.End(ctx)))
	}
	return errors.Join(problems...)
}

// lasts returns what was begun with the arms last, each once.
func (r *Robot) lasts() (all []*Execution) {
	for _, s := range r.armInfos {
		if x := s.newest(); x != nil && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// cancel cancels what goes on and has not been cancelled.
func cancel(ctx context.Context, all []*Execution) error {
	var problems []error
	for _, x := range all {
		if x.isOver() {
			continue
		}
		if err := x.Cancel(ctx); err != nil && !errors.As(err, new(*client.RefusedError)) { // it has ended
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// before returns what the robot does that a motion can take over; nil when it rests, or has come to rest.
func (r *Robot) before(ctx context.Context, on stage) (*Execution, error) {
	x := on.newest(r.armInfos[0])
	for _, s := range r.armInfos {
		if on.newest(s) != x {
			x = nil
		}
	}
	if x != nil && x.by == r && on.goes(x) && x.rest != nil && !x.isCancelled() {
		return x, nil
	}
	return nil, on.rest(ctx, r.armInfos)
}

func (s *armInfo) newest() *Execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// rest waits until arms rest.
func rest(ctx context.Context, armInfos []*armInfo) error {
	for _, s := range armInfos {
		x := s.newest()
		if x == nil {
			continue
		}
		if err := x.ended(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin begins a motion: at once if the robot rests, otherwise when what it does can be left.
func (r *Robot) begin(ctx context.Context, m *Motion, on stage) (*Execution, error) {
	if r.wrong != nil {
		return nil, r.wrong
	}
	give, err := on.take(ctx, r.runtime, r.armInfos)
	if err != nil {
		return nil, err
	}
	defer give()
	before, err := r.before(ctx, on)
	if err != nil {
		return nil, err
	}
	if before != nil {
		action, known := m.after(before.end)
		if known {
			x, err := r.after(ctx, m, action, before, on)
			if x != nil || err != nil {
				return x, err
			}
		} else if err := on.rest(ctx, r.armInfos); err != nil {
			return nil, err
		}
	}
	return r.start(ctx, m, on)
}

// start begins a motion from rest.
func (r *Robot) start(ctx context.Context, m *Motion, on stage) (*Execution, error) {
	from, err := r.where(ctx, m, on)
	if err != nil {
		return nil, err
	}
	m, joints, err := m.fit(nil, from)
	if err != nil {
		return nil, err
	}
	action, err := m.now(ctx, on)
	if err != nil {
		return nil, err
	}
	c, x, err := m.linked(action, robotics.TakeOver{}, joints)
	if err != nil {
		return nil, err
	}
	if x.handle, err = on.start(ctx, r.runtime, c); x.handle == nil {
		return nil, err
	}
	on.began(x, r.armInfos)
	return x, err
}

// after begins a motion when the one before can be left. There is none when that has come to rest and is forgotten already: then there is
// nothing to relieve.
func (r *Robot) after(ctx context.Context, m *Motion, action robotics.Action, before *Execution, on stage) (*Execution, error) {
	m, joints, err := m.fit(before, before.joints)
	if err != nil {
		return nil, err
	}
	c, x, err := m.linked(action, robotics.TakeOver{Of: before.handle, End: before.end}, joints)
	if err != nil {
		return nil, err
	}
	return on.relieve(ctx, m, c, x, before)
}

// relievedBy returns the rule by which another execution relieves this one.
func (x *Execution) relievedBy(next *Execution) (when robotics.Condition, do robotics.Switch) {
	when = x.handle.Given(x.rest)
	if x.leave != nil && !next.alone {
		when = x.handle.Given(x.leave).Or(when)
	}
	return when, robotics.Switch{Stop: []*robotics.Handle{x.handle}, Start: []*robotics.Handle{next.handle}}
}

func began(x *Execution, armInfos []*armInfo) {
	for _, s := range armInfos {
		s.mu.Lock()
		s.last, s.waiting = x, nil
		s.mu.Unlock()
	}
}

func (r *Robot) waits(x *Execution) {
	for _, s := range r.armInfos {
		s.mu.Lock()
		s.waiting = x
		s.mu.Unlock()
	}
}

// relieve has a rule of the daemon switch to a motion.
func (r *Robot) relieve(ctx context.Context, m *Motion, c robotics.Command, x, before *Execution) (_ *Execution, err error) {
	h, err := r.runtime.Load(ctx, c)
	if err != nil {
		if h != nil {
			r.withdraw(ctx, h)
		}
		return nil, r.unlessRests(ctx, m, before, err)
	}
	x.handle = h
	r.waits(x)
	defer r.waits(nil)
	relief, fired := before.relief(), false
	defer func() { relief.decide(fired) }()
	when, do := before.relievedBy(x)
	rule, err := r.runtime.Synchronize(ctx, when, do)
	if err != nil {
		if fired = r.withdraw(ctx, h); fired { // the rule exists, and has not been announced
			began(x, r.armInfos)
			return nil, err
		}
		return nil, r.unlessRests(ctx, m, before, err)
	}
	state, err := rule.Decided(ctx)
	switch {
	case err != nil:
		if fired = r.withdraw(ctx, h); fired { // in the meantime
			began(x, r.armInfos)
		}
		return nil, err
	case state == client.RuleFired:
		fired = true
		began(x, r.armInfos)
		return x, nil
	}
	if state == client.RuleInactive {
		r.withdraw(ctx, h)
		if err := before.ended(ctx); err != nil { // it has, which may not have been heard of yet
			return nil, err
		}
		return nil, r.unlessRests(ctx, m, before, nil)
	}
	account, _ := rule.Account(ctx) // without it, the error says less
	r.withdraw(ctx, h)
	return nil, r.unlessRests(ctx, m, before, &SwitchError{m.String(), account})
}

// patience is how long it may take to take something back.
const patience = 10 * time.Second

// withdraw takes back a motion that is not to begin. If it has begun already it comes to rest, and that is waited for.
func (r *Robot) withdraw(ctx context.Context, h *robotics.Handle) (begun bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if h.Cancel(ctx) != nil { // without a connection, nothing can be done
		return false
	}
	return !errors.Is(h.End(ctx), robotics.ErrNotBegun)
}

// unlessRests returns why a motion could not relieve the one before. It returns nil if that has come to rest at its goal in the
// meantime.
func (r *Robot) unlessRests(ctx context.Context, m *Motion, before *Execution, err error) error {
	if before.isCancelled() {
		return ErrCancelled
	}
	if before.handle.Net().State().Over() { // the daemon may have forgotten it already
		if err := before.ended(ctx); err != nil {
			return err
		}
	}
	if !before.isOver() {
		return err
	}
	if cause := before.handle.End(ctx); cause != nil {
		return &AfterError{m.String(), cause}
	}
	return nil
}
