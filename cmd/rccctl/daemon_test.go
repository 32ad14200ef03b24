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
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// daemon is the real rccd, built for the first test that needs it.
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

// serve executes rccd in a folder until end is called, which returns its log.
func (d *daemon) serve(folder string, args ...string) (url string, end func() string, err error) {
	path, err := d.path()
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, args...)
	var log bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &log
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	end = func() string {
		cancel()
		_ = cmd.Wait()
		return log.String()
	}
	first, err := bufio.NewReader(pipe).ReadString('\n')
	ready := readyLine.FindStringSubmatch(first)
	if err != nil || ready == nil {
		return "", nil, fmt.Errorf("not ready: %q, %w\n%s", first, err, end())
	}
	return ready[1], end, nil
}

func (d *daemon) serveCommand(ts *testscript.TestScript, _ bool, args []string) {
	url, end, err := d.serve(ts.Getenv("WORK"), args...)
	ts.Check(err)
	ts.Defer(func() { ts.Logf("log of the daemon:\n%s", end()) })
	ts.Setenv("URL", url)
}

func (d *daemon) command(ts *testscript.TestScript, _ bool, args []string) {
	path, err := d.path()
	ts.Check(err)
	ts.Check(ts.Exec(path, args...))
}

func fetchCommand(ts *testscript.TestScript, _ bool, args []string) {
	r, err := http.NewRequest(http.MethodGet, ts.Getenv("URL")+args[0], nil)
	ts.Check(err)
	r.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	_, err = io.Copy(ts.Stdout(), answer.Body)
	ts.Check(err)
}

func loadCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(send(ts.Getenv("URL")+"/nets/?cycle=10ms&desc="+strings.TrimSuffix(args[0], ".dio"), ts.ReadFile(args[0])))
}

func postCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(send(ts.Getenv("URL")+args[0], ""))
}

// mustSend is send for tests that are not scripts.
func mustSend(t *testing.T, address, text string) {
	t.Helper()
	if err := send(address, text); err != nil {
		t.Fatal(err)
	}
}

func send(address, text string) error {
	answer, err := http.Post(address, "text/plain; charset=utf-8", strings.NewReader(text))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %s\n%s", address, answer.Status, body)
	}
	return err
}
