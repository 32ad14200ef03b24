package generic_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/primitives/generic"
)

// TestUsers: who comes second knows at once, who comes first a cycle later, and nobody any more when one is left.
func TestUsers(t *testing.T) {
	var u generic.Users
	for _, step := range []struct {
		n     uint64
		want  []bool // of those that enter, in their order
		alone bool
	}{
		{1, []bool{false}, true},
		{2, []bool{false, true}, false},
		{3, []bool{true, true, true}, false},
		{4, []bool{true}, true},
		{5, []bool{false}, true},
		{6, []bool{false, true}, false},
		{8, []bool{false}, true}, // nobody in cycle 7
	} {
		for i, want := range step.want {
			if got := u.Enter(step.n); got != want {
				t.Errorf("cycle %d, primitive %d: %v", step.n, i, got)
			}
		}
		if u.Alone(step.n) != step.alone || u.Alone(step.n+1) {
			t.Errorf("cycle %d: alone %v", step.n, u.Alone(step.n))
		}
	}
}
