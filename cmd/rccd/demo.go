package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// demo serves the built-in cell, whose nets move something, and shows where to look.
func demo(args []string, s streams) int {
	set := cli.FlagSet("demo", "rccd demo [--headless] [--for 10s] [flags of the daemon]", s.err)
	f := addCellFlags(set)
	headless := set.Bool("headless", false, "open no browser")
	limit := set.Duration("for", 0, "stop after this `time`, never by default")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if *limit < 0 {
		return s.refuse(usage, fmt.Errorf("--for: %v is less than nothing", *limit))
	}
	p := builtIn()
	cfg, err := f.load(p)
	if err != nil {
		return s.refuse(usage, err)
	}
	return serve(cfg, p, s, func(url string) <-chan time.Time {
		page := url + "/cell/"
		fmt.Fprintf(s.err, "demonstration: %s (Ctrl-C stops it)\n", page)
		if !*headless {
			browse(page)
		}
		if *limit == 0 {
			return nil
		}
		return time.After(*limit)
	})
}

// browse opens a page where there is a desktop. Without one, or when it fails, the printed address has to do.
func browse(page string) {
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	} else if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return
	}
	if cmd := exec.CommandContext(context.Background(), opener, page); cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}
