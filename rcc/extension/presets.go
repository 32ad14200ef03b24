package extension

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// DeclareDevices returns the types of devices that there are with those of all extensions, by name. They may be made of each
// other, in whatever order, but not in a circle. The error is a config.Error.
func DeclareDevices(base map[string]device.Type, all []*Extension) (map[string]device.Type, error) {
	d := presetting{types: maps.Clone(base), of: map[string]*presetEntry{}}
	if d.types == nil {
		d.types = map[string]device.Type{}
	}
	for _, e := range all {
		for i := range e.presets {
			d.enter(&presetEntry{ext: e, key: fmt.Sprintf("device-types[%d]", i), preset: &e.presets[i]})
		}
	}
	for _, name := range d.order {
		d.declare(d.of[name])
	}
	if len(d.wrong) > 0 {
		return nil, d.wrong
	}
	return d.types, nil
}

type presetting struct {
	types map[string]device.Type
	of    map[string]*presetEntry
	order []string
	way   []string // types that are being declared, each made of the next
	wrong config.Error
}

// presetEntry is a type on its way among the others.
type presetEntry struct {
	*preset
	ext           *Extension
	key           string
	begun, finish bool
}

func (d *presetting) refuse(e *presetEntry, at string, err error) {
	d.wrong = append(d.wrong, e.ext.file.Problem(e.key+at, err)...)
}

func (d *presetting) enter(e *presetEntry) {
	by := ""
	if t, there := d.types[e.Type]; there {
		by = t.Extension
	} else if other := d.of[e.Type]; other != nil {
		by = other.ext.ID
	} else {
		d.of[e.Type] = e
		d.order = append(d.order, e.Type)
		return
	}
	d.refuse(e, ".type", fmt.Errorf("extension %s already has type %s", by, e.Type))
}

// declare declares a type after the one that it is made of.
func (d *presetting) declare(e *presetEntry) {
	switch {
	case e.finish:
		return
	case e.begun:
		start := slices.Index(d.way, e.Type)
		d.refuse(e, ".of", fmt.Errorf("type is derived from itself: %s", strings.Join(append(d.way[start:], e.Type), " <- ")))
		return
	}
	e.begun = true
	other := d.of[e.Of]
	if other != nil {
		d.way = append(d.way, e.Type)
		d.declare(other)
		d.way = d.way[:len(d.way)-1]
	}
	e.finish = true
	of, there := d.types[e.Of]
	if !there {
		if other == nil {
			d.refuse(e, ".of", fmt.Errorf("unknown device type %q%s", e.Of, suggest.DidYouMean(e.Of, maps.Keys(d.types))))
		}
		return // what is wrong with the other one has been said
	}
	t, wrong := device.Preset(device.Kind{Name: e.Type, Extension: e.ext.ID, Doc: e.Doc}, &of, e.own(), e.given())
	for _, w := range wrong {
		d.refuse(e, e.keyOf(w.Name), w.Err)
	}
	if len(wrong) == 0 {
		d.types[e.Type] = t
	}
}

func (e *presetEntry) own() (list []device.Param) {
	for _, p := range e.Params {
		list = append(list, device.Param{Name: p.Name, Default: p.Default, Required: p.Required, Doc: p.Doc})
	}
	return list
}

func (e *presetEntry) given() map[string]device.Given {
	given := map[string]device.Given{}
	for name, text := range e.Set.Of {
		if own, isParameter := net.Placeholder(text); isParameter {
			given[name] = device.Given{Own: own}
		} else {
			given[name] = device.Given{Value: net.Literal(text)}
		}
	}
	return given
}

// keyOf returns the key below that of a type which is about a parameter.
func (e *presetEntry) keyOf(name string) string {
	if i := slices.IndexFunc(e.Params, func(p param) bool { return p.Name == name }); i >= 0 {
		return fmt.Sprintf(".parameters[%d]", i)
	}
	return ".set." + name
}
