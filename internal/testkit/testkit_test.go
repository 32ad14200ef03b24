package testkit

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// echo hands a value on, in a way that a test chooses.
type echo struct {
	In  spec.In[float64]    `rcc:"inValue" doc:"value"`
	Max spec.Param[float64] `rcc:"Max" default:"1" doc:"not used"`
	Out spec.Out[float64]   `rcc:"outValue" doc:"value"`
}

func declareEcho(run func(run []echo, cy *spec.Cycle)) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Echo", Doc: "hands on", Extension: "test"}, spec.Kernels[echo]{Run: run})
}

func hand(run []echo, cy *spec.Cycle) {
	for i := range run {
		if v, ok := run[i].In.Get(cy); ok {
			run[i].Out.Set(cy, v)
		}
	}
}

var kept []float64

// handOver keeps every hundredth value on the heap.
func handOver(run []echo, cy *spec.Cycle) {
	hand(run, cy)
	if cy.N%100 == 0 {
		kept = make([]float64, cy.N)
	}
}

// TestChaosFindsAllocations: also those of rare cycles.
func TestChaosFindsAllocations(t *testing.T) {
	for _, test := range []struct {
		run  func([]echo, *spec.Cycle)
		want bool
	}{{hand, false}, {handOver, true}} {
		p, found := declareEcho(test.run), false
		for seed := range uint64(50) {
			n, err := Kit{}.allocated(p, 1, seed)
			if err != nil {
				t.Fatal(err)
			}
			found = found || n > 0
		}
		if found != test.want {
			t.Errorf("allocations found: %t", found)
		}
	}
}

func TestRig(t *testing.T) {
	kit := Kit{Primitives: []*spec.Primitive{declareEcho(hand)}}
	_, err := kit.rig(kit.Primitives[0], setup{instances: 1, params: map[string]string{"Mix": "1"}, linked: func(string) bool { return true }})
	if err == nil || !strings.Contains(err.Error(), "example names parameter Mix") {
		t.Errorf("a parameter that is not there: %v", err)
	}
	net := kit.Single(t, "Echo", 10*time.Millisecond, nil, "inValue")
	in, out := In[float64](t, net, "inValue"), Out[float64](t, net, "outValue")
	net.Next()
	in.Set(net.Cy, 4)
	net.Phases()
	if !out.Current(net.Cy) || out.V != 4 || net.Cy.N != 1 || net.Cy.Time != start {
		t.Errorf("%v in cycle %d at %d", out.V, net.Cy.N, net.Cy.Time)
	}
	net.Next()
	net.Phases()
	if out.Current(net.Cy) || net.Cy.Time != start+10_000_000 {
		t.Errorf("a value in cycle %d at %d", net.Cy.N, net.Cy.Time)
	}
}

func TestSame(t *testing.T) {
	for _, test := range []struct {
		got, want    string
		double, same bool
	}{
		{"1", "1", false, true},
		{"0", "-0", true, true},
		{"0", "-0", false, false},
		{"0.30000000000000004", "0.3", true, true},
		{"0.3001", "0.3", true, false},
		{"nan", "nan", true, true},
		{"nan", "1", true, false},
		{"1", "nan", true, false},
		{"null", "nan", true, false},
		{"+inf", "1e300", true, false},
		{"1", "null", true, false},
		{"{x:0.30000000000000004,y:1}", "{x:0.3,y:1}", true, true},
		{"{x:0.3,y:1}", "{y:0.3,x:1}", true, false},
		{"[0.3,1]", "[0.3,1,1]", true, false},
		{"[0.3,[1]]", "[0.3,1]", true, false},
	} {
		if got := same(test.got, test.want, test.double); got != test.same {
			t.Errorf("%s and %s are the same: %t", test.got, test.want, got)
		}
	}
}

func TestRenderSorts(t *testing.T) {
	want := "Echo\n\tin inValue double\n\tout outValue double\n\tparam Max double = 1\n"
	if got := render(declareEcho(hand)); got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
