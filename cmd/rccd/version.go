package main

import (
	"fmt"
	"runtime"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

func version(args []string, s streams) int {
	set := cli.FlagSet("version", "rccd version", s.out)
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	fmt.Fprintf(s.out, "rccd %s %s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}
