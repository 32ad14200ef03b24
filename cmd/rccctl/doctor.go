package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/doctor"
)

func (s streams) doctorCommand() cli.Command {
	return cli.Command{
		Name: "doctor", Synopsis: "[--json] [--cpus 2,3] [--pid N]",
		Doc:      "what keeps this machine from being real-time, and what to do",
		Examples: []string{"rccctl doctor", `rccctl doctor --pid "$(pidof rccd)" --cpus 2,3`},
		Flags: func(set *flag.FlagSet) func([]string) int {
			var o doctor.Options
			asJSON := jsonFlag(set)
			set.Var(&o.CPUs, "cpus", "`list` of CPUs for executors, by default the isolated ones, or the last one")
			pid := set.Int("pid", 0, "`number` of the process whose rights count, such as that of rccd; by default this one")
			return func([]string) int { return s.examine(o, *pid, *asJSON) }
		},
	}
}

// examine says what keeps this machine from being real-time.
func (s streams) examine(o doctor.Options, pid int, asJSON bool) int {
	root := os.DirFS("/")
	if pid != 0 {
		o.Process = strconv.Itoa(pid)
		if _, err := os.Stat("/proc/" + o.Process); err != nil {
			return s.refuse(usage, fmt.Errorf("--pid: there is no process %d", pid))
		}
	}
	r := doctor.Examine(root, o)
	show := r.WriteText
	if asJSON {
		show = func(w io.Writer) error { return writeJSON(w, r) }
	}
	if code := s.answer(show(s.out)); code != done || r.Ready() {
		return code
	}
	return failed
}
