//go:build linux

package main

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStartedInRealTime: a daemon that is started with a priority of real time becomes ready, and gives the priority back except
// for executors. Before, what computed in its self-test kept everything else in the process from both processors, for ever.
func TestStartedInRealTime(t *testing.T) {
	if text, err := exec.CommandContext(t.Context(), "chrt", "-f", "1", "true").CombinedOutput(); err != nil {
		t.Skipf("skip: without the right to real-time scheduling: %v %s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p, err := beginCommand(exec.CommandContext(ctx, "chrt", "-f", "50", "rccd", "--listen", "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(p.url + "/realtime/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if page, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(page), "given it back") {
		t.Errorf("%v\n%s", err, page)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
