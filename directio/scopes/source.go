package scopes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// source is where a group of channels comes from.
type source interface {
	group() scope.Group
	// read gives a scope what there is to read, as samples of a group.
	read(to *scope.Scope, group int, now int64)
	close()
}

func groupsOf(sources []source) []scope.Group {
	list := make([]scope.Group, len(sources))
	for i, s := range sources {
		list[i] = s.group()
	}
	return list
}

func closeAll(sources []source) {
	for _, s := range sources {
		s.close()
	}
}

// open finds the sources of all channels of a setup.
func (s *Scopes) open(ctx context.Context, setup *scope.Setup) (sources []source, err error) {
	defer func() {
		if err != nil {
			closeAll(sources)
			sources = nil
		}
	}()
	nets, figures := map[string][]int{}, map[string][]int{}
	for i := range setup.Channels {
		if from := &setup.Channels[i].Source; from.Net != "" {
			nets[from.Net] = append(nets[from.Net], i)
		} else {
			key := from.Device + "\x00" + from.Executor
			figures[key] = append(figures[key], i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(nets)) {
		found, err := s.openNet(ctx, setup, name, nets[name])
		sources = append(sources, found...)
		if err != nil {
			return sources, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(figures)) {
		found, err := s.openFigures(setup, figures[key])
		if err != nil {
			return sources, err
		}
		sources = append(sources, found)
	}
	return sources, nil
}

// constants are channels of ports that never change.
type constants struct{ is scope.Group }

func (c *constants) group() scope.Group            { return c.is }
func (c *constants) read(*scope.Scope, int, int64) {}
func (c *constants) close()                        {}

// netSource is ports of a net.
type netSource struct {
	net     *rcc.Net
	probe   *rcc.Probe
	is      scope.Group
	ports   []int // of the probe, of each channel
	types   []value.Type
	after   uint64
	begun   bool
	samples rcc.Samples
	block   scope.Block
}

func (s *Scopes) openNet(ctx context.Context, setup *scope.Setup, name string, channels []int) ([]source, error) {
	n, err := s.core.Nets.Get(name)
	if err != nil {
		return nil, err
	}
	var ports []rcc.ProbePort
	at := make([]int, len(channels))
	for i, c := range channels {
		from := &setup.Channels[c].Source
		port := rcc.ProbePort{Path: from.Path, Port: from.Port}
		if at[i] = slices.Index(ports, port); at[i] < 0 {
			at[i] = len(ports)
			ports = append(ports, port)
		}
	}
	probe, err := n.Probe(ctx, ports, keepTime)
	if err != nil {
		return nil, err
	}
	changes, never := &netSource{net: n, probe: probe}, &constants{is: scope.Group{Constants: [][]float64{}}}
	for i, c := range channels {
		port := &probe.Ports()[at[i]]
		form := formOf(port)
		if port.Constant || port.Type == "" {
			form.Constant = true
			never.is.Channels, never.is.Forms = append(never.is.Channels, c), append(never.is.Forms, form)
			never.is.Constants = append(never.is.Constants, constantOf(port))
			continue
		}
		form.Period = n.Period().Nanoseconds()
		changes.is.Channels, changes.is.Forms = append(changes.is.Channels, c), append(changes.is.Forms, form)
		changes.ports, changes.types = append(changes.ports, at[i]), append(changes.types, port.Type)
	}
	changes.block.Columns = make([]scope.Column, len(changes.ports))
	var list []source
	if len(changes.ports) > 0 {
		list = append(list, changes)
	} else {
		probe.Close()
	}
	if len(never.is.Channels) > 0 {
		list = append(list, never)
	}
	return list, nil
}

// formOf describes a port.
func formOf(p *rcc.Probed) scope.Form {
	f := scope.Form{Type: string(p.Type), Components: p.Type.Components(), Normed: p.Type.Normed()}
	_, list := p.Type.Element()
	switch {
	case f.Components != nil:
	case p.Words == 1 && !list || p.Words == 0:
		f.Components = []string{""}
	default:
		for i := range p.Words {
			f.Components = append(f.Components, strconv.Itoa(i))
		}
	}
	return f
}

func (s *netSource) group() scope.Group { return s.is }
func (s *netSource) close()             { s.probe.Close() }

func (s *netSource) read(to *scope.Scope, group int, _ int64) {
	idle := !s.net.Goes() // asked first: what it has done until then is read below
	err := s.probe.Read(s.after, &s.samples)
	n := len(s.samples.Cycle)
	if n == 0 {
		if idle || err != nil {
			to.End(group)
		}
		return
	}
	to.Begin(group)
	b := &s.block
	b.Ticks, b.Lost = s.samples.Time, 0
	if s.begun {
		b.Lost = int(s.samples.Lost)
	}
	s.after, s.begun = s.samples.Cycle[n-1], true
	for i, port := range s.ports {
		from, c := &s.samples.Columns[port], &b.Columns[i]
		c.Given, c.Words = from.Given, c.Words[:0]
		for _, w := range from.Words {
			c.Words = append(c.Words, s.types[i].Number(w))
		}
	}
	to.Feed(group, b)
	if idle {
		to.End(group)
	}
}

// figureSource is figures of a device or an executor.
type figureSource struct {
	is      scope.Group
	figures []string
	look    func() (map[string]any, error)
	block   scope.Block
}

// deviceStates are the states of devices, as channels have them.
var deviceStates = []string{"offline", "safe-operational", operational}

const operational = "operational"

// figureState is the figure of a device that is its state.
const figureState = "state"

func (s *Scopes) openFigures(setup *scope.Setup, channels []int) (source, error) {
	from := &setup.Channels[channels[0]].Source
	f := &figureSource{is: scope.Group{Channels: channels}}
	place := "device " + shorten(from.Device)
	if from.Device != "" {
		f.look = func() (map[string]any, error) { return s.figuresOfDevice(from.Device) }
	} else {
		place = "executor " + shorten(from.Executor)
		f.look = func() (map[string]any, error) { return s.figuresOfExecutor(from.Executor) }
	}
	now, err := f.look()
	if err != nil {
		return nil, err
	}
	for _, c := range channels {
		name := setup.Channels[c].Source.Figure
		form := scope.Form{Type: "double", Components: []string{""}, Period: readEvery.Nanoseconds(), Figure: true}
		switch v, ok := now[name]; v.(type) {
		case bool:
			form.Type = "bool"
		case string:
			form.Type, form.States = scope.TypeState, deviceStates
		default:
			if !ok {
				return nil, pages.Refuse(pages.CodeNoThing, place, "it has no figure %q; there are %s", shorten(name), some(now))
			}
		}
		f.is.Forms, f.figures = append(f.is.Forms, form), append(f.figures, name)
	}
	f.block = scope.Block{Ticks: make([]int64, 1), Columns: make([]scope.Column, len(channels))}
	for i := range f.block.Columns {
		f.block.Columns[i] = scope.Column{Given: make([]bool, 1), Words: make([]float64, 1)}
	}
	return f, nil
}

// some lists a few names.
func some(figures map[string]any) string {
	const few = 10
	names := slices.Sorted(maps.Keys(figures))
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

func (f *figureSource) group() scope.Group { return f.is }
func (f *figureSource) close()             {}

func (f *figureSource) read(to *scope.Scope, group int, now int64) {
	figures, err := f.look() // one that has gone has none, until there is another of its name
	f.block.Ticks[0] = now
	for i, name := range f.figures {
		c := &f.block.Columns[i]
		c.Given[0], c.Words[0] = false, 0
		if err == nil {
			c.Words[0], c.Given[0] = number(figures[name])
		}
	}
	to.Feed(group, &f.block)
}

// number returns a figure as a number; a state is its index.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		if i := slices.Index(deviceStates, v); i >= 0 {
			return float64(i), true
		}
	}
	return 0, false
}

// figuresOfDevice returns the numbers and Booleans that the pages of a device show, by the page and their names in its JSON.
func (s *Scopes) figuresOfDevice(name string) (map[string]any, error) {
	d, err := s.core.Devices.Get(name)
	if err != nil {
		return nil, err
	}
	all := map[string]any{figureState: d.State.String()}
	if d.Own != nil {
		err = gather(all, "", d.Own)
	}
	for _, p := range d.Pages {
		_, view, again := s.core.Devices.Show(name, p.Path, nil)
		if again == nil {
			again = gather(all, p.Path, view)
		}
		err = errors.Join(err, again)
	}
	return all, err
}

// figuresOfExecutor returns the figures of an executor, as the stream shows them.
func (s *Scopes) figuresOfExecutor(key string) (map[string]any, error) {
	list := facts.Executors(s.core)
	i := slices.IndexFunc(list, func(e facts.Executor) bool { return e.Key() == key })
	if i < 0 {
		return nil, pages.Refuse(pages.CodeNoThing, "executor "+shorten(key), "there is none of this name now; see /realtime/ for those that there are")
	}
	all := map[string]any{}
	err := gather(all, "", list[i])
	return all, err
}

// mostFigures is how many figures a thing may have; more are left out.
const mostFigures = 1000

// gather adds the numbers and Booleans of a view.
func gather(all map[string]any, place string, view any) error {
	text, err := facts.JSON(view)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	walk(all, place, v)
	return nil
}

func walk(all map[string]any, place string, v any) {
	below := func(name string) string { return strings.TrimPrefix(place+"/"+name, "/") }
	switch v := v.(type) {
	case map[string]any:
		for name, part := range v {
			if name != "histogram" {
				walk(all, below(name), part)
			}
		}
	case []any:
		for i, part := range v {
			walk(all, below(strconv.Itoa(i)), part)
		}
	case float64, bool:
		if len(all) < mostFigures {
			all[place] = v
		}
	}
}
