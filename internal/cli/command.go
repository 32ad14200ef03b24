package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Command is a word of a command line and what it does.
type Command struct {
	Name     string
	Synopsis string   // what may follow the name
	Doc      string   // a line
	Examples []string // commands to be copied, with what they do behind a #
	Args     []string // kinds of the arguments; further ones are of the last kind
	Least    int      // arguments that there must be
	Most     int      // and may be; less than zero stands for any number
	Missing  string   // said when there are fewer

	// Flags adds the flags and returns what the command does with its arguments; that returns an exit code.
	Flags func(*flag.FlagSet) func(args []string) int
}

// Program is a command line that begins with flags for all commands, followed by one of them.
type Program struct {
	Name     string
	Flags    func(*flag.FlagSet)
	Commands func() []Command // made when the flags before them are known
}

// ErrNoCommand is returned for a command line without a command.
var ErrNoCommand = errors.New("a command is missing")

// Run does what a command line says and returns the exit code of the command; help goes to out. Its error is always a mistake in
// the command line, or flag.ErrHelp after help was asked for and given.
func (p *Program) Run(args []string, out io.Writer) (code int, err error) {
	set := FlagSet(p.Name, "", out)
	p.Flags(set)
	set.Usage = func() { p.Help(out) }
	if err := parseFlags(set, args); err != nil {
		return 0, err
	}
	args = set.Args()
	switch {
	case len(args) == 0:
		return 0, ErrNoCommand
	case args[0] == helpWord && (len(args) == 1 || args[1] == helpWord || strings.HasPrefix(args[1], "-")):
		p.Help(out)
		return 0, flag.ErrHelp
	case args[0] == helpWord:
		args = []string{args[1], "--help"}
	}
	c, err := p.find(args[0])
	if err != nil {
		return 0, err
	}
	set = c.set(p.Name, out)
	run := c.Flags(set)
	others, err := ParseMixed(set, args[1:], c.Most)
	switch {
	case err != nil:
		return 0, err
	case len(others) < c.Least:
		return 0, errors.New(c.Missing)
	}
	return run(others), nil
}

const helpWord = "help"

func (p *Program) find(name string) (*Command, error) {
	var names []string
	for _, c := range p.Commands() {
		if c.Name == name {
			return &c, nil
		}
		names = append(names, c.Name)
	}
	return nil, fmt.Errorf("unknown command %q%s; there are %s", name,
		suggest.DidYouMean(name, slices.Values(names)), strings.Join(names, ", "))
}

// set makes the flags of a command. Their help has everything about the command.
func (c *Command) set(program string, out io.Writer) *flag.FlagSet {
	return FlagSet(program, c.line(program)+"\n"+c.Doc, out, c.Examples...)
}

func (c *Command) line(program string) string {
	return strings.TrimRight(program+" "+c.Name+" "+c.Synopsis, " ")
}

// kind returns the kind of the argument at a place; nothing when there can be none.
func (c *Command) kind(at int) string {
	if len(c.Args) == 0 || c.Most >= 0 && at >= c.Most {
		return ""
	}
	return c.Args[min(at, len(c.Args)-1)]
}

// Help lists the commands.
func (p *Program) Help(w io.Writer) {
	fmt.Fprintln(w, "usage:")
	for _, c := range p.Commands() {
		fmt.Fprintf(w, "  %s\n      %s\n", c.line(p.Name), c.Doc)
		if len(c.Examples) > 0 {
			fmt.Fprintf(w, "      %s\n", c.Examples[0])
		}
	}
	fmt.Fprintln(w, "flags before the command:")
	set := FlagSet(p.Name, "", w)
	p.Flags(set)
	set.PrintDefaults()
	fmt.Fprintf(w, "%s COMMAND --help tells more about a command and has examples\n", p.Name)
}
