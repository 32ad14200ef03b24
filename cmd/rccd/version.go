package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

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

func version(args []string, s streams) int {
	set := flagSet("version", "rccd version", s)
	if err := parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	fmt.Fprintf(s.out, "rccd %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}
