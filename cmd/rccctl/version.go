package main

import (
	"flag"
	"fmt"
	"runtime"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

func (s streams) versionCommand() cli.Command {
	return cli.Command{
		Name: "version", Synopsis: "[--json]", Doc: "what this program is",
		Flags: func(set *flag.FlagSet) func([]string) int {
			asJSON := jsonFlag(set)
			return func([]string) int { return s.version(*asJSON) }
		},
	}
}

func (s streams) version(asJSON bool) int {
	if asJSON {
		return s.answer(writeJSON(s.out, map[string]string{
			"version": cli.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		}))
	}
	_, err := fmt.Fprintf(s.out, "rccctl %s %s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return s.answer(err)
}
