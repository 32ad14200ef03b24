package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// The exit codes.
const (
	done   = 0
	failed = 1
	usage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// streams are where a command writes to.
type streams struct {
	out, err io.Writer
}

// refuse prints an error. Asking for help is no error.
func (s streams) refuse(code int, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return done
	}
	fmt.Fprintf(s.err, "rccctl: %s\n", strings.ReplaceAll(err.Error(), "\n", "\nrccctl: "))
	return code
}

// answer ends a command that had only to write.
func (s streams) answer(err error) int {
	if err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// writeJSON writes for programs. Commands in it are to be copied, so that < and & stay what they are.
func writeJSON(out io.Writer, v any) error {
	w := json.NewEncoder(out)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	return w.Encode(v)
}

// command is what a name on the command line does.
type command struct {
	name, synopsis, doc string
	run                 func([]string, streams) int
}

// commands in the order of the help.
func commands() []command {
	return []command{
		{"doctor", doctorSynopsis, "what keeps this machine from being real-time, and what to do", examine},
		{"version", versionSynopsis, "what this program is", version},
	}
}

func run(args []string, out, err io.Writer) int {
	s := streams{out, err}
	all := commands()
	if len(args) == 0 {
		help(s.err, all)
		return usage
	}
	if slices.Contains([]string{"help", "--help", "-help", "-h"}, args[0]) {
		help(s.out, all)
		return done
	}
	var names []string
	for _, c := range all {
		if c.name == args[0] {
			return c.run(args[1:], s)
		}
		names = append(names, c.name)
	}
	return s.refuse(usage, fmt.Errorf("unknown command %q%s; there are %s", args[0],
		suggest.DidYouMean(args[0], slices.Values(names)), strings.Join(names, ", ")))
}

func help(w io.Writer, all []command) {
	fmt.Fprintln(w, "usage:")
	for _, c := range all {
		fmt.Fprintf(w, "  %-48s %s\n", c.synopsis, c.doc)
	}
}

// flagSet makes a set of flags whose messages are errors like all others.
func flagSet(name, synopsis string, s streams) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(s.err)
	set.Usage = func() {
		fmt.Fprintf(s.err, "usage: %s\n", synopsis)
		set.PrintDefaults()
	}
	return set
}

// parse reads the arguments; there are only flags.
func parse(set *flag.FlagSet, args []string) error {
	loud := set.Usage
	set.Usage = func() {}
	out := set.Output()
	set.SetOutput(io.Discard) // the error says it too
	err := set.Parse(args)
	set.SetOutput(out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		loud()
	case err == nil && set.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return err
}
