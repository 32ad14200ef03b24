package guard_test

import (
	"strings"
	"sync"
	"testing"

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
