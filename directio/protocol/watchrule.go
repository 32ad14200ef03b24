package protocol

import (
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// ruleWatch is a gsy: the outcome of a synchronization rule (rs).
type ruleWatch struct {
	rule  *rcc.Rule
	told  rcc.RuleState
	older bool      // the client is
	since time.Time // when it has asked
	late  bool      // it does not know yet
}

func (w *ruleWatch) look(g *glance) (told bool) {
	if g.first {
		w.since = g.now
	}
	state, _ := w.rule.State()
	w.late = w.older && state != rcc.RuleActive && g.now.Before(w.known())
	if !w.late && (g.first || state != w.told) {
		w.told = state
		g.tell("rs", grammar.Str(state.String()))
	}
	return true
}

// known returns when the outcome of the rule can be sent to an older client: it asks for the rule before it listens, and learns of it
// only once.
func (w *ruleWatch) known() time.Time { return w.since.Add(stateInterval) }

func (w *ruleWatch) due() (time.Time, bool) { return w.known(), w.late }

func (w *ruleWatch) about() any { return w.rule }

func (w *ruleWatch) over() bool { return w.told != rcc.RuleActive }
