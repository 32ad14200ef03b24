package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
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
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// streams are where a command writes to.
type streams struct {
	out, err io.Writer
}

// refuse prints an error, each line of it with a place: a file, or this program. Asking for help is no error.
func (s streams) refuse(code int, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return done
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

// commands by name. Without a name the daemon serves.
func commands() map[string]func([]string, streams) int {
	return map[string]func([]string, streams) int{
		"check":     check,
		"demo":      demo,
		"catalogue": catalogue,
		"ethersim":  simulateEtherCAT,
		"frisim":    simulateFRI,
		"latency":   measureLatency,
		"rsisim":    simulateRSI,
		"version":   version,
	}
}

func run(args []string, out, err io.Writer) int {
	s := streams{out, err}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return daemon(args, s)
	}
	all := commands()
	if command, ok := all[args[0]]; ok {
		return command(args[1:], s)
	}
	names := slices.Sorted(maps.Keys(all))
	return s.refuse(usage, fmt.Errorf("unknown command %q%s; there are %s", args[0],
		suggest.DidYouMean(args[0], slices.Values(names)), strings.Join(names, ", ")))
}
