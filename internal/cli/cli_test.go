package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		args, others, err string
		most              int
		usage             bool
	}{
		{args: "", others: "[]"},
		{args: "-n 3", others: "[]"},
		{args: "a -n 3 b", most: 2, others: "[a b]"},
		{args: "a b", most: 1, err: `unexpected argument "b"`},
		{args: "a", err: `unexpected argument "a"`},
		{args: "-x", err: "flag provided but not defined: -x"},
		{args: "-n x", err: `invalid value "x" for flag -n: parse error`},
		{args: "-h", err: flag.ErrHelp.Error(), usage: true},
	} {
		var out strings.Builder
		set := FlagSet("test", "test [-n N]", &out)
		n := set.Int("n", 3, "number")
		others, err := ParseMixed(set, strings.Fields(tt.args), tt.most)
		if err != nil || tt.err != "" {
			if fmt.Sprint(err) != tt.err || errors.Is(err, flag.ErrHelp) != tt.usage {
				t.Errorf("%q: %v", tt.args, err)
			}
		} else if fmt.Sprint(others) != tt.others || *n != 3 {
			t.Errorf("%q: %v, %d", tt.args, others, *n)
		}
		if said := strings.HasPrefix(out.String(), "usage: test [-n N]\n"); said != tt.usage || !tt.usage && out.Len() > 0 {
			t.Errorf("%q: printed %q", tt.args, out.String())
		}
	}
	if err := Parse(FlagSet("test", "test", nil), []string{"a"}); err == nil {
		t.Error("an argument that is not a flag")
	}
}

func TestVersion(t *testing.T) {
	if Version() == "" {
		t.Error("no version")
	}
}
