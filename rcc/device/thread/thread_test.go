package thread

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

func TestExecutionInWords(t *testing.T) {
	for want, x := range map[string]Execution{
		"ordinary":                      {},
		"detached, CPU 3, priority 81":  {Detached: true, CPU: 3, Priority: 81},
		"detached, any CPU, priority 0": {Detached: true, CPU: rt.AnyCPU},
	} {
		if got := x.String(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// One of both functions is called, and Execution says which one.
func TestRun(t *testing.T) {
	for _, given := range []*rt.Thread{nil, {CPU: rt.AnyCPU}} {
		th := New("try", given)
		detached, ordinary := 0, 0
		th.Run(func() { detached++ }, func() { ordinary++ })
		x := th.Execution()
		wants := given != nil && rt.Detachable() == nil
		if detached+ordinary != 1 || x.Detached != (detached == 1) || x.Detached != wants {
			t.Errorf("detached %d, ordinary %d: %v", detached, ordinary, x)
		}
	}
}
