package kinematics

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
)

// BenchmarkPeers compares with C++ in the same run: with plain formulas, and with KDL where that is installed. Bursts of both
// take turns, each so short that most are not interrupted; the figures are the tenth of the bursts that is fastest. It needs
// g++, and for KDL liborocos-kdl-dev.
func BenchmarkPeers(b *testing.B) {
	program := filepath.Join(b.TempDir(), "peers")
	compile := func(more ...string) error {
		args := append([]string{"-O3", "-o", program, "testdata/peers.cpp"}, more...)
		return exec.CommandContext(b.Context(), "g++", args...).Run()
	}
	hasKDL := compile("-DKDL_FOUND", "-I/usr/include/eigen3", "-lorocos-kdl") == nil
	if !hasKDL {
		if err := compile(); err != nil {
			b.Skipf("no C++ compiler to compare with: g++: %v", err)
		}
		b.Log("without KDL: liborocos-kdl-dev is not installed")
	}
	w := limitedKR16(b)
	poses, hints := goals(w)
	var all Branches
	var f geom.Frame
	closed := func(i int, unwind bool) {
		var t target
		all.N = 0
		if w.see(&poses[i], hints[i], &t) == Solved {
			w.find(&t, &all, false)
		}
		if unwind {
			w.unwind(&t, &all)
		}
	}
	for _, task := range []struct {
		peer string
		ours func(i int)
	}{
		{"forward", func(i int) { f = w.chain.Forward(hints[i]) }},
		{"KDL", func(i int) { f = w.chain.Forward(hints[i]) }},
		{"inverse", func(i int) { closed(i, false) }},
		{"unwound", func(i int) { closed(i, true) }},
	} {
		b.Run(task.peer, func(b *testing.B) {
			if task.peer == "KDL" && !hasKDL {
				b.Skip("KDL is not installed")
			}
			peer := launch(b, program)
			var ours, theirs []float64
			at := 0
			for b.Loop() {
				theirs = append(theirs, peer(task.peer))
				begin := time.Now()
				for range burst {
					task.ours(at)
					at = (at + 1) % len(poses)
				}
				ours = append(ours, float64(time.Since(begin).Nanoseconds())/burst)
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			fast := len(ours) / 10
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours[fast], "ns")
			b.ReportMetric(theirs[fast], "peer-ns")
			b.ReportMetric(ours[fast]/theirs[fast], "of-peer")
		})
	}
	if !f.Finite() {
		b.Error(f)
	}
}

// burst is how often something is done without looking at the clock.
const burst = 1000

// launch starts the program of the peers and returns what measures a burst of a task.
func launch(b *testing.B, program string) func(task string) float64 {
	b.Helper()
	c := exec.CommandContext(context.WithoutCancel(b.Context()), program) // it ends with its input
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
	})
	lines := bufio.NewScanner(out)
	return func(task string) float64 {
		fmt.Fprintln(in, task, burst)
		if !lines.Scan() {
			b.Fatalf("%s: the peer has ended: %v", task, lines.Err())
		}
		took, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			b.Fatal(err)
		}
		return took
	}
}
