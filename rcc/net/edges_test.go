package net

import "testing"

// TestGenerated: programs number primitives, or name them by their types; such names come with no warnings for people.
func TestGenerated(t *testing.T) {
	for name, want := range map[string]bool{"12": true, "Core::DoubleAdd3": true, "sum": false, "sum2": false} {
		if generated(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}
