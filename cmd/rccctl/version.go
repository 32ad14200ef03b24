package main

import (
	"flag"
	"runtime"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

func (s streams) versionCommand() cli.Command {
	return cli.Command{
		Name: "version", Synopsis: "[--json]", Doc: "the version of this program",
		Examples: []string{"rccctl version"},
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
	return s.answer(cli.ShowVersion(s.out, "rccctl"))
}
