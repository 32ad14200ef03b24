package rcc_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// writer is a device whose diary ends with why it was closed.
type writer struct {
	testdevice.Device
	mu    sync.Mutex
	lines []string
}

func (w *writer) Diary() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.lines...)
}

func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, "closed")
	return nil
}

// TestLastWords: what a device says when it is closed can still be read, once when it was removed, and after the core is closed.
func TestLastWords(t *testing.T) {
	kind := device.Declare(device.Kind{Name: "writer"}, func(*device.Env, *struct{}) (device.Device, error) {
		return &writer{lines: []string{"opened"}}, nil
	})
	c := newCell(t, func(cfg *rcc.Config) { cfg.DeviceTypes = []device.Type{kind} })
	is := func(when string, want map[string][]string) {
		t.Helper()
		if diff := cmp.Diff(want, c.Devices.Diaries()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	c.must(c.Devices.Create("a", "writer", nil))
	c.must(c.Devices.Create("b", "writer", nil))
	is("both there", map[string][]string{"a": {"opened"}, "b": {"opened"}})
	c.must(c.Devices.Remove("a"))
	is("one removed", map[string][]string{"a": {"opened", "closed"}, "b": {"opened"}})
	is("long afterwards", map[string][]string{"b": {"opened"}})
	c.must(c.Devices.Remove("b"))
	c.must(c.Devices.Create("b", "writer", nil))
	is("another one of its name", map[string][]string{"b": {"opened", "closed", "opened"}})
	c.must(c.Close(context.Background()))
	is("the core is closed", map[string][]string{"b": {"opened", "closed"}})
}
