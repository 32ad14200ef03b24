package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/doctor"
)

const doctorSynopsis = "rccctl doctor [--json] [--cpus 2,3] [--pid N]"

// examine says what keeps this machine from being real-time.
func examine(args []string, s streams) int {
	var o doctor.Options
	set := cli.FlagSet("doctor", doctorSynopsis, s.err)
	asJSON := set.Bool("json", false, "for programs")
	set.Var(&o.CPUs, "cpus", "`list` of CPUs for executors, by default the isolated ones, or the last one")
	pid := set.Int("pid", 0, "`number` of the process whose rights count, such as that of rccd; by default this one")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	root := os.DirFS("/")
	if *pid != 0 {
		o.Process = strconv.Itoa(*pid)
		if _, err := os.Stat("/proc/" + o.Process); err != nil {
			return s.refuse(usage, fmt.Errorf("--pid: there is no process %d", *pid))
		}
	}
	r := doctor.Examine(root, o)
	show := r.WriteText
	if *asJSON {
		show = func(w io.Writer) error { return writeJSON(w, r) }
	}
	if code := s.answer(show(s.out)); code != done || r.Ready() {
		return code
	}
	return failed
}
