package main

import (
	"fmt"
	"runtime"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

const versionSynopsis = "rccctl version [--json]"

func version(args []string, s streams) int {
	set := cli.FlagSet("version", versionSynopsis, s.err)
	asJSON := set.Bool("json", false, "for programs")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if *asJSON {
		return s.answer(writeJSON(s.out, map[string]string{
			"version": cli.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		}))
	}
	fmt.Fprintf(s.out, "rccctl %s %s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}
