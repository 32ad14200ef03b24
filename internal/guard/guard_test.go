package guard_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
)

func explode() { panic("bang") }

// TestCaught: panics of all goroutines are told, with where they come from, and what was deferred is done.
func TestCaught(t *testing.T) {
	told := make(chan guard.Panic, 1)
	guard.Handle(func(p guard.Panic) { told <- p })
	defer guard.Handle(nil)
	var group sync.WaitGroup
	for name, start := range map[string]func(func()){
		"go":      func(f func()) { guard.Go("go", f) },
		"in":      func(f func()) { guard.In(&group, "in", f) },
		"contain": func(f func()) { guard.Contain("contain", f) },
		"after":   func(f func()) { guard.After(0, "after", f) },
		"done": func(f func()) {
			over, cancel := context.WithCancel(t.Context())
			guard.AfterDone(over, "done", f)
			cancel()
		},
	} {
		deferred := make(chan struct{})
		start(func() {
			defer close(deferred)
			explode()
		})
		<-deferred
		p := <-told
		if p.Where != name || p.Value != "bang" || p.Fatal != (name != "contain") || !strings.Contains(string(p.Stack), "explode") {
			t.Errorf("%s: %s %v %t\n%s", name, p.Where, p.Value, p.Fatal, p.Stack)
		}
	}
	group.Wait()
}

// TestStopped: what is stopped before is not called.
func TestStopped(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	stop := guard.AfterDone(over, "done", explode)
	if !stop() || !guard.After(time.Hour, "after", explode).Stop() {
		t.Error("it was called already")
	}
	cancel()
}

// TestUnhandled: without anybody who is told, a panic goes on.
func TestUnhandled(t *testing.T) {
	defer func() {
		if recover() != "bang" {
			t.Error("it was swallowed")
		}
	}()
	defer guard.Recover("here")
	explode()
}
