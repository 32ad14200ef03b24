package stream

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// show puts a fact on a board, in the JSON of the pages.
func show(b *board, key string, weight int, fact any) {
	text, err := facts.JSON(fact)
	if err != nil {
		text = fmt.Appendf(nil, "{\"error\":%q}", err) // a structure that cannot be written is a mistake of ours, and to be seen
	}
	b.put(key, weight, bytes.TrimSpace(text))
}

// netsLook looks at nets whose states have changed.
type netsLook struct {
	nets    *rcc.Nets
	changes *rcc.Observer
}

func (l *netsLook) look(b *board, everything bool) {
	changed, all := l.changes.Changed()
	if everything || all {
		l.lookAtAll(b)
		return
	}
	for _, subject := range changed {
		n, ok := subject.(*rcc.Net)
		if !ok {
			continue
		}
		if is, err := l.nets.Get(n.Name()); err != nil || is != n {
			b.drop(n.Name())
		} else {
			show(b, n.Name(), 0, facts.EntryOf(n))
		}
	}
}

func (l *netsLook) lookAtAll(b *board) {
	there := map[string]bool{}
	for _, n := range l.nets.All() {
		there[n.Name()] = true
		show(b, n.Name(), 0, facts.EntryOf(n))
	}
	b.keep(there)
}

// rulesLook looks at rules that are new or have been decided and, when it looks at everything, at what those that wait go by.
type rulesLook struct {
	rules   *rcc.Rules
	changes *rcc.Observer
	decided map[string]bool // and shown so
}

func (l *rulesLook) look(b *board, everything bool) {
	changed := map[*rcc.Rule]bool{}
	list, all := l.changes.Changed()
	for _, subject := range list {
		if r, ok := subject.(*rcc.Rule); ok {
			changed[r] = true
		}
	}
	there, decided := map[string]bool{}, map[string]bool{}
	for _, r := range l.rules.All() {
		key := strconv.Itoa(r.Number())
		there[key] = true
		state, _ := r.State()
		decided[key] = l.decided[key] || state != rcc.RuleActive
		if known := b.has(key); !known || changed[r] || (everything || all) && !l.decided[key] {
			show(b, key, 0, facts.RecordedRuleOf(r))
		}
	}
	l.decided = decided
	b.keep(there)
}

// sessionsLook looks at sessions.
type sessionsLook struct{ sessions *rcc.Sessions }

func (l sessionsLook) look(b *board, _ bool) {
	there := map[string]bool{}
	for _, s := range l.sessions.All() {
		there[s.Name()] = true
		show(b, s.Name(), 0, facts.SessionOf(s))
	}
	b.keep(there)
}

// devicesLook looks at the states of devices, and at all about them when one has changed and now and then.
type devicesLook struct {
	devices     *rcc.Devices
	states, now []rcc.DeviceState
	looks       int
}

// fullLooks is at how many looks at states there is one at everything: causes change with the state nearly always.
const fullLooks = 10

func (l *devicesLook) look(b *board, _ bool) {
	l.now = l.devices.States(l.now[:0])
	same := slices.Equal(l.now, l.states)
	l.states, l.now = l.now, l.states
	if l.looks++; same && l.looks%fullLooks != 0 {
		return
	}
	there := map[string]bool{}
	for _, d := range l.devices.All() {
		there[d.Name] = true
		show(b, d.Name, 0, facts.DeviceOf(&d))
	}
	b.keep(there)
}

// executorsLook looks at what runs nets.
type executorsLook struct{ core *rcc.Core }

func (l executorsLook) look(b *board, _ bool) {
	there := map[string]bool{}
	for _, e := range facts.Executors(l.core) {
		there[e.Key()] = true
		show(b, e.Key(), 0, e)
	}
	b.keep(there)
}

// incidentsLook looks at the incidents that are kept.
type incidentsLook struct{ core *rcc.Core }

func (l incidentsLook) look(b *board, _ bool) {
	_, kept := l.core.Executors.Incidents()
	there := map[string]bool{}
	for _, i := range kept {
		key := incidentKey(&i)
		for again := 2; there[key]; again++ { // executors on several CPUs
			key = fmt.Sprintf("%s (%d)", incidentKey(&i), again)
		}
		there[key] = true
		show(b, key, 0, facts.IncidentOf(l.core, i))
	}
	b.keep(there)
}

func incidentKey(i *rcc.Incident) string {
	return fmt.Sprintf("%d %v %v %t %s", i.Time, i.Kind, i.Period, i.Realtime, i.Net)
}

// logLook looks at the newest lines of the log. Their keys are their numbers.
type logLook struct {
	lines func(after uint64) []facts.LogLine
	seen  uint64
	begun bool
	kept  []string // keys of the lines that are shown, the oldest first
}

// keptLines is how many lines are shown.
const keptLines = 1000

// weights are those of levels.
var weights = map[string]int{"DEBUG": 1, "INFO": 2, "WARN": 3, "ERROR": 4, "DPANIC": 5, "PANIC": 5, "FATAL": 5}

func (l *logLook) look(b *board, _ bool) {
	if l.lines == nil {
		return
	}
	lines := l.lines(l.seen)
	if len(lines) > keptLines {
		lines = lines[len(lines)-keptLines:]
	}
	for _, line := range lines {
		if l.begun {
			b.skip(line.Number - l.seen - 1)
		}
		l.seen, l.begun = line.Number, true
		key := strconv.FormatUint(line.Number, 10)
		show(b, key, weights[line.Level], facts.LogEntryOf(line))
		l.kept = append(l.kept, key)
	}
	l.begun = true
	for ; len(l.kept) > keptLines; l.kept = l.kept[1:] {
		b.drop(l.kept[0])
	}
}
