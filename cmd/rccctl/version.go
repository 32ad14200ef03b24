package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

const versionSynopsis = "rccctl version [--json]"

func version(args []string, s streams) int {
	set := flagSet("version", versionSynopsis, s)
	asJSON := set.Bool("json", false, "for programs")
	if err := parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if *asJSON {
		return s.answer(writeJSON(s.out, map[string]string{
			"version": versionText(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		}))
	}
	fmt.Fprintf(s.out, "rccctl %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}

// versionText is the version of the module, or the commit that it was built from.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
