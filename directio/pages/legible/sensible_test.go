package legible

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestSensible: people read numbers with few digits, and nothing that is not a number is touched. The scripts of the pages are
// tested with the same file.
func TestSensible(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "web", "sensible.test.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]string
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 10 {
		t.Fatal(cases, err)
	}
	for text, want := range cases {
		if got := Sensible(text); got != want {
			t.Errorf("%s is %s, not %s", text, got, want)
		}
	}
}

// TestSpan: a time is written in the unit in which it can be read.
func TestSpan(t *testing.T) {
	for ms, want := range map[float64]string{0: "0s", 0.00064: "640ns", 0.001792: "1.792µs", 83.886: "83.89ms", 1234.567: "1.235s", 1e-6: "1ns"} {
		if got := Span(ms); got != want {
			t.Errorf("%v ms is %s, not %s", ms, got, want)
		}
	}
}
