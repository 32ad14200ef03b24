package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// The exit codes.
const (
	done   = 0
	failed = 1
	usage  = 2
	broken = 70 // ended in good order after a panic, EX_SOFTWARE of sysexits(3)
)

func main() {
	errs := patient(os.Stderr) // of all commands: none waits for somebody who reads it, or ends because nobody does
	code := run(os.Args[1:], os.Stdout, errs)
	errs.flush()
	os.Exit(code)
}

// streams are where a command writes to.
type streams struct {
	out, err io.Writer
}

// refuse prints an error, each line of it with a place: a file, or this program. Asking for help is no error.
func (s streams) refuse(code int, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return done
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range several.Unwrap() {
			s.refuse(code, e)
		}
		return code
	}
	var (
		inCell config.Error
		inNet  netError
	)
	switch {
	case errors.As(err, &inCell):
		fmt.Fprintln(s.err, inCell)
	case errors.As(err, &inNet):
		fmt.Fprintln(s.err, inNet)
	default:
		fmt.Fprintf(s.err, "rccd: %s\n", strings.ReplaceAll(err.Error(), "\n", "\nrccd: "))
	}
	return code
}

// command is what the first word on the command line chooses.
type command struct {
	name, doc string
	run       func([]string, streams) int
}

// commands are all of them. Without one the daemon serves.
func commands() []command {
	return []command{
		{"catalogue", "list every primitive, device type and interface", catalogue},
		{"check", "report what is wrong with a configuration, and with nets", check},
		{"demo", "run the demonstration", demo},
		{"ethersim", "simulate EtherCAT slaves", simulateEtherCAT},
		{"frisim", "simulate a KUKA LWR that calls a driver over FRI", simulateFRI},
		{"latency", "measure how late this machine is", measureLatency},
		{"rsisim", "simulate a KUKA KR that calls a driver over RSI", simulateRSI},
		{"version", "print the version", version},
	}
}

// synopsis is the usage of rccd, with all commands.
func synopsis() string {
	var b strings.Builder
	b.WriteString("rccd [flags], or rccd COMMAND\n\ncommands (rccd help COMMAND tells more):\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.doc)
	}
	b.WriteString("\nflags of the daemon:")
	return b.String()
}

// helpWord asks for help, alone or with a command behind it.
const helpWord = "help"

func run(args []string, out, err io.Writer) int {
	s := streams{out, err}
	if len(args) > 0 && args[0] == helpWord {
		args = append(slices.Clone(args[1:min(len(args), 2)]), "--help")
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return daemon(args, s)
	}
	var names []string
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:], s)
		}
		names = append(names, c.name)
	}
	return s.refuse(usage, fmt.Errorf("unknown command %q%s; there are %s", args[0],
		suggest.DidYouMean(args[0], slices.Values(names)), strings.Join(names, ", ")))
}
