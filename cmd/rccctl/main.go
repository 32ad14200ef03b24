package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// The exit codes.
const (
	done         = 0
	failed       = 1
	usage        = 2
	noConnection = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// streams are where a command writes to, and the daemon that it talks to when it is told no other.
type streams struct {
	out, err io.Writer
	url      *url.URL
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
		{"nets", netsSynopsis, "the nets that are loaded", listNets},
		{"rules", rulesSynopsis, "the synchronization rules, or one with its record: why it has switched, or why not", showRules},
		{"sync", syncSynopsis, "add a synchronization rule: what to stop, cancel and start when a condition becomes true", addRule},
		{"doctor", doctorSynopsis, "what keeps this machine from being real-time, and what to do", examine},
		{"version", versionSynopsis, "what this program is", version},
	}
}

func run(args []string, out, err io.Writer) int {
	s := streams{out: out, err: err}
	all := commands()
	args, bad := s.daemon(args)
	if bad != nil {
		return s.refuse(usage, bad)
	}
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

// daemon takes --url from before the command, where it holds for whatever follows.
func (s *streams) daemon(args []string) (rest []string, err error) {
	text := defaultURL
	if len(args) > 0 {
		flag, value, assigned := strings.Cut(args[0], "=")
		switch {
		case flag != "--url" && flag != "-url":
		case assigned:
			text, args = value, args[1:]
		case len(args) == 1:
			return nil, errors.New("flag needs an argument: --url")
		default:
			text, args = args[1], args[2:]
		}
	}
	if s.url, err = parseURL(text); err != nil {
		return nil, fmt.Errorf("--url %q: %w", text, err)
	}
	return args, nil
}

func help(w io.Writer, all []command) {
	fmt.Fprintln(w, "usage:")
	for _, c := range all {
		fmt.Fprintf(w, "  %s\n      %s\n", c.synopsis, c.doc)
	}
	fmt.Fprintf(w, "nets, rules and sync talk to the daemon at %s, or at --url ADDRESS\n", defaultURL)
}
