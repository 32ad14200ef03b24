package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
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
