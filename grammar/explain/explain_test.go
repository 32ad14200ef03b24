package explain_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
)

func Example() {
	text := "{a=Core::BooleanNot()\n b=Core::BooleanNot()}"
	_, err := grammar.ParseNet(text, grammar.Limits{})
	fmt.Println(err)
	fmt.Println(explain.Explain(explain.Net, text, err))
	// Output:
	// line 2, column 2: found "b", expected "," or "}"
	// line 2, column 2: found "b", expected ".", "," or "}"
}

// An error that cannot or must not be explained comes back unchanged.
func TestNotExplained(t *testing.T) {
	unlimited := grammar.Limits{Depth: 1 << 30}
	tests := []struct {
		name, text string
		err        error
	}{
		{"foreign error", "{", errors.New("not from a parser")},
		{"string without end", "{a=X(P='", nil},
		{"deep", strings.Repeat("{a=", 1000) + "}", nil},
		{"large", "{a=" + strings.Repeat("a", 64<<10), nil},
		{"accepted", "{}", &grammar.Error{Pos: grammar.Pos{Line: 1, Column: 1}, Found: "x", Expected: []string{"y"}}},
		{"of another text", "{a", &grammar.Error{Message: "no place"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.err
			if err == nil {
				_, err = grammar.ParseNet(tt.text, unlimited)
			}
			if got := explain.Explain(explain.Net, tt.text, err); got != err { //nolint:errorlint // the very same
				t.Errorf("got %v, want %v", got, err)
			}
		})
	}
}

// Brackets behind the error may be as deep as they like: the generated parser never gets there.
func TestExplainStopsAtTheError(t *testing.T) {
	text := "{a}" + strings.Repeat("{([", 20_000)
	_, err := grammar.ParseNet(text, grammar.Limits{})
	got := explain.Explain(explain.Net, text, err).Error()
	if want := `line 1, column 3: found "}", expected "=" or "["`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
