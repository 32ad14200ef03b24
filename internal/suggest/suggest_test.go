package suggest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDidYouMean(t *testing.T) {
	names := []string{"Core::DoubleAdd", "Core::DoubleAtan", "Core::IntAdd", "listen", "cycle"}
	tests := []struct{ name, want string }{
		{"Core::DoubleAd", ", did you mean Core::DoubleAdd?"},
		{"core::doubleadd", ", did you mean Core::DoubleAdd?"},
		{"IntAdd", ", did you mean Core::IntAdd?"},
		{"listn", ", did you mean listen?"},
		{"cycles", ", did you mean cycle?"},
		{"frobnicate", ""},
		{"", ""},
		{strings.Repeat("x", 100), ""},
	}
	for _, tt := range tests {
		if got := DidYouMean(tt.name, slices.Values(names)); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSlip(t *testing.T) {
	words := []string{"xyz", "name", "origin", "radius"}
	for name, want := range map[string]string{
		"nayme": "name", "nme": "", "naem": "name", "Name": "name", "orygin": "origin", "roigin": "origin", "radios": "radius",
		"raidos": "", "length": "", "xzy": "", "": "",
	} {
		if got := Slip(name, words); got != want {
			t.Errorf("%q: %q, not %q", name, got, want)
		}
	}
}

// TestDistance checks what makes a distance one.
func TestDistance(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		switch {
		case (distance(a, b) == 0) != (a == b):
			t.Error("nothing to change, yet different")
		case distance(a, b) != distance(b, a):
			t.Error("not the same both ways")
		case distance(a, c) > distance(a, b)+distance(b, c):
			t.Error("a detour is shorter")
		}
	})
}
