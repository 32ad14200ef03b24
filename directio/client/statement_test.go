package client

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
)

func TestStatements(t *testing.T) {
	for _, tt := range []struct {
		name   string
		params []any
		want   string
	}{
		{"nothing", nil, `t=x()`},
		{"numbers", []any{7, 0.05, 2.0, 1e-9, 1e21}, `t=x(7,0.05,2.0,0.000000001,1000000000000000000000.0)`},
		{"strings", []any{`a "b" \c`, "", "\x00\n#"}, `t=x("a \"b\" \\c","","` + "\x00\n#" + `")`},
		{"lists", []any{[]any{}, []any{"a", []any{1}}}, `t=x([],["a",[1]])`},
		{"maps", []any{map[string]any{"b": "2", "a b": map[string]any{}}}, `t=x({"a b":{},"b":"2"})`},
		{"negative", []any{-1}, ""},
		{"negative float", []any{-0.5}, ""},
		{"not a number", []any{math.NaN()}, ""},
		{"infinite", []any{math.Inf(1)}, ""},
		{"inside", []any{[]any{map[string]any{"a": true}}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := (&statement{tag: "t", word: "x", params: tt.params}).append(nil)
			if tt.want == "" {
				if err == nil {
					t.Fatalf("written as %s", text)
				}
				return
			}
			if err != nil || string(text) != tt.want {
				t.Fatalf("%s, %v", text, err)
			}
			again, err := parse(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if tt.name != "lists" && tt.name != "numbers" { // an empty list is nil, 1e21 a float as well
				if d := cmp.Diff(tt.params, again.params); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestBadMessages(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "column 1: expected a name",
		"1=x()":                            "column 1: expected a name",
		"a":                                "column 2: expected '='",
		"a=x":                              "column 4: expected '('",
		"a=x(":                             "column 5: expected a parameter",
		"a=x(1":                            "column 6: expected ','",
		"a=x(1,)":                          "column 7: expected a parameter",
		"a=x()b":                           "column 6: something follows",
		`a=x("`:                            "column 6: a string does not end",
		`a=x("\n")`:                        `column 7: only \" and \\ are escapes`,
		`a=x("\`:                           `column 7: only \" and \\ are escapes`,
		"a=x({1:2})":                       "column 6: expected a name",
		"a=x({b 2})":                       "column 8: expected ':'",
		"a=x(1e)":                          `column 7: "1e" is not a number`,
		"a=x(" + strings.Repeat("[", 1000): "column 37: too deep",
	} {
		if _, err := parse(text); err == nil || err.Error() != "message, "+want {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

// FuzzParse compares with the parser of the daemon: what it accepts is read here as well and means the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`a=ok()`, `d=nc({outresult:"42"})`, `d = da({"my arm":{type:"test",interfaces:{}}})`, `r=err("a \"b\"")`, `t=x(1,-2.5e3,[],["",{}])`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		theirs, err := grammar.ParseStatement(text, grammar.Limits{})
		if err != nil {
			_, _ = parse(text) // whatever it says, it comes back
			return
		}
		ours, err := parse(text)
		if err != nil {
			if strings.HasSuffix(err.Error(), "too deep") || strings.Contains(err.Error(), "is not a number") {
				return // deeper or larger than anything of the protocol
			}
			t.Fatalf("%q: %v", text, err)
		}
		if ours.tag != theirs.Tag || ours.word != theirs.Command {
			t.Fatalf("%q: %v", text, ours)
		}
		same(t, ours.params, theirs.Params)
	})
}

func same(t *testing.T, ours []any, theirs []grammar.Param) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%v: %d parameters", ours, len(theirs))
	}
	for i, p := range theirs {
		switch p.Kind {
		case grammar.String:
			if ours[i] != p.Text {
				t.Fatalf("%v: %q", ours[i], p.Text)
			}
		case grammar.List:
			list, _ := ours[i].([]any)
			same(t, list, p.Items)
		case grammar.Map:
			m, _ := ours[i].(map[string]any)
			last := map[string]grammar.Param{}
			for k, key := range p.Keys {
				last[key] = p.Items[k]
			}
			if len(m) != len(last) {
				t.Fatalf("%v: %v", m, last)
			}
			for key, value := range last {
				same(t, []any{m[key]}, []grammar.Param{value})
			}
		}
	}
}
