package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/doctor"
)

func (s streams) doctorCommand() cli.Command {
	return cli.Command{
		Name: "doctor", Synopsis: "[--json] [--cpus 2,3] [--pid N]",
		Doc:      "what keeps this machine from being real-time, what to do, and what a daemon says of itself",
		Examples: []string{"rccctl doctor", `rccctl doctor --pid "$(pidof rccd)" --cpus 2,3`},
		Flags: func(set *flag.FlagSet) func([]string) int {
			var o doctor.Options
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			set.Var(&o.CPUs, "cpus", "`list` of CPUs for executors, by default the isolated ones, or the last one")
			pid := set.Int("pid", 0, "`number` of the process whose rights count, such as that of rccd; by default this one")
			return func([]string) int { return s.examine(daemon, o, *pid, *asJSON) }
		},
	}
}

// examine says what keeps this machine from being real-time.
func (s streams) examine(daemon *client, o doctor.Options, pid int, asJSON bool) int {
	root := os.DirFS("/")
	if pid != 0 {
		o.Process = strconv.Itoa(pid)
		if _, err := os.Stat("/proc/" + o.Process); err != nil {
			return s.refuse(usage, fmt.Errorf("--pid: there is no process %d", pid))
		}
	}
	r := doctor.Examine(root, o)
	r.Daemon = daemon.condition()
	show := r.WriteText
	if asJSON {
		show = func(w io.Writer) error { return writeJSON(w, r) }
	}
	if code := s.answer(show(s.out)); code != done || r.Ready() {
		return code
	}
	return failed
}

// examinedPatience is how long the doctor waits for a daemon, which may have gone, or never have been there.
const examinedPatience = 2 * time.Second

// condition returns what the daemon says of itself, nil when none answers.
func (c *client) condition() *doctor.Daemon {
	quick := *c
	quick.patience = examinedPatience
	answer, err := quick.get("/healthz")
	var health struct {
		Realtime string        `json:"realtime"`
		Facts    []doctor.Fact `json:"facts"`
	}
	if err != nil || json.Unmarshal(answer, &health) != nil || len(health.Facts) == 0 {
		return nil
	}
	d := &doctor.Daemon{URL: c.String(), State: harmless(health.Realtime)}
	for _, f := range health.Facts {
		d.Facts = append(d.Facts, doctor.Fact{Name: harmless(f.Name), OK: f.OK, State: harmless(f.State), Text: harmless(f.Text)})
	}
	return d
}
