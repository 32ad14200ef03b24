// Package cli is what the programs have in common on their command lines.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// FlagSet makes a set of flags of a program, whose messages are errors like all others. Every set has --version.
func FlagSet(program, synopsis string, out io.Writer, examples ...string) *flag.FlagSet {
	set := flag.NewFlagSet(program, flag.ContinueOnError)
	set.SetOutput(out)
	set.Bool(versionFlag, false, "print the version of the program")
	set.Usage = func() {
		fmt.Fprintf(out, "usage: %s\n", synopsis)
		set.PrintDefaults()
		showExamples(out, examples)
	}
	return set
}

const versionFlag = "version"

func showExamples(out io.Writer, examples []string) {
	if len(examples) > 0 {
		fmt.Fprintf(out, "examples:\n  %s\n", strings.Join(examples, "\n  "))
	}
}

// ShowVersion writes the line that says what a program is.
func ShowVersion(out io.Writer, program string) error {
	_, err := fmt.Fprintf(out, "%s %s %s %s/%s\n", program, Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// Parse reads the arguments; there are only flags.
func Parse(set *flag.FlagSet, args []string) error {
	_, err := ParseMixed(set, args, 0)
	return err
}

// ParseMixed reads flags and up to so many other arguments, in any order.
func ParseMixed(set *flag.FlagSet, args []string, most int) (others []string, err error) {
	for {
		if err := parseFlags(set, args); err != nil {
			return nil, err
		}
		if set.NArg() == 0 {
			return others, nil
		}
		if len(others) == most {
			return nil, fmt.Errorf("unexpected argument %q", set.Arg(0))
		}
		others, args = append(others, set.Arg(0)), set.Args()[1:]
	}
}

func parseFlags(set *flag.FlagSet, args []string) error {
	loud, out := set.Usage, set.Output()
	set.Usage = func() {}
	set.SetOutput(io.Discard) // the error says it too
	err := set.Parse(args)
	set.SetOutput(out)
	set.Usage = loud
	if errors.Is(err, flag.ErrHelp) {
		loud()
	}
	if asked := set.Lookup(versionFlag); err == nil && asked != nil && asked.Value.String() == "true" {
		return errors.Join(flag.ErrHelp, ShowVersion(out, set.Name()))
	}
	return err
}

// Version returns the version of the module, or the commit that it was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
