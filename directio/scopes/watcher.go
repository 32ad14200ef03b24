package scopes

import (
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// watcher finds what happens in the cell. Rules that fire, states of nets and incidents have the tick that the cell has noted; a device
// that fails has the time at which that is seen.
type watcher struct {
	core      *rcc.Core
	changes   *rcc.Observer
	seen      map[*rcc.Net]int // transitions
	fired     map[int]bool     // rules
	incidents uint64
	states    map[string]string
	list      []rcc.DeviceState
}

// watch begins with what is there: that has not happened since.
func watch(core *rcc.Core) *watcher {
	w := &watcher{core: core, changes: core.Changes.Observe(), seen: map[*rcc.Net]int{}, fired: map[int]bool{}, states: map[string]string{}}
	for _, n := range core.Nets.All() {
		w.seen[n] = n.Seen() + 1
	}
	w.incidents, _ = core.Executors.Incidents()
	quiet := func(*scope.Event) {}
	w.rules(quiet)
	w.devices(0, quiet)
	return w
}

func (w *watcher) close() { w.changes.Close() }

// look reports what has happened since the last look.
func (w *watcher) look(now int64, tell func(*scope.Event)) {
	list, all := w.changes.Changed()
	if len(list) > 0 || all {
		w.nets(tell)
		w.rules(tell)
	}
	w.amiss(tell)
	w.devices(now, tell)
}

// nets tells every transition of every net.
func (w *watcher) nets(tell func(*scope.Event)) {
	there := map[*rcc.Net]int{}
	for _, n := range w.core.Nets.All() {
		passed, seen := n.Since(w.seen[n])
		there[n] = seen
		for _, t := range passed {
			tell(&scope.Event{Kind: scope.State, Tick: t.Time, Net: n.Name(), State: t.State.String()})
		}
	}
	w.seen = there
}

// rules tells rules that have fired.
func (w *watcher) rules(tell func(*scope.Event)) {
	there := map[int]bool{}
	for _, r := range w.core.Rules.All() {
		if state, _ := r.State(); state != rcc.RuleFired {
			continue
		}
		there[r.Number()] = true
		if !w.fired[r.Number()] {
			tell(&scope.Event{Kind: scope.Rule, Tick: r.Record().Tick.UnixNano(), Rule: strconv.Itoa(r.Number())})
		}
	}
	w.fired = there
}

// amiss tells new incidents.
func (w *watcher) amiss(tell func(*scope.Event)) {
	count, kept := w.core.Executors.Incidents()
	for _, i := range newest(kept, count-w.incidents) {
		tell(&scope.Event{Kind: scope.Incident, Tick: i.Time, Net: i.Net})
	}
	w.incidents = count
}

// newest returns the last n of a list, or all of it where fewer are kept.
func newest[T any](kept []T, n uint64) []T {
	return kept[uint64(len(kept))-min(n, uint64(len(kept))):]
}

// devices tells devices that are no longer operational.
func (w *watcher) devices(now int64, tell func(*scope.Event)) {
	w.list = w.core.Devices.States(w.list[:0])
	for _, d := range w.list {
		state := d.State.String()
		if w.states[d.Name] == operational && state != operational {
			tell(&scope.Event{Kind: scope.Fault, Tick: now, Device: d.Name, State: state})
		}
		w.states[d.Name] = state
	}
	for name := range w.states {
		if !slices.ContainsFunc(w.list, func(d rcc.DeviceState) bool { return d.Name == name }) {
			delete(w.states, name)
		}
	}
}
