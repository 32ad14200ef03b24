package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// daemon is the real rccd, built for the first script that needs it.
type daemon struct {
	folder string
	build  sync.Once
	err    error
}

func (d *daemon) path() (string, error) {
	path := filepath.Join(d.folder, "rccd")
	d.build.Do(func() {
		build := exec.Command("go", "build", "-o", path, "./cmd/rccd")
		build.Dir = top
		if out, err := build.CombinedOutput(); err != nil {
			d.err = fmt.Errorf("rccd: %w\n%s", err, out)
		}
	})
	return path, d.err
}

var readyLine = regexp.MustCompile(`^rccd: ready (http://\S+) `)

func (d *daemon) serveCommand(ts *testscript.TestScript, _ bool, args []string) {
	path, err := d.path()
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, args...)
	var log bytes.Buffer
	cmd.Dir, cmd.Stderr = ts.Getenv("WORK"), &log
	pipe, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		cancel()
		_ = cmd.Wait()
		ts.Logf("log of the daemon:\n%s", log.String())
	})
	first, err := bufio.NewReader(pipe).ReadString('\n')
	ts.Check(err)
	ready := readyLine.FindStringSubmatch(first)
	if ready == nil {
		ts.Fatalf("not ready: %q", first)
	}
	ts.Setenv("URL", ready[1])
}

func loadCommand(ts *testscript.TestScript, _ bool, args []string) {
	send(ts, "/nets/?cycle=10ms&desc="+strings.TrimSuffix(args[0], ".dio"), ts.ReadFile(args[0]))
}

func postCommand(ts *testscript.TestScript, _ bool, args []string) { send(ts, args[0], "") }

func send(ts *testscript.TestScript, path, text string) {
	answer, err := http.Post(ts.Getenv("URL")+path, "text/plain; charset=utf-8", strings.NewReader(text))
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if answer.StatusCode >= http.StatusBadRequest {
		ts.Fatalf("%s: %s\n%s", path, answer.Status, body)
	}
}
