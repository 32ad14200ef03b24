package protocol

import (
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// ruleWatch is a gsy: what becomes of a synchronization rule (rs).
type ruleWatch struct {
	rule *rcc.Rule
	told rcc.RuleState
}

func (w *ruleWatch) look(g *glance) {
	state, _ := w.rule.State()
	if g.first || state != w.told {
		w.told = state
		g.tell("rs", grammar.Str(state.String()))
	}
}

func (w *ruleWatch) due() (time.Time, bool) { return time.Time{}, false }

func (w *ruleWatch) over() bool { return w.told != rcc.RuleActive }
