package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

type parser func(text string, lim grammar.Limits) error

func net(text string, lim grammar.Limits) error {
	_, err := grammar.ParseNet(text, lim)
	return err
}

func statement(text string, lim grammar.Limits) error {
	_, err := grammar.ParseStatement(text, lim)
	return err
}

func cond(text string, lim grammar.Limits) error {
	_, err := grammar.ParseCond(text, lim)
	return err
}

// Input that is far too large must be refused at once, whatever it is: anything quadratic does not end before the tests are
// given up.
func TestHostile(t *testing.T) {
	const mega = 1 << 20
	repeat := strings.Repeat
	tests := []struct {
		name  string
		parse parser
		text  string
		want  string
	}{
		{"3 MB of braces", net, repeat("{a=", mega), "line 1, column 3001: nested more than 1000 deep"},
		{"nested anonymous primitives", net, "{a=" + repeat("X(i=", mega), "line 1, column 4001: nested more than 1000 deep"},
		{"nested anonymous fragments", net, "{a=X(i=" + repeat("{}(i=", mega), "line 1, column 4998: nested more than 1000 deep"},
		{"9 MB of blanks", net, repeat(" ", 9*mega), "9437184 bytes, limit 8388608"},
		{"8 MB of string", net, "{a=X(P='" + repeat("x", 8*mega-8), "line 1, column 8: string without end"},
		{"8 MB of escapes", net, "{a=X(P='" + repeat(`\\`, 4*mega-4), "line 1, column 8: string without end"},
		{"8 MB of name", net, "{" + repeat("x", 8*mega-1), `line 1, column 8388609: found end of text, expected "="`},
		{"primitives", net, "{" + repeat("a=X,", mega), "line 1, column 400001: more than 100000 primitives and fragments"},
		{"fragments", net, "{" + repeat("a={}(),", mega), "line 1, column 699997: more than 100000 primitives and fragments"},
		{"out ports", net, "{" + repeat("a=b.c,", mega), "line 1, column 6000007: more than 1000000 ports and parameters"},
		{"3 MB of lists", statement, "a=b(" + repeat("[", 3*mega), "line 1, column 1004: nested more than 1000 deep"},
		{"3 MB of maps", statement, "a=b(" + repeat("{a:", mega), "line 1, column 3002: nested more than 1000 deep"},
		{"parameters", statement, "a=b(" + repeat("1,", mega), "line 1, column 200005: more than 100000 parameters"},
		{"members", statement, "a=b([[" + repeat("1,", mega), "line 1, column 200003: more than 100000 parameters"},
		{"9 MB of statement", statement, repeat("a", 9*mega), "9437184 bytes, limit 8388608"},
		{"statement string", statement, `a=b("` + repeat("x", 8*mega-5), "line 1, column 5: string without end"},
		{"3 MB of parentheses", cond, repeat("(", 3*mega), "line 1, column 1001: nested more than 1000 deep"},
		{"3 MB of negations", cond, repeat("!", 3*mega), "line 1, column 1001: nested more than 1000 deep"},
		{"operands", cond, repeat("t|", mega), "line 1, column 200001: more than 100000 operands"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.parse(tt.text, grammar.Limits{})
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// A limit lets through what is just as large.
func TestLimits(t *testing.T) {
	tests := []struct {
		name        string
		parse       parser
		lim         grammar.Limits
		fits, large string
	}{
		{"bytes", net, grammar.Limits{Bytes: 7}, "{a=X()}", "{ab=X()}"},
		{"fragments", net, grammar.Limits{Depth: 3}, "{a={b={}()}()}", "{a={b={c={}()}()}()}"},
		{"fragment arguments", net, grammar.Limits{Depth: 2}, "{a={}(in=b.o)}", "{a={}(in=X().o)}"},
		{"anonymous", net, grammar.Limits{Depth: 3}, "{a=X(in=Y().o)}", "{a=X(in=Y(in=Z().o).o)}"},
		{"primitives", net, grammar.Limits{Primitives: 4}, "{a=X,b=X(in=X().o)}", "{a=X,b=X(in=X().o),c=X}"},
		{"ports", net, grammar.Limits{Ports: 3}, "{a=X(in=b.o,P=''),o=a.o}", "{a=X(in=b.o,P='',Q=''),o=a.o}"},
		{"lists", statement, grammar.Limits{Depth: 3}, "a=b([[],[]])", "a=b([[],[[]]])"},
		{"maps", statement, grammar.Limits{Depth: 3}, "a=b({k:{}})", "a=b({k:{k:{}}})"},
		{"items", statement, grammar.Limits{Items: 3}, "a=b(1,[2])", "a=b(1,[2,3])"},
		{"parentheses", cond, grammar.Limits{Depth: 2}, "((t)|(t))&((t))", "(((t)))"},
		{"negations", cond, grammar.Limits{Depth: 2}, "!!t&!(t)", "!!!t"},
		{"operands", cond, grammar.Limits{Items: 3}, "(a.b|t)&!t", "(a.b|t)&!t|t"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.parse(tt.fits, tt.lim); err != nil {
				t.Errorf("%s: %v", tt.fits, err)
			}
			var refused *grammar.Error
			if err := tt.parse(tt.large, tt.lim); !errors.As(err, &refused) || refused.Message == "" {
				t.Errorf("%s: %v", tt.large, err)
			}
		})
	}
}

func TestNotUTF8(t *testing.T) {
	tests := []struct {
		parse      parser
		text, want string
	}{
		{net, "{a=X(P='\xff')}", "line 1, column 9: not UTF-8"},
		{net, "{}\n\n é\xc3", "line 3, column 3: not UTF-8"},
		{statement, "a=b(\"\xed\xa0\x80\")", "line 1, column 6: not UTF-8"},
		{cond, "\x80", "line 1, column 1: not UTF-8"},
	}
	for _, tt := range tests {
		err := tt.parse(tt.text, grammar.Limits{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q: got %v, want %s", tt.text, err, tt.want)
		}
	}
	if err := net("{a=X(P='\ufffd')}", grammar.Limits{}); err != nil {
		t.Errorf("replacement character written as such: %v", err)
	}
}

// Carriage returns are blanks; lines are counted by line feeds.
func TestCarriageReturn(t *testing.T) {
	err := cond("a.b &\r\n\r\n  c\r\n", grammar.Limits{})
	if want := `line 4, column 1: found end of text, expected "."`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := statement("a=b(\r\n1\r\n)\r\n", grammar.Limits{}); err != nil {
		t.Error(err)
	}
}

// Values are pieces of the text unless they hold an escape.
func TestAllocations(t *testing.T) {
	text := "{a=X(P='" + strings.Repeat("long ", 1000) + "',in=b.outValue),b=Y(),out=a.outValue}"
	allocs := alloc.Least(func() {
		if err := net(text, grammar.Limits{}); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 15 {
		t.Errorf("%d allocations for three nodes", allocs)
	}
}
