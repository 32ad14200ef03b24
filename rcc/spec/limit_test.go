package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type limited struct {
	Size  spec.Param[int32]     `rcc:"Size" default:"0" must:">= 0"`
	Low   spec.Param[[]float64] `rcc:"Low" default:"[]" must:"<= High" should:"len <= Size unless Size -- the rest counts for nothing"`
	High  spec.Param[[]float64] `rcc:"High" default:"[]" must:"len == Low"`
	Word  spec.Param[string]    `rcc:"Word" default:"fast" must:"one of fast, slow"`
	Value spec.Param[float64]   `rcc:"Value" default:"1" must:"finite" should:"> 0; < 2"`
}

// TestFindings: what must be is told once, what should be beside it, in the words of the declaration.
func TestFindings(t *testing.T) {
	p := spec.Declare(spec.Decl{Name: "Test::Limited"}, spec.Kernels[limited]{})
	for text, want := range map[string][]string{
		"":                              nil,
		"Size=-1":                       {"Size: it is -1, but must be at least 0"},
		"Low=[1,2] High=[1,2]":          nil,
		"Low=[1,3] High=[1,2]":          {"Low: element 1 is 3, but must be at most High"},
		"Low=[1] High=[1,2]":            {"High: it has 2 elements, but must be of a length equal to that of Low, which has 1"},
		"Size=1 Low=[1,2] High=[1,2]":   {"Low?: it has 2 elements, but should be of a length at most Size, which is 1: the rest counts for nothing"},
		"Word=":                         {`Word: it is "", but must be one of fast, slow`},
		"Value=nan":                     {"Value: it is NaN, but must be finite"},
		"Value=0":                       {"Value?: it is 0, but should be above 0"},
		"Value=2":                       {"Value?: it is 2, but should be below 2"},
		"Value=x":                       nil, // reported as a text that is not a number
		"Value=? Size=? Low=[1] High=?": nil, // known in the cycle only
	} {
		given := map[string]string{}
		for word := range strings.FieldsSeq(text) {
			name, value, _ := strings.Cut(word, "=")
			given[name] = value
		}
		var got []string
		for _, f := range p.Findings(func(k int) (string, bool) {
			if value, ok := given[p.Params[k].Name]; ok {
				return value, value != "?"
			}
			return p.Params[k].Default, true
		}) {
			name := p.Params[f.Param].Name
			if f.Doubtful {
				name += "?"
			}
			got = append(got, name+": "+f.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

// TestWrongLimits: a constraint that nobody can check is found when the program starts.
func TestWrongLimits(t *testing.T) {
	for want, declare := range map[string]func(){
		"is not a constraint": func() {
			type wrong struct {
				X spec.Param[int32] `rcc:"X" default:"0" must:"positive"`
			}
			spec.Declare(spec.Decl{Name: "W"}, spec.Kernels[wrong]{})
		},
		"there is no parameter Y": func() {
			type wrong struct {
				X spec.Param[int32] `rcc:"X" default:"0" must:"< Y"`
			}
			spec.Declare(spec.Decl{Name: "W"}, spec.Kernels[wrong]{})
		},
		"a reason to have none": func() {
			type wrong struct {
				X spec.Param[int32] `rcc:"X" default:"0" must:"> -1" any:"all"`
			}
			spec.Declare(spec.Decl{Name: "W"}, spec.Kernels[wrong]{})
		},
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, want) {
					t.Errorf("%q, want %s", text, want)
				}
			}()
			declare()
		}()
	}
}
