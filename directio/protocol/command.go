package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// command carries out a statement and returns the parameters of its ok.
type command func(s *session, ctx context.Context, tag string, a args) ([]grammar.Param, error)

// Refusals in the words of the original. Clients show them and depend on none; what the core knows beyond them follows
// after a colon.
var (
	errHandshake  = errors.New("bad handshake")
	errUnknown    = errors.New("unknown command or uninitialized result")
	errNet        = errors.New("invalid net")
	errNetName    = errors.New("invalid netname")
	errSetNet     = errors.New("invalidnetname")
	errSession    = errors.New("invalid session")
	errRule       = errors.New("Invalid synchronization rule")
	errStart      = errors.New("net start failed")
	errScheduling = errors.New("scheduling not possible")
	errSyntax     = errors.New("invalid syntax")
	errTooMany    = errors.New("too many subscriptions")
	errWith       = errors.New(`values come with "tick" or with nothing`)
	errInstance   = errors.New("the daemon was started again, or is another one")
)

// commands of section "DirectIO commands" of §7.6.3, and those that only newer clients know.
func commands() map[string]command {
	return map[string]command{
		"nse":  newSession,
		"ase":  abortSession,
		"gse":  watchSession,
		"nene": newNet,
		"nest": startNet,
		"nesc": scheduleNets,
		"neca": ask((*rcc.Net).Cancel),
		"neab": ask((*rcc.Net).Abort),
		"neun": ask((*rcc.Net).Unload),
		"gne":  watchNet,
		"gsy":  watchRule,
		"snc":  setValues,
		"gde":  watchDevices,
		"ins":  instance,
		"why":  findings,
		"quit": quit,
	}
}

// changing are the commands that bring about states of nets.
var changing = map[string]bool{"ase": true, "nest": true, "nesc": true, "neca": true, "neab": true, "neun": true}

func quit(s *session, _ context.Context, _ string, _ args) ([]grammar.Param, error) {
	s.quitting = s.cfg.Bare
	return text("quitting"), nil
}

// instance returns the instance of the daemon, or refuses when another one is named: a client that comes back may have
// met a daemon that was restarted.
func instance(s *session, _ context.Context, _ string, a args) ([]grammar.Param, error) {
	meant, err := optional(a, 0, a.text, s.core.Instance())
	if err != nil {
		return nil, err
	}
	if meant != s.core.Instance() {
		return nil, errInstance
	}
	return text(s.core.Instance()), nil
}

func text(s string) []grammar.Param { return []grammar.Param{grammar.Str(s)} }

func newSession(s *session, _ context.Context, _ string, a args) ([]grammar.Param, error) {
	description, err := a.text(0)
	if err != nil {
		return nil, err
	}
	session, err := s.core.Sessions.Open(description)
	if err != nil {
		return nil, err
	}
	return text(session.Name()), nil
}

// session finds the session that the first argument names.
func (s *session) session(a args) (*rcc.Session, error) {
	name, err := a.text(0)
	if err != nil {
		return nil, err
	}
	found, err := s.core.Sessions.Get(name)
	if err != nil {
		return nil, errSession
	}
	return found, nil
}

func abortSession(s *session, ctx context.Context, _ string, a args) ([]grammar.Param, error) {
	found, err := s.session(a)
	if err != nil {
		return nil, err
	}
	return nil, found.End(ctx)
}

func watchSession(s *session, ctx context.Context, tag string, a args) ([]grammar.Param, error) {
	found, err := s.session(a)
	if err != nil {
		return nil, err
	}
	return nil, s.subscribe(ctx, tag, "session "+found.Name(), newSessionWatch(s.core.Sessions, found))
}

func newNet(s *session, _ context.Context, _ string, a args) ([]grammar.Param, error) {
	req, err := loadRequest(a)
	if err != nil {
		return nil, err
	}
	req.Connection = s.cfg.Peer
	n, err := s.core.Nets.Load(req)
	var refused *grammar.Error
	switch {
	case errors.As(err, &refused):
		return nil, fmt.Errorf("Syntax error in net. %w", refused)
	case err != nil:
		return nil, err
	case n.State() == rcc.Rejected:
		s.noteRejected(n)
	}
	return text(n.Name()), nil
}

// findings returns two lists: why a net was rejected, and its warnings.
func findings(s *session, _ context.Context, _ string, a args) ([]grammar.Param, error) {
	n, err := s.net(a, 0)
	if err != nil {
		return nil, err
	}
	return []grammar.Param{problemsOf(n.Problems()), problemsOf(n.Warnings())}, nil
}

// problemsOf returns a list of maps, without what there is nothing to say of.
func problemsOf(problems []rcc.Problem) grammar.Param {
	list := grammar.Param{Kind: grammar.List}
	for _, p := range problems {
		var keys []string
		var items []grammar.Param
		for _, member := range [][2]string{
			{"kind", p.Kind()}, {"block", p.Path}, {"port", p.Port}, {"line", positive(p.Line)}, {"column", positive(p.Column)}, {"text", p.Text},
		} {
			if member[1] != "" {
				keys, items = append(keys, member[0]), append(items, grammar.Str(member[1]))
			}
		}
		list.Items = append(list.Items, grammar.MapOf(keys, items))
	}
	return list
}

// positive writes a number, nothing for one that does not exist.
func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// mostRejected is how many rejected nets a client is remembered by; the core keeps no more of them.
const mostRejected = 200

// noteRejected notes a net that is removed with the client, which may read why it was rejected until then.
func (s *session) noteRejected(n *rcc.Net) {
	if len(s.rejected) == mostRejected {
		s.rejected = append(s.rejected[:0], s.rejected[1:]...)
	}
	s.rejected = append(s.rejected, n.Name())
}

// forgetRejected unloads the rejected nets of a client that has gone.
func (s *session) forgetRejected() {
	for _, name := range s.rejected {
		if n, err := s.core.Nets.Get(name); err == nil && n.State() == rcc.Rejected {
			_ = n.Unload(context.Background()) // another client may have been faster
		}
	}
}

// loadRequest reads net, session, description, cycle time, whether the net is critical, and what happens when a device refuses a
// set-point; all but the first have defaults.
func loadRequest(a args) (req rcc.LoadRequest, err error) {
	var (
		seconds  float64
		realtime float64
	)
	req.Text, err = a.text(0)
	if err == nil {
		req.Session, err = optional(a, 1, a.name, "")
	}
	if err == nil {
		req.Description, err = optional(a, 2, a.text, "")
	}
	if err == nil {
		seconds, err = optional(a, 3, a.number, 0)
	}
	if err == nil {
		realtime, err = optional(a, 4, a.number, 1)
	}
	refusal := rcc.RefusalContinue
	if err == nil {
		refusal, err = optional(a, 5, a.text, rcc.RefusalContinue)
	}
	if err == nil {
		req.EndRefused, err = rcc.EndsRefused(refusal)
	}
	req.Period, req.NotRealtime = rcc.Seconds(seconds), realtime == 0
	return req, err
}

// net finds the net that an argument names.
func (s *session) net(a args, i int) (*rcc.Net, error) {
	name, err := a.text(i)
	if err != nil {
		return nil, err
	}
	n, err := s.core.Nets.Get(name)
	if err != nil {
		return nil, errNet
	}
	return n, nil
}

func startNet(s *session, ctx context.Context, _ string, a args) ([]grammar.Param, error) {
	n, err := s.net(a, 0)
	if err != nil {
		return nil, err
	}
	if err := n.Start(ctx); err != nil {
		return nil, detail(errStart, err)
	}
	return nil, nil
}

func detail(err, cause error) error { return fmt.Errorf("%w: %w", err, cause) }

// ask sends a command to a net that may have ended or was never started. That is not an error: the client cannot know.
func ask(do func(*rcc.Net, context.Context) error) command {
	return func(s *session, ctx context.Context, _ string, a args) ([]grammar.Param, error) {
		n, err := s.net(a, 0)
		if err != nil {
			return nil, err
		}
		err = do(n, ctx)
		switch {
		case errors.Is(err, rcc.ErrNoNet):
			return nil, errNet
		case errors.Is(err, rcc.ErrState):
			return nil, nil
		}
		return nil, err
	}
}

// scheduleNets is nesc in its two forms: a list as second argument begins the sets of a synchronization rule, a string
// is the one predecessor that the older generation knows.
func scheduleNets(s *session, ctx context.Context, _ string, a args) ([]grammar.Param, error) {
	if len(a) > 1 && a[1].Kind == grammar.String {
		return nil, s.follow(ctx, a)
	}
	req, err := ruleRequest(a)
	if err != nil {
		return nil, err
	}
	r, err := s.core.Rules.Add(context.WithoutCancel(ctx), req) // one in force is on record, also when the client is lost
	switch {
	case errors.Is(err, rcc.ErrNoNet):
		return nil, detail(errNetName, err)
	case errors.As(err, new(*grammar.Error)):
		return nil, err
	case err != nil:
		return nil, detail(errScheduling, err)
	}
	return text(strconv.Itoa(r.Number())), nil
}

func ruleRequest(a args) (req rcc.RuleRequest, err error) {
	if len(a) < 4 {
		return req, errMissing
	}
	req.Condition, err = a.text(0)
	if err == nil {
		req.Stop, err = a.names(1)
	}
	if err == nil {
		req.Cancel, err = a.names(2)
	}
	if err == nil {
		req.Start, err = a.names(3)
	}
	if err == nil {
		req.Description, err = optional(a, 4, a.text, "")
	}
	return req, err
}

// follow starts a net, after its predecessor if that exists. The answer is ok whatever happens next: clients of the
// older generation look at the state of the net.
func (s *session) follow(ctx context.Context, a args) error {
	n, err := s.net(a, 0)
	if err != nil {
		return err
	}
	if _, unknown := s.core.Nets.Get(a[1].Text); unknown == nil {
		_ = s.core.Rules.Follow(context.WithoutCancel(ctx), n.Name(), a[1].Text)
	} else {
		_ = n.Start(ctx)
	}
	return nil
}

func watchNet(s *session, ctx context.Context, tag string, a args) ([]grammar.Param, error) {
	n, err := s.net(a, 0)
	if err != nil {
		return nil, err
	}
	seconds, err := a.number(1)
	if err != nil {
		return nil, err
	}
	with, err := optional(a, 2, a.text, "")
	if err == nil && with != "" && with != withTicks {
		err = errWith
	}
	if err != nil {
		return nil, err
	}
	w := newNetWatch(n, interval(seconds), with == withTicks, s.pace)
	if w.swift {
		s.hurry()
	}
	return nil, s.subscribe(ctx, tag, "net "+n.Name(), w)
}

func watchRule(s *session, ctx context.Context, tag string, a args) ([]grammar.Param, error) {
	name, err := a.name(0)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(strings.TrimSpace(name))
	if err != nil {
		return nil, errRule
	}
	r, err := s.core.Rules.Get(number)
	if err != nil {
		return nil, errRule
	}
	return nil, s.subscribe(ctx, tag, "rule "+strconv.Itoa(number), &ruleWatch{rule: r, older: s.pace != nil})
}

func watchDevices(s *session, ctx context.Context, tag string, _ args) ([]grammar.Param, error) {
	return nil, s.subscribe(ctx, tag, "devices", newDeviceWatch(s.core.Devices))
}

// setting is what a snc has for one net.
type setting struct {
	net    *rcc.Net
	values []rcc.KeyValue
}

// setValues takes everything or nothing: what is for one net arrives there in one cycle.
func setValues(s *session, _ context.Context, _ string, a args) ([]grammar.Param, error) {
	settings, err := s.settings(a)
	if err != nil {
		return nil, err
	}
	for _, x := range settings {
		if err := x.net.Check(x.values); err != nil {
			return nil, err
		}
	}
	for _, x := range settings {
		if err := x.net.Set(x.values); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (s *session) settings(a args) ([]setting, error) {
	nets, err := a.at(0, grammar.Map)
	if err != nil {
		return nil, err
	}
	var list []setting
	for i, name := range nets.Keys {
		n, err := s.core.Nets.Get(name)
		if err != nil {
			return nil, errSetNet
		}
		values, err := knownValues(n, &nets.Items[i])
		if err != nil {
			return nil, err
		}
		if len(values) > 0 {
			list = append(list, setting{n, values})
		}
	}
	return list, nil
}

// knownValues leaves out keys that the net does not have, as the original does.
func knownValues(n *rcc.Net, values *grammar.Param) ([]rcc.KeyValue, error) {
	if values.Kind != grammar.Map {
		return nil, errMemberKind
	}
	var list []rcc.KeyValue
	for i, key := range values.Keys {
		if values.Items[i].Kind != grammar.String {
			return nil, errMemberKind
		}
		if n.HasInput(key) {
			list = append(list, rcc.KeyValue{Key: key, Value: values.Items[i].Text})
		}
	}
	return list, nil
}
