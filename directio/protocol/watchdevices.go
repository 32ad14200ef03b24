package protocol

import (
	"maps"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// deviceInterval is how often the states of devices are looked at: what changes them in a cycle rings no bell.
const deviceInterval = 10 * time.Millisecond

// deviceWatch is a gde: devices that come (da), go (dr) and change their state (ds), as listing 9.1 has it.
type deviceWatch struct {
	devices *rcc.Devices
	known   map[string]rcc.DeviceInfo
	next    time.Time

	told, now []rcc.DeviceState // as sent last, and as they are: most looks find nothing new, and cost little
}

func newDeviceWatch(devices *rcc.Devices) *deviceWatch { return &deviceWatch{devices: devices} }

func (w *deviceWatch) look(g *glance) (told bool) {
	if !g.first && !g.rung && g.now.Before(w.next) {
		return true // commands do not change devices
	}
	w.next = g.now.Add(deviceInterval)
	w.now = w.devices.States(w.now[:0])
	if !g.first && slices.Equal(w.now, w.told) {
		return true
	}
	w.told = w.told[:0]
	now := map[string]rcc.DeviceInfo{}
	for _, d := range w.devices.All() {
		now[d.Name] = d
		w.told = append(w.told, rcc.DeviceState{Name: d.Name, Number: d.Number, State: d.State})
	}
	var removed, added, changed []string
	for name, was := range w.known {
		if is, ok := now[name]; !ok || !sameDevice(was, is) {
			removed = append(removed, name)
		}
	}
	for name, is := range now {
		was, ok := w.known[name]
		switch {
		case !ok || !sameDevice(was, is):
			added = append(added, name)
			changed = append(changed, name)
		case was.State != is.State:
			changed = append(changed, name)
		}
	}
	w.known = now
	w.tell(g, removed, added, changed)
	return true
}

// sameDevice reports whether a device is not another one that was created under its name.
func sameDevice(a, b rcc.DeviceInfo) bool { return a.Number == b.Number }

func (w *deviceWatch) tell(g *glance, removed, added, changed []string) {
	if len(removed) > 0 {
		slices.Sort(removed)
		g.tell("dr", grammar.Strs(removed...))
	}
	if len(added) > 0 {
		g.tell("da", w.mapOf(added, describe))
	}
	if len(changed) > 0 {
		g.tell("ds", w.mapOf(changed, func(d rcc.DeviceInfo) grammar.Param { return grammar.Str(d.State.Wire()) }))
	}
}

func (w *deviceWatch) mapOf(names []string, what func(rcc.DeviceInfo) grammar.Param) grammar.Param {
	slices.Sort(names)
	m := grammar.Param{Kind: grammar.Map, Keys: names}
	for _, name := range names {
		m.Items = append(m.Items, what(w.known[name]))
	}
	return m
}

func describe(d rcc.DeviceInfo) grammar.Param {
	interfaces := map[string]grammar.Param{}
	for _, i := range d.Interfaces {
		params := map[string]grammar.Param{}
		for k, v := range i.Params {
			params[k] = grammar.Str(v)
		}
		interfaces[i.Name] = sorted(params)
	}
	return grammar.MapOf([]string{"interfaces", "type"}, []grammar.Param{sorted(interfaces), grammar.Str(d.Type)})
}

func sorted(m map[string]grammar.Param) grammar.Param {
	p := grammar.Param{Kind: grammar.Map, Keys: slices.Sorted(maps.Keys(m))}
	for _, key := range p.Keys {
		p.Items = append(p.Items, m[key])
	}
	return p
}

func (w *deviceWatch) due() (time.Time, bool) { return w.next, true }

func (w *deviceWatch) about() any { return nil }

func (w *deviceWatch) over() bool { return false }
