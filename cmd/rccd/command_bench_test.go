//go:build linux

package main

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
)

// BenchmarkCommandStart is the time from a command of an application to its first cycle, with a daemon of its own process, which takes
// its commands over WebSocket as any does.
func BenchmarkCommandStart(b *testing.B) {
	cells.Starts(b, func(b *testing.B) *robotics.Runtime {
		m := newSubject(b, "", "  - {name: kr16, type: kuka_kr_arm_sim}\n")
		r, err := robotics.Connect(b.Context(), m.url)
		if err != nil {
			b.Skip("nobody can connect with the daemon: ", err)
		}
		b.Cleanup(r.Close)
		return r
	})
}
