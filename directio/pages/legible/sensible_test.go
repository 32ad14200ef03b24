package legible

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/device"
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

// TestMeasure: quantities have six digits behind the point, and none of noise.
func TestMeasure(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		unit []string
		want string
	}{
		{0.3299987654, []string{"rad"}, "0.329999 rad"},
		{-5.19584e-14, []string{"rad", "/s"}, "0 rad/s"},
		{-0.00051744812, nil, "-0.000517"},
		{2, []string{"m"}, "2 m"},
		{-1e-9, nil, "0"},
		{100, nil, "100"},
		{12345.678912, []string{"N"}, "12345.679 N"},
		{1e12, nil, "1e+12"},
		{math.NaN(), []string{""}, "nan"},
		{math.Inf(-1), []string{"m"}, "-inf m"},
	} {
		if got := Measure(tt.v, tt.unit...); got != tt.want {
			t.Errorf("%v in %v: %q, not %q", tt.v, tt.unit, got, tt.want)
		}
	}
}

// TestFixed writes 0 without a sign.
func TestFixed(t *testing.T) {
	for v, want := range map[float64]string{-0.04: "0.0", 0: "0.0", -0.06: "-0.1", 10: "10.0"} {
		if got := Fixed(v, 1); got != want {
			t.Errorf("%v is %s, not %s", v, got, want)
		}
	}
}

// TestSheetUnits: units stand in the heads of tables and behind facts.
func TestSheetUnits(t *testing.T) {
	s := Of(&struct {
		Mass  device.Num `json:"mass" unit:"kg"`
		Share device.Num `json:"share" unit:"1"`
		Late  device.Num `json:"late" unit:"s"`
		Joint []struct {
			At device.Num `json:"at" unit:"rad"`
		} `json:"joints"`
	}{Mass: 1.23456789, Share: 0.5, Late: 2.5e-7, Joint: []struct {
		At device.Num `json:"at" unit:"rad"`
	}{{At: 1e-15}}})
	want := &Sheet{
		Facts:  []fact{{"mass", "kg", "1.234568"}, {"share", "", "0.5"}, {"late", "s", "2.5e-07"}},
		Tables: []sheetTable{{Title: "joints", Head: []heading{{"at", "rad"}}, Rows: [][]string{{"0"}}}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
