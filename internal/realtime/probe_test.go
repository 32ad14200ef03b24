package realtime

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Executors are spread over all CPUs named, so that each of them has to be one that threads can be had on.
func TestEveryCPUIsProbed(t *testing.T) {
	allowed, err := rt.Affinity(0)
	if err != nil || rt.Detachable() != nil {
		t.Skip("skip:", err, rt.Detachable())
	}
	p := &Process{CPUs: []int{allowed[0]}}
	if err := p.probe(rt.Thread{CPU: allowed[0]}); err != nil {
		t.Fatal(err)
	}
	p.CPUs = append(p.CPUs, rt.MaxCPUs-1)
	if p.probe(rt.Thread{CPU: allowed[0]}) == nil {
		t.Error("a CPU that cannot be had is not found out")
	}
}
