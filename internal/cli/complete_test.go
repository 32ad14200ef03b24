package cli

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
)

// robot returns a program with commands of all kinds.
func robot(did *[]string) *Program {
	var where string
	return &Program{
		Name:  "robot",
		Flags: func(set *flag.FlagSet) { set.StringVar(&where, "where", "here", "`place` to be") },
		Commands: func() []Command {
			return []Command{
				{
					Name: "go", Synopsis: "TO…", Doc: "go to places", Args: []string{"place"}, Least: 1, Most: -1, Missing: "a place is missing",
					Examples: []string{"robot go home"},
					Flags: func(set *flag.FlagSet) func([]string) int {
						fast := set.Bool("fast", false, "hurry")
						set.String("with", "", "`tools` to take along")
						return func(args []string) int {
							*did = append(args, where)
							if *fast {
								return 7
							}
							return 0
						}
					},
				},
				{
					Name: "grip", Doc: "grip something", Args: []string{"thing", "file"}, Most: 2,
					Flags: func(*flag.FlagSet) func([]string) int { return func([]string) int { return 3 } },
				},
				{Name: "stop", Doc: "stop", Flags: func(*flag.FlagSet) func([]string) int { return func([]string) int { return 0 } }},
			}
		},
	}
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		line, did, out, err string
		code                int
	}{
		{line: "go home", did: "home here"},
		{line: "--where there go --fast home away", did: "home away there", code: 7},
		{line: "grip", code: 3},
		{line: "grip a b c", err: `unexpected argument "c"`},
		{line: "go", err: "a place is missing"},
		{line: "gop home", err: `unknown command "gop", did you mean go?; there are go, grip, stop`},
		{line: "", err: ErrNoCommand.Error()},
		{line: "--there", err: "flag provided but not defined: -there"},
		{line: "go --slow", err: "flag provided but not defined: -slow"},
		{line: "help", err: flag.ErrHelp.Error(), out: "usage:\n  robot go TO…\n      go to places\n      robot go home\n  robot grip\n"},
		{line: "--help", err: flag.ErrHelp.Error(), out: "  robot stop\n"},
		{line: "help go", err: flag.ErrHelp.Error(), out: "usage: robot go TO…\ngo to places\n  -fast\n"},
		{line: "go --help", err: flag.ErrHelp.Error(), out: "examples:\n  robot go home\n"},
		{line: "--version", err: flag.ErrHelp.Error(), out: "robot " + Version()},
		{line: "go --version home", err: flag.ErrHelp.Error(), out: "robot " + Version()},
		{line: "help help", err: flag.ErrHelp.Error(), out: "  robot stop\n"},
		{line: "help gone", err: `unknown command "gone", did you mean go?; there are go, grip, stop`},
	} {
		var did []string
		var out strings.Builder
		code, err := robot(&did).Run(strings.Fields(tt.line), &out)
		if err == nil {
			err = errors.New("")
		}
		if code != tt.code || err.Error() != tt.err || strings.Join(did, " ") != tt.did || !strings.Contains(out.String(), tt.out) {
			t.Errorf("%s: %d, %v, %v\n%s", tt.line, code, err, did, out.String())
		}
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"", "go grip stop"},
		{"g", "go grip"},
		{"-", "--version --where"},
		{"help s", "stop"},
		{"--where ", "place:home place:away"},
		{"--where x s", "stop"},
		{"--where=x s", "stop"},
		{"go ", "place:home place:away"},
		{"go place:h", "place:home"},
		{"go a b c place:a", "place:away"},
		{"go -", "--fast --version --with"},
		{"go --f", "--fast"},
		{"go --fast ", "place:home place:away"},
		{"go --with ", "tools:home tools:away"},
		{"go --with tools:home,tools:a", "tools:home,tools:away"},
		{"go --with=x ", "place:home place:away"},
		{"go --unknown ", "place:home place:away"},
		{"grip ", "thing:home thing:away"},
		{"grip a ", ":files"},
		{"grip a b ", ""},
		{"stop ", ""},
		{"gone ", ""},
	} {
		words := strings.Split(tt.words, " ")
		var did []string
		var got []string
		for _, c := range robot(&did).Complete(words, func(kind string, _ *flag.FlagSet, _ []string) []Candidate {
			if kind == "file" {
				return []Candidate{{Word: Files}}
			}
			return []Candidate{{kind + ":home", "x"}, {kind + ":away", "y"}}
		}) {
			got = append(got, c.Word)
		}
		if strings.Join(got, " ") != tt.want || did != nil {
			t.Errorf("%q: %q, done %v", tt.words, got, did)
		}
	}
	if list := robot(nil).Complete(nil, nil); len(list) != 3 {
		t.Error(list)
	}
}

func TestWriteCandidates(t *testing.T) {
	var out strings.Builder
	if err := WriteCandidates(&out, []Candidate{{"a b\n", "c\td\x1b"}, {"e", ""}}); err != nil || out.String() != "a b \tc d \ne\t\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := WriteCandidates(broken{}, []Candidate{{"a", ""}}); err == nil {
		t.Error("nobody reads and that is not an error")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestCompletion(t *testing.T) {
	for _, shell := range Shells {
		text, err := Completion(shell, "robot")
		if err != nil || !strings.Contains(text, "robot") || strings.Contains(text, "PROGRAM") {
			t.Errorf("%s: %v\n%s", shell, err, text)
		}
	}
	if _, err := Completion("fsh", "robot"); err == nil || !strings.Contains(err.Error(), "did you mean fish?") {
		t.Error(err)
	}
	if !slices.IsSorted(Shells) {
		t.Error("in no order")
	}
}
