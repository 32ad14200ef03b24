package testkit

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Single is a net of one primitive, for tests that examples are too short for.
type Single struct {
	Cy  *spec.Cycle
	Env *spec.Env
	rig *rig
}

// Single loads the primitive of that name with the named in ports connected.
func (k Kit) Single(t testing.TB, name string, period time.Duration, params map[string]string, linked ...string) *Single {
	t.Helper()
	for _, p := range k.Primitives {
		if p.Name != name {
			continue
		}
		is := map[string]bool{}
		for _, port := range linked {
			is[port] = true
		}
		r, err := k.rig(p, setup{instances: 1, period: period, params: params, linked: func(port string) bool { return is[port] }})
		if err != nil {
			t.Fatal(err)
		}
		return &Single{Cy: &r.cy, Env: r.env, rig: r}
	}
	t.Fatalf("no primitive %s", name)
	return nil
}

// Next begins a cycle, Phases does its phases.
func (s *Single) Next()   { s.rig.next() }
func (s *Single) Phases() { s.rig.cycle() }

// Phase does one phase of the cycle.
func (s *Single) Phase(phase spec.Phase) { s.rig.phases[phase](&s.rig.cy) }

// In returns the cell of a connected in port.
func In[T any](t testing.TB, s *Single, port string) *spec.Out[T] {
	t.Helper()
	if i := s.rig.primitive.InPort(port); i >= 0 && s.rig.in[0][i] != nil {
		return s.rig.in[0][i].(*spec.Out[T])
	}
	t.Fatalf("no connected in port %s", port)
	return nil
}

// Out returns the cell of an out port.
func Out[T any](t testing.TB, s *Single, port string) *spec.Out[T] {
	t.Helper()
	if i := s.rig.primitive.OutPort(port); i >= 0 {
		return s.rig.out[0][i].(*spec.Out[T])
	}
	t.Fatalf("no out port %s", port)
	return nil
}
