package robotics

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Token is an event of a command that conditions of synchronization rules may be about (CommandSynchronizer of §10.2.5).
type Token struct{ name string }

// NewToken returns a token that events give. Names are those of variables: letters, digits and _.
func NewToken(name string) *Token { return &Token{name} }

// Give gives a token, in the cycle of the event and in no other: what a rule does about it takes effect in the next one.
func Give(t *Token) Effect { return giveEffect{t} }

type giveEffect struct{ token *Token }

func (e giveEffect) apply(b *builder, context Command, when graph.Signal[bool]) {
	if e.token == nil {
		noEffect{}.apply(b, context, when)
		return
	}
	given := mapping.Once(b.m, tokenKey+e.token.name, func() *giving {
		g := &giving{token: e.token}
		tokensOf(b.m).names[e.token.name] = true
		b.m.AtEnd(func() { graph.Publish(b.m.Graph, tokenKey+e.token.name, b.m.Definite(graph.Or(g.events...))) })
		return g
	})
	if given.token != e.token || !names.MatchString(e.token.name) {
		b.m.Fail(fmt.Errorf("token %q: %w", e.token.name, ErrName))
	}
	given.events = append(given.events, when)
}

// giving is all events that give a token.
type giving struct {
	token  *Token
	events []graph.Signal[bool]
}

// gives are the tokens that a net gives.
type gives struct{ names map[string]bool }

func tokensOf(m *mapping.Net) *gives {
	type key struct{}
	return mapping.Once(m, key{}, func() *gives { return &gives{map[string]bool{}} })
}

// names are those that conditions of rules can be about.
var names = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// tokenKey keeps names of tokens apart from others.
const tokenKey = "t"

// Condition is what a synchronization rule waits for.
type Condition string

// Now is a condition that is true at once.
const Now Condition = "t"

// Given is true in the cycle in which a command gives a token. Synchronize refuses a token that the command never gives.
func (h *Handle) Given(t *Token) Condition {
	switch {
	case t == nil:
		return mark + "no token" + mark
	case !h.program.tokens[t.name]:
		return Condition(mark + "token " + t.name + mark)
	}
	name := h.net.Name
	if h.paper != nil {
		name = h.paper.mark() + name
	}
	return Condition(name + ".out" + tokenKey + t.name)
}

// mark is around what cannot be part of a condition.
const mark = "\x00"

// And is true while both are.
func (c Condition) And(d Condition) Condition { return "(" + c + " & " + d + ")" }

// Or is true while one of both is.
func (c Condition) Or(d Condition) Condition { return "(" + c + " | " + d + ")" }

// Not is true while a condition is false; while that is indeterminate, it is that, too.
func (c Condition) Not() Condition { return "!(" + c + ")" }

// Switch is what a synchronization rule does (chapter 6): commands to stop, to cancel, and to start from the next cycle on. Those
// that are started have been loaded (Runtime.Load). A command that is stopped leaves its actuators to those that are started.
type Switch struct{ Stop, Cancel, Start []*Handle }

// Synchronize has the daemon switch between commands as soon as a condition becomes true. The rule reports its outcome.
func (r *Runtime) Synchronize(ctx context.Context, when Condition, do Switch) (*client.Rule, error) {
	err := errors.Join(when.check(), do.check(nil))
	if err == nil && strings.Contains(string(when), paper) {
		err = fmt.Errorf("a condition: %w", ErrRehearsal)
	}
	if err != nil {
		return nil, err
	}
	return r.daemon.Add(ctx, client.RuleRequest{
		Condition: string(when), Stop: nets(do.Stop), Cancel: nets(do.Cancel), Start: nets(do.Start),
	})
}

// check returns an error for tokens that no command gives.
func (c Condition) check() error {
	if parts := strings.Split(string(c), mark); len(parts) > 1 {
		return fmt.Errorf("%s: %w", parts[1], ErrToken)
	}
	return nil
}

// check reports commands that do not exist where the rule is: in a rehearsal, or, if that is none, the daemon.
func (s Switch) check(where *Rehearsal) error {
	for _, h := range slices.Concat(s.Stop, s.Cancel, s.Start) {
		if h == nil {
			return fmt.Errorf("a rule: %w", ErrNoCommand)
		}
		if h.paper != where {
			return fmt.Errorf("a rule about %s: %w", h.text, ErrRehearsal)
		}
	}
	return nil
}

func nets(of []*Handle) []*client.Net {
	list := make([]*client.Net, len(of))
	for i, h := range of {
		list[i] = h.net
	}
	return list
}
