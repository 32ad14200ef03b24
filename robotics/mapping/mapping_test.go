package mapping_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Flows of the test.
type (
	a struct{ way string }
	b struct{ way string }
	c struct{ way string }
	d struct{}
)

func converters() []mapping.Converter {
	return []mapping.Converter{
		mapping.Convert(func(_ *mapping.Context, f a) (b, mapping.Part) { return b{f.way + "b"}, mapping.Part{} }),
		mapping.Convert(func(_ *mapping.Context, f b) (c, mapping.Part) { return c{f.way + "c"}, mapping.Part{} }),
		mapping.Convert(func(_ *mapping.Context, f c) (a, mapping.Part) { return a{f.way + "a"}, mapping.Part{} }),
		mapping.Convert(func(_ *mapping.Context, f a) (c, mapping.Part) { return c{f.way + "C"}, mapping.Part{} }),
	}
}

func connect(from mapping.Flow, to ...mapping.Flow) (mapping.Flow, error) {
	x := mapping.NewContext(mapping.New(graph.Standard()), nil, nil)
	var types []reflect.Type
	for _, t := range to {
		types = append(types, reflect.TypeOf(t))
	}
	parts, err := x.Connect(from, types, converters())
	if err != nil {
		return nil, err
	}
	return parts[len(parts)-1].Flow, nil
}

// TestConnect: the shortest chain counts, to the type that is preferred of those that are as near.
func TestConnect(t *testing.T) {
	for name, tt := range map[string]struct {
		from mapping.Flow
		to   []mapping.Flow
		want mapping.Flow
	}{
		"nothing to do":        {a{"a"}, []mapping.Flow{a{}}, a{"a"}},
		"one":                  {a{"a"}, []mapping.Flow{b{}}, b{"ab"}},
		"shortest":             {a{"a"}, []mapping.Flow{c{}}, c{"aC"}},
		"round":                {b{"b"}, []mapping.Flow{a{}}, a{"bca"}},
		"preferred":            {a{"a"}, []mapping.Flow{c{}, b{}}, c{"aC"}},
		"nearest":              {b{"b"}, []mapping.Flow{a{}, c{}}, c{"bc"}},
		"what is there before": {b{"b"}, []mapping.Flow{d{}, b{}}, b{"b"}},
	} {
		if have, err := connect(tt.from, tt.to...); err != nil || have != tt.want {
			t.Errorf("%s: %v, %v, not %v", name, have, err, tt.want)
		}
	}
	if _, err := connect(nil, a{}); err == nil || err.Error() != "no converter makes a from nothing" {
		t.Errorf("%v", err)
	}
	_, err := connect(d{}, a{}, b{})
	if none := new(mapping.NoConverterError); !errors.As(err, &none) || err.Error() != "no converter makes a or b from d" {
		t.Errorf("%v", err)
	}
}

// TestOnce: what is made once is made once, and keys of different types are different.
func TestOnce(t *testing.T) {
	type one struct{ key int }
	type other struct{ key int }
	m := mapping.New(graph.Standard())
	made := 0
	for range 3 {
		mapping.Once(m, one{1}, func() int { made++; return made })
	}
	mapping.Once(m, one{2}, func() int { made++; return made })
	if have := mapping.Once(m, other{1}, func() int { made++; return made }); have != 3 {
		t.Errorf("made %d times", made)
	}
}

// TestParams: the first parameter of a type counts.
func TestParams(t *testing.T) {
	m := mapping.New(graph.Standard())
	x := mapping.NewContext(m, nil, []any{1, "own", "default"})
	if have := mapping.Param[string](x); have != "own" {
		t.Errorf("%v", have)
	}
	mapping.Param[float64](x)
	if err := m.End(); !errors.As(err, new(*mapping.MissingError)) {
		t.Errorf("%v", err)
	}
}

// TestParts: of each part the first mistake is reported, and of all parts.
func TestParts(t *testing.T) {
	m := mapping.New(graph.Standard())
	first, second := m.Part("first"), m.Part("second")
	for _, p := range []*mapping.Net{first, second, first} {
		p.Fail(errors.New("it is wrong"))
	}
	m.Add("no such primitive")
	if err := m.End(); err == nil || err.Error() != "first: it is wrong\nsecond: it is wrong" || !first.Failed() {
		t.Errorf("%v", err)
	}
}

// TestTransform: a way is computed once, and nothing is computed for none.
func TestTransform(t *testing.T) {
	m := mapping.New(graph.Standard())
	ground := world.NewFrame("ground")
	table := ground.Place("table", geom.Frame{Pos: geom.Vector{X: 1}})
	if !m.Transform(ground, ground).Open() {
		t.Error("there is a way from a frame to itself")
	}
	part := table.Place("part", geom.Frame{Pos: geom.Vector{Y: 1}})
	first := m.Transform(ground, part)
	if again := m.Transform(ground, part); again != first {
		t.Error("computed twice")
	}
	m.Out("outWay", first.Port)
	text, err := m.Text()
	if err != nil || strings.Count(text, "World::FrameValue") != 1 || !strings.Contains(text, "{x:1,y:1,z:0}") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestEnd: what parts of a command pass to each other costs nothing unless it is used.
func TestEnd(t *testing.T) {
	parts := func(ask func(c *mapping.Context) graph.Signal[bool]) (text string, asked bool) {
		m := mapping.New(graph.Standard())
		c := mapping.NewContext(m, nil, nil)
		c.Active = graph.In(m.Graph, "active", true)
		graph.Publish(m.Graph, "it", ask(c))
		asked = c.End(c.Active, graph.In(m.Graph, "done", false))
		text, err := m.Text()
		if err != nil {
			t.Fatal(err)
		}
		return text, asked
	}
	if text, asked := parts(func(c *mapping.Context) graph.Signal[bool] { return c.Active }); asked || strings.Count(text, "Core::") != 3 {
		t.Errorf("asked: %t, %s", asked, text)
	}
	if text, asked := parts((*mapping.Context).Said); !asked || !strings.Contains(text, "Core::Trigger") {
		t.Errorf("asked: %t, %s", asked, text)
	}
	if text, asked := parts((*mapping.Context).Joined); asked || !strings.Contains(text, "Core::BooleanValue(Value='true')") {
		t.Errorf("an actuator that never says where it is: %s", text)
	}
	joins := func(c *mapping.Context) graph.Signal[bool] { c.Join(c.Active); return c.Joined() }
	if text, _ := parts(joins); !strings.Contains(text, "Core::BooleanPre") {
		t.Errorf("one that says it: %s", text)
	}
}
