package main

import (
	"github.com/softrobot-rcc/rccd/internal/cli"
)

func version(args []string, s streams) int {
	set := s.flags("version", "rccd version")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if err := cli.ShowVersion(s.out, program); err != nil {
		return s.refuse(failed, err)
	}
	return done
}
