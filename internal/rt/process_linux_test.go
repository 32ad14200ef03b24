package rt

import (
	"runtime"
	"slices"
	"testing"
)

func TestAffinity(t *testing.T) {
	runtime.LockOSThread() // for good: the thread ends with the test
	all, err := Affinity(0)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, want := range [][]int{all[:1], all} {
		if err := SetAffinity(0, want); err != nil {
			t.Fatal(err)
		}
		if got, err := Affinity(0); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, not %v: %v", got, want, err)
		}
	}
	if err := SetAffinity(0, []int{MaxCPUs - 1}); err == nil {
		t.Error("a CPU that is not there is no error")
	}
	if err := SetAffinity(0, nil); err == nil {
		t.Error("no error without a CPU")
	}
}

func TestLockMemory(t *testing.T) {
	if err := LockMemory(); err != nil {
		t.Skip("skip: memory cannot be locked:", err)
	}
	if err := UnlockMemory(); err != nil {
		t.Error(err)
	}
}
