package cli

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Candidate is what a word may be completed to.
type Candidate struct {
	Word string
	Doc  string // what it is, for shells that show it
}

// Candidates returns the candidates of a kind: that of an argument, or the name of the value in the help of a flag. Flags
// are set as far as they have been written, given are the arguments before.
type Candidates func(kind string, flags *flag.FlagSet, given []string) []Candidate

// Files stands for names of files, which shells complete better.
const Files = ":files"

// Complete returns what the last of some words may become. Mistakes before it are ignored.
func (p *Program) Complete(words []string, of Candidates) []Candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	before, word := words[:len(words)-1], words[len(words)-1]
	set := FlagSet(p.Name, "", io.Discard)
	p.Flags(set)
	value, others := walk(set, before, true)
	if value == nil && (len(others) == 0 || len(others) == 1 && others[0] == helpWord) {
		return flagsOr(set, word, p.candidates)
	}
	kind := ""
	if value == nil {
		command, err := p.find(others[0])
		if err != nil {
			return nil
		}
		set = FlagSet(p.Name, "", io.Discard)
		command.Flags(set)
		value, others = walk(set, others[1:], false)
		kind = command.kind(len(others))
	}
	if value != nil {
		return begins(of(kindOf(value), set, others), word)
	}
	return flagsOr(set, word, func() []Candidate {
		if kind == "" {
			return nil
		}
		return of(kind, set, others)
	})
}

// candidates returns the commands.
func (p *Program) candidates() (list []Candidate) {
	for _, c := range p.Commands() {
		list = append(list, Candidate{c.Name, c.Doc})
	}
	return list
}

// walk sets flags, and returns what stands between them and the flag whose value is still to come. Before a command,
// flags end with the first word that is none.
func walk(set *flag.FlagSet, words []string, beforeCommand bool) (value *flag.Flag, others []string) {
	for i, word := range words {
		name, text, assigned := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
		f := set.Lookup(name)
		switch {
		case value != nil:
			_ = set.Set(value.Name, word) // when it is wrong, running the command will tell
			value = nil
		case !isFlag(word) && beforeCommand:
			return nil, words[i:]
		case !isFlag(word):
			others = append(others, word)
		case f == nil || isSwitch(f):
		case assigned:
			_ = set.Set(name, text)
		default:
			value = f
		}
	}
	return value, others
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// kindOf returns the name that the help gives the value of a flag.
func kindOf(f *flag.Flag) string {
	kind, _ := flag.UnquoteUsage(f)
	return kind
}

// flagsOr tells the flags when the word begins like one.
func flagsOr(set *flag.FlagSet, word string, others func() []Candidate) (list []Candidate) {
	if !strings.HasPrefix(word, "-") {
		return begins(others(), word)
	}
	set.VisitAll(func(f *flag.Flag) {
		_, doc := flag.UnquoteUsage(f)
		list = append(list, Candidate{"--" + f.Name, doc})
	})
	return begins(list, word)
}

// begins keeps what a word may become. Of a list with commas, its last part is completed.
func begins(list []Candidate, word string) (kept []Candidate) {
	listed := word[:strings.LastIndexByte(word, ',')+1]
	for _, c := range list {
		switch {
		case c.Word == Files || strings.HasPrefix(c.Word, word):
			kept = append(kept, c)
		case listed != "" && strings.HasPrefix(c.Word, word[len(listed):]):
			kept = append(kept, Candidate{listed + c.Word, c.Doc})
		}
	}
	return kept
}

// WriteCandidates writes what the scripts of Completion read: a candidate per line, behind a tab what it is.
func WriteCandidates(w io.Writer, list []Candidate) error {
	for _, c := range list {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", oneLine(c.Word), oneLine(c.Doc)); err != nil {
			return err
		}
	}
	return nil
}

// oneLine keeps a text from being more candidates than one, and from being commands for the terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// Shells are those that Completion knows.
var Shells = []string{"bash", "fish", "zsh"}

//go:embed complete.bash complete.fish complete.zsh
var scripts embed.FS

// Completion returns the script with which a shell completes the words of a program. It asks the program itself,
// with __complete before the words.
func Completion(shell, program string) (string, error) {
	text, err := scripts.ReadFile("complete." + shell)
	if err != nil || !slices.Contains(Shells, shell) {
		return "", fmt.Errorf("unknown shell %q%s; there are %s", shell,
			suggest.DidYouMean(shell, slices.Values(Shells)), strings.Join(Shells, ", "))
	}
	return strings.ReplaceAll(string(text), "PROGRAM", program), nil
}
