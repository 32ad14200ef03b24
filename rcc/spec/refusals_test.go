package spec_test

import (
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestFirstRefusal: of several actuators that are refused in one cycle the same one is the first, in whatever order the primitives
// of the net run.
func TestFirstRefusal(t *testing.T) {
	resources := []device.Resource{
		{Device: "kr16", Channel: "joint 2"}, {Device: "kr16", Channel: "joint 10"}, {Device: "kr16", Channel: "tool"}, {Device: "tx90", Channel: "joint 0"},
	}
	for seed := range uint64(50) {
		r, order := new(spec.Refusals), rand.New(rand.NewPCG(seed, 1)).Perm(len(resources))
		numbers := make([]int, len(resources))
		for _, k := range order {
			numbers[k] = r.Add(resources[k], func(spec.RefusedAs) string { return "drives are off" })
		}
		board := spec.NewBoard(nil)
		if err := r.Publish(board); err != nil {
			t.Fatal(err)
		}
		board.Seal()
		cycle := uint64(0)
		published, _ := board.Find(spec.RefusalKey)
		text := func() string {
			cycle++
			r.Tell(board)
			board.End(cycle)
			var words [1]uint64
			board.Read(published.Offset(), words[:])
			return string(published.Text(nil, words[:]))
		}
		if got := text(); got != "" {
			t.Fatalf("refused before anything was: %q", got)
		}
		for _, k := range order {
			if k != 2 {
				r.Note(numbers[k], spec.RefusedAs{Cycle: 1})
			}
		}
		want := "kr16/joint 2: drives are off"
		if got := text(); got != want {
			t.Fatalf("order %v: first refused is %q, want %q", order, got, want)
		}
		r.Note(numbers[2], spec.RefusedAs{Cycle: 2})
		if got := text(); got != want {
			t.Fatalf("a later refusal changed the first to %q", got)
		}
		var list []device.Resource
		for _, one := range r.List() {
			list = append(list, one.Resource)
		}
		if len(list) != 4 || list[0] != resources[0] || list[1] != resources[1] || list[2] != resources[3] || list[3] != resources[2] {
			t.Fatalf("order %v: list %v", order, list)
		}
	}
}
