package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// The exit codes.
const (
	done   = 0
	failed = 1
	usage  = 2
	broken = 70 // ended cleanly after a panic, EX_SOFTWARE of sysexits(3)
)

func main() {
	errs := patient(os.Stderr) // of all commands: none waits for a reader, or ends without one
	code := run(os.Args[1:], os.Stdout, errs)
	errs.flush()
	os.Exit(code)
}

// streams are where a command writes to.
type streams struct {
	out, err io.Writer
}

// refuse prints an error, each line of it with a place: a file, or this program. Asking for help is not an error.
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
	name, doc, example string
	run                func([]string, streams) int
}

// program is the name of this one.
const program = "rccd"

// exampleOf returns a use of a command, to be copied.
func exampleOf(name string) string {
	for _, c := range commands() {
		if c.name == name {
			return c.example
		}
	}
	return ""
}

// flags makes the flags of a command.
func (s streams) flags(name, synopsis string) *flag.FlagSet {
	return cli.FlagSet(program, synopsis, s.out, exampleOf(name))
}

// commands returns all of them. Without one the daemon serves.
func commands() []command {
	return []command{
		{"catalogue", "list every primitive, device type and interface", "rccd catalogue --json", catalogue},
		{"check", "check configurations, nets and extensions", "rccd check cell.yaml net.dio", check},
		{"demo", "run the demonstration", "rccd demo --listen 127.0.0.1:0", demo},
		{"ethersim", "simulate EtherCAT slaves", "rccd ethersim --config rack.yaml --link veth1", simulateEtherCAT},
		{"frisim", "simulate a KUKA LWR that calls a driver over FRI", "rccd frisim --to 127.0.0.1:49938 --for 10s", simulateFRI},
		{"latency", "measure how late this machine wakes up", "rccd latency --period 1ms --for 60s", measureLatency},
		{"rsisim", "simulate a KUKA KR that calls a driver over RSI", "rccd rsisim --to 127.0.0.1:49152 --for 10s", simulateRSI},
		{"version", "print the version", "rccd version", version},
	}
}

// synopsis returns the usage of rccd, with all commands.
func synopsis() string {
	var b strings.Builder
	b.WriteString("rccd [flags], or rccd COMMAND\n\ncommands (rccd help COMMAND shows more):\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n  %10s %s\n", c.name, c.doc, "", c.example)
	}
	b.WriteString("\nflags of the daemon:")
	return b.String()
}

// helpWord asks for help, alone or with a command behind it.
const helpWord = "help"

func run(args []string, out, err io.Writer) int {
	s := streams{out, err}
	if len(args) > 1 && args[0] == helpWord && (args[1] == helpWord || strings.HasPrefix(args[1], "-")) {
		args = args[:1]
	}
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
