package main

import (
	"flag"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

const clockAddress = "/clock"

// clockOf is the time of a daemon.
type clockOf struct {
	Now     string
	Virtual bool
	Speed   string
}

func (s streams) clockCommand() cli.Command {
	return cli.Command{
		Name: "clock", Synopsis: "[--speed max] [--advance 10ms] [--json]",
		Doc:      "the time of the cell; with a virtual clock also its pace, or a step of it",
		Examples: []string{"rccctl clock", "rccctl clock --speed 0 && rccctl clock --advance 2ms"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			speed := set.String("speed", "", "pace of virtual time as a `factor` of real time: 0 stops it, max computes as fast as it can")
			advance := set.Duration("advance", 0, "`time` by which virtual time advances, all cycles in it included")
			return func([]string) int {
				if *advance < 0 {
					return s.refuse(usage, fmt.Errorf("--advance %v is negative", *advance))
				}
				return s.clock(daemon, *speed, *advance, *asJSON)
			}
		},
	}
}

func (s streams) clock(daemon *client, speed string, advance time.Duration, asJSON bool) int {
	var c clockOf
	form := url.Values{}
	if speed != "" {
		form.Set("speed", speed)
	}
	if advance > 0 {
		form.Set("advance", advance.String())
	}
	if len(form) == 0 {
		return s.ask(daemon, clockAddress, asJSON, &c, c.write)
	}
	answer, err := daemon.post(clockAddress, form)
	if err != nil {
		return s.refuseCall(err)
	}
	return s.show(answer, asJSON, &c, c.write)
}

// write shows the clock to people.
func (c *clockOf) write(w io.Writer) error {
	pace := "real time"
	switch {
	case c.Virtual && c.Speed == "0":
		pace = "virtual time, stopped"
	case c.Virtual && c.Speed == "max":
		pace = "virtual time, as fast as it can be computed"
	case c.Virtual:
		pace = "virtual time, " + printable(c.Speed) + " times real time"
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", printable(c.Now), pace)
	return err
}
