package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/story"
)

// demo serves the built-in cell, tells a story with its robots, and shows where to look.
func demo(args []string, s streams) int {
	set := s.flags("demo", "rccd demo [--headless] [--for 10s] [flags of the daemon]")
	f := addCellFlags(set)
	headless := set.Bool("headless", false, "open no browser")
	limit := set.Duration("for", 0, "stop after this `time`, never by default")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if *limit < 0 {
		return s.refuse(usage, fmt.Errorf("--for: %v is negative", *limit))
	}
	p := builtIn()
	cfg, err := f.load(p)
	if err != nil {
		return s.refuse(usage, err)
	}
	for i := range cfg.Nets {
		cfg.Nets[i].Start = "" // the story moves its robots
	}
	s.err = patient(s.err)
	ctx, stop := context.WithCancel(context.Background())
	var told sync.WaitGroup
	var pause atomic.Pointer[string] // why the story does not go on
	why := func() string {
		if text := pause.Load(); text != nil {
			return *text
		}
		return ""
	}
	return serve(cfg, p, s, performance{program: story.Text(), pause: why, begin: func(url string) <-chan time.Time {
		page := url + "/cell/"
		fmt.Fprintf(s.err, "demonstration: %s (Ctrl-C stops it)\n", page)
		guard.In(&told, "story", func() { tell(ctx, url, s, func(why string) { pause.Store(&why) }) })
		guard.In(&told, "pushes", func() { story.Push(ctx, url) })
		if !*headless {
			browse(page)
		}
		if *limit == 0 {
			return nil
		}
		return time.After(*limit)
	}, end: stop, ended: told.Wait})
}

// tell tells the story. When the story cannot go on, it says why, and the cell stays as it is.
func tell(ctx context.Context, url string, s streams, say func(why string)) {
	if err := story.Perform(ctx, url, say); ctx.Err() == nil {
		fmt.Fprintf(s.err, "demonstration: %v\n", err)
	}
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
		guard.Contain("browser", func() { _ = cmd.Wait() })
	}
}
