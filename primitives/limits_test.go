package primitives_test

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// TestEveryParameterIsConsidered: of each parameter somebody has said what its values must be, or why any will do. Of those that have
// constraints of their own, each is compared with another one, or there is a reason why they have nothing to do with each other.
func TestEveryParameterIsConsidered(t *testing.T) {
	for _, p := range primitives.All() {
		related := map[string]bool{}
		var alone []string
		for i := range p.Params {
			param := &p.Params[i]
			if len(param.Limits) == 0 && param.Any == "" && param.Type != value.TypeBool { // of which both are meant
				t.Errorf("%s: parameter %s has neither a constraint (must, should) nor a reason to have none (any)", p.Name, param.Name)
			}
			for k := range param.Limits {
				for _, other := range param.Limits[k].Parameters() {
					related[other], related[param.Name] = true, true
				}
			}
		}
		for i := range p.Params {
			if param := &p.Params[i]; len(param.Limits) > 0 && !related[param.Name] && param.Type != value.TypeString {
				alone = append(alone, param.Name)
			}
		}
		if len(alone) > 1 && p.Unrelated == "" {
			t.Errorf("%s: nothing compares %v, and there is no reason (Decl.Unrelated)", p.Name, alone)
		}
	}
}

// TestDefaultsAreWithinLimits: what a primitive has for those who say nothing is not refused. It may be doubtful, as the limits of a
// generator that are 0 for clients who connect them.
func TestDefaultsAreWithinLimits(t *testing.T) {
	for _, p := range primitives.All() {
		for _, found := range p.Findings(func(k int) (string, bool) { return p.Params[k].Default, !p.Params[k].Required }) {
			if !found.Doubtful {
				t.Errorf("%s: parameter %s: %s", p.Name, p.Params[found.Param].Name, found.Text)
			}
		}
	}
}

// TestLimitsAreShown: the meaning of a parameter says what it must be.
func TestLimitsAreShown(t *testing.T) {
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ primitive, param, want string }{
		{"Core::DoubleAtTime", "Age", "value while inAge is open; should be at least 0; should be at most MaxAge"},
		{"Core::IntArrayGet", "Index", "number of the element, from 0; must be at least 0; must be below Size"},
		{"Core::DoubleNetcommOut", "Key", "name of the value; applications read it as out + Key; must be given; the only one of a net"},
	} {
		p := catalogue.Lookup(tt.primitive)
		if got := p.Params[slices.IndexFunc(p.Params, func(param spec.Parameter) bool { return param.Name == tt.param })].Doc; got != tt.want {
			t.Errorf("%s: %s: %q", tt.primitive, tt.param, got)
		}
	}
}
