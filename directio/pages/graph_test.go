package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

func TestGraph(t *testing.T) {
	c := debugged(t)
	for name, r := range map[string]*http.Request{
		"json":     request("GET", "/nets/rpinet0/graph", ""),
		"rejected": request("GET", "/nets/rpinet2/graph", "", "Accept", forJSON),
		"unknown":  request("GET", "/nets/rpinet9/graph", "", "Accept", forJSON),
	} {
		checkGolden(t, "graph_"+name, c.answer(r))
	}
}

// TestGraphOfLargeNets describes nets as large as robots have them, and deeper than anybody writes.
func TestGraphOfLargeNets(t *testing.T) {
	const size = 5000
	flat := []string{"{n0=Core::DoubleValue(Value='1')"}
	for i := 1; i < size; i++ {
		flat = append(flat, fmt.Sprintf("n%d=Core::DoubleAdd(inFirst=n%d.outValue)", i, i-1))
	}
	const depth = 200
	nested := strings.Repeat("{f=", depth) + "{v=Core::DoubleValue(Value='1')}()" + strings.Repeat("}()", depth-1) + "}"
	never := ",outTerminate=Core::BooleanValue(Value='false').outValue}"
	c := newWholeCell(t)
	for text, nodes := range map[string]int{strings.Join(flat, ",") + never: size + 2, strings.TrimSuffix(nested, "}") + never: depth + 3} {
		n := c.load(text, "", "")
		var graph struct {
			Nodes []struct{ Parent int }
			Links []any
		}
		answer := c.answer(request("GET", "/nets/"+n.Name()+"/graph", ""))
		if err := json.Unmarshal([]byte(answer.text), &graph); err != nil || len(graph.Nodes) != nodes {
			t.Errorf("%v: %d nodes, want %d, in %.200s", err, len(graph.Nodes), nodes, answer.text)
		}
	}
}

// TestGraphLeadsElsewhere: nodes lead to their device and to the rules that read them, types have costs where they were measured.
func TestGraphLeadsElsewhere(t *testing.T) {
	costs := &Costs{From: "a test", Types: map[string]float64{"IO::OutBool": 7}}
	c := newCellOf(t, Options{Costs: func() (*Costs, error) { return costs, nil }}, primitives.All(), func(cfg *rcc.Config) { cfg.DeviceTypes = devices.Types() })
	c.create("io", "io_sim", nil)
	n := c.load(`{go=Core::BooleanNetcommIn(Key='go'),lamp=IO::OutBool(DeviceID='io',Port='0',inIO=go.outValue),`+
		`tell=Core::BooleanNetcommOut(inValue=go.outValue,Key='high'),outTerminate=go.outValue}`, "lights", "")
	if _, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: n.Name() + ".outhigh", Stop: []string{n.Name()}}); err != nil {
		t.Fatal(err)
	}
	graph := func() (view graphView) {
		if err := json.Unmarshal([]byte(c.answer(request("GET", "/nets/"+n.Name()+"/graph", "")).text), &view); err != nil {
			t.Fatal(err)
		}
		return view
	}
	view := graph()
	lamp, tell := view.Nodes[2], view.Nodes[3]
	if lamp.Device == nil || *lamp.Device != (thingView{"io", "/devices/io/"}) {
		t.Errorf("device %v", lamp.Device)
	}
	if tell.Publishes != "outhigh" || len(tell.Rules) != 1 || !strings.HasPrefix(tell.Rules[0].URI, "/rules/") {
		t.Errorf("publishes %q for %v", tell.Publishes, tell.Rules)
	}
	if got := view.Types["IO::OutBool"].Cost; got == nil || *got != 7 || view.Costs != "a test" || view.Types["Core::BooleanNetcommIn"].Cost != nil || view.Description != "lights" {
		t.Errorf("cost %v from %q, %q", got, view.Costs, view.Description)
	}
	costs = nil
	if view := graph(); view.Costs != "" || view.Types["IO::OutBool"].Cost != nil {
		t.Errorf("costs that nobody has measured: %+v", view.Types)
	}
}
