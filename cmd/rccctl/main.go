package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// The exit codes.
const (
	done         = 0
	failed       = 1
	usage        = 2
	noConnection = 3
)

func main() { os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})) }

// streams are where a command reads from and writes to, and the daemon that it talks to by default.
type streams struct {
	in       io.Reader
	out, err io.Writer
	daemon   target
}

func run(args []string, s streams) int {
	if len(args) > 0 && args[0] == "__complete" { // its words are not for this command line
		return s.candidates(args[1:])
	}
	p := s.program()
	code, err := p.Run(args, s.out)
	switch {
	case errors.Is(err, cli.ErrNoCommand):
		p.Help(s.err)
		return usage
	case err != nil:
		return s.refuse(usage, err)
	}
	return code
}

// program returns the command line. The daemon is named before the command, for whatever follows, or behind it.
func (s streams) program() *cli.Program {
	before := usualTarget()
	return &cli.Program{
		Name:  "rccctl",
		Flags: before.flag,
		Commands: func() []cli.Command {
			s.daemon = before
			return s.commands()
		},
	}
}

// commands in the order of the help.
func (s streams) commands() []cli.Command {
	list := []cli.Command{
		s.netsCommand(),
		s.showCommand(),
		s.loadCommand(),
		s.checkCommand(),
		s.previewCommand(),
	}
	for _, o := range orders() {
		list = append(list, s.orderCommand(o))
	}
	return append(
		list,
		s.setCommand(),
		s.watchCommand(),
		s.debugCommand(),
		s.syncCommand(),
		s.rulesCommand(),
		s.sessionsCommand(),
		s.devicesCommand(),
		s.deviceCommand(),
		s.ethercatCommand(),
		s.extensionsCommand(),
		s.extensionCommand(),
		s.catalogueCommand(),
		s.formatCommand(),
		s.calibrateCommand(),
		s.clockCommand(),
		s.instanceCommand(),
		s.doctorCommand(),
		s.completionCommand(),
		s.versionCommand(),
	)
}

// refuse prints an error. Asking for help is not an error.
func (s streams) refuse(code int, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return done
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(s.err, "rccctl: %s\n", harmless(line))
	}
	return code
}

// answer ends a command that had only to write.
func (s streams) answer(err error) int {
	if err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// jsonFlag adds the flag of all commands that have an answer.
func jsonFlag(set *flag.FlagSet) *bool { return set.Bool("json", false, "for programs") }

// writeJSON writes for programs. Commands in it are to be copied, so that < and & stay what they are.
func writeJSON(out io.Writer, v any) error {
	w := json.NewEncoder(out)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	return w.Encode(v)
}
