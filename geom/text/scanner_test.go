package text_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/text"
)

// tree is a type with everything that a scanner reads.
type tree struct {
	at     float64
	leaves []tree
}

func read(s *text.Scanner) (v tree) {
	s.Members([]string{"at", "leaves"}, func(i int) {
		if i == 0 {
			v.at = s.Double()
			return
		}
		s.List(func() { v.leaves = append(v.leaves, read(s)) })
	})
	return v
}

func TestParse(t *testing.T) {
	for in, want := range map[string]tree{
		"{}":                       {},
		"{at:1.5}":                 {at: 1.5},
		"{leaves:[]}":              {},
		"{leaves:[{at:1},{at:2}]}": {leaves: []tree{{at: 1}, {at: 2}}},
		" { leaves : [ {} ] ,at:\r\n\t-Infinity } ": {at: math.Inf(-1), leaves: []tree{{}}},
	} {
		if got, err := text.Parse(in, "tree", read); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
}

// TestErrors: what is wrong, and the place, marked by a bar that is not in the text.
func TestErrors(t *testing.T) {
	for marked, reason := range map[string]string{
		"|":                             "{ is missing",
		"|1":                            "{ is missing",
		"{|":                            `"" is none of its members at leaves`,
		"{ |x:1}":                       `"x" is none of its members at leaves`,
		"{at:1,|at:2}":                  "member at is twice there",
		"{|at 1}":                       `"at 1" is none of its members at leaves`,
		"{at:|one}":                     `"one" is not a number`,
		"{at:1 |":                       "} is missing",
		"{at:1}  |{}":                   "there is more behind its end",
		"{}|\x00":                       "there is more behind its end",
		"{leaves:[{at:1}, {at: |1e}]}":  `"1e" is not a number`,
		"{leaves:|1}":                   "[ is missing",
		"{leaves:[{}|}":                 "] is missing",
		"{|at;1}":                       `"at;1" is none of its members at leaves`,
		"{at:1,|":                       `"" is none of its members at leaves`,
		"{at:1,leaves:[{at:|q}],at:2}]": `"q" is not a number`,
	} {
		at, in := strings.Index(marked, "|"), strings.Replace(marked, "|", "", 1)
		_, err := text.Parse(in, "tree", read)
		var wrong *text.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if wrong.At != at || wrong.Reason.Error() != reason || wrong.Text != in || wrong.Type != "tree" {
			t.Errorf("%q at %d: %v, not at %d: %s", in, wrong.At, wrong.Reason, at, reason)
		}
		if want := fmt.Sprintf("%q is no %s: %s, at %d", in, "tree", reason, at); err.Error() != want {
			t.Errorf("%q: %v, not %s", in, err, want)
		}
	}
}

// TestReasonStays: errors of values can be distinguished.
func TestReasonStays(t *testing.T) {
	own := errors.New("own")
	_, err := text.Parse("[1]", "list", func(s *text.Scanner) struct{} {
		s.List(func() { text.Scalar(s, func(string) (int, error) { return 0, own }) })
		if !s.Failed() {
			t.Error("not failed")
		}
		s.Fail("a second error, which is not told")
		return struct{}{}
	})
	if !errors.Is(err, own) {
		t.Error(err)
	}
}

func TestDoubles(t *testing.T) {
	for in, want := range map[string]float64{" 1 ": 1, "+.5": 0.5, "1.0E-5": 1e-5, "NaN": math.NaN(), "inf": math.Inf(1), "-1e999": math.Inf(-1)} {
		if got, err := text.ParseDouble(in); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "x", "0x1", "1_0", "+-1", "- 1", "1e", "1,5"} {
		if v, err := text.ParseDouble(in); err == nil {
			t.Errorf("%q: %v", in, v)
		}
	}
	for v, want := range map[float64]string{0.1: "0.1", 1e300: "1e+300", 5e-324: "5e-324", math.Inf(1): "+inf", math.Inf(-1): "-inf"} {
		if got := string(text.AppendDouble(nil, v)); got != want {
			t.Errorf("%v is printed as %s", v, got)
		}
	}
	if got := string(text.AppendDouble([]byte("is "), math.NaN())); got != "is nan" {
		t.Error(got)
	}
}

func TestQuoteIsBounded(t *testing.T) {
	if got := text.Quote(strings.Repeat("x", 1e6)); got != strconv.Quote(strings.Repeat("x", 40)+"…") {
		t.Error(got)
	}
}

// FuzzParse: no text is too strange, places are places of the text, and errors stay short.
func FuzzParse(f *testing.F) {
	f.Add("{at:1,leaves:[{at:2},{}]}")
	f.Add("{leaves:[{leaves:[")
	f.Fuzz(func(t *testing.T, in string) {
		_, err := text.Parse(in, "tree", read)
		var wrong *text.Error
		if errors.As(err, &wrong) != (err != nil) {
			t.Fatal(err)
		}
		if err != nil && (wrong.At < 0 || wrong.At > len(in) || len(err.Error()) > 600) {
			t.Errorf("%q at %d: %v", in, wrong.At, err)
		}
	})
}
