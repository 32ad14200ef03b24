package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStart measures from the start of a process to its first answer over HTTP: of the daemon, and in turns with it of one without a
// self-test and of a bare server in Go. All of them are the program of these tests, so that the kernel loads the same.
func BenchmarkStart(b *testing.B) {
	for name, other := range map[string][]string{
		"without-self-test": {"rccd", "--listen", "127.0.0.1:0", "--realtime", "off"},
		"bare":              {"rccd-bare"},
	} {
		b.Run("beside-"+name, func(b *testing.B) {
			var daemon, reference time.Duration
			for range b.N {
				daemon += untilAnswered(b, "rccd", "--listen", "127.0.0.1:0")
				reference += untilAnswered(b, other[0], other[1:]...)
			}
			b.ReportMetric(float64(daemon)/float64(b.N), "ns/start")
			b.ReportMetric(float64(reference)/float64(b.N), "reference-ns/start")
		})
	}
}

// untilAnswered returns how long a program takes until it has answered, from its start on.
func untilAnswered(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), program, args...)
	begun := time.Now()
	p, err := beginCommand(cmd)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := http.Get(p.url + "/healthz")
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	took := time.Since(begun)
	_ = answer.Body.Close()
	if err := p.end(syscall.SIGKILL); err == nil {
		b.Error("a process ends well that is killed")
	}
	return took
}

// bareServer answers, and does nothing else.
func bareServer() {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(failed)
	}
	fmt.Printf("rccd: ready http://%v realtime=off\n", l.Addr())
	_ = http.Serve(l, http.NotFoundHandler()) //nolint:gosec // it lives for one answer
}

// BenchmarkIdle measures what time of a CPU the daemon takes in a second when no client looks: with five simulated devices and
// no net, and while its demonstration runs.
func BenchmarkIdle(b *testing.B) {
	folder := b.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "idle.yaml"), []byte(idleCell), 0o600); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{
		"five-devices": {"--config", "idle.yaml"},
		"demo":         {"demo", "--headless", "--listen", "127.0.0.1:0"},
	} {
		b.Run(name, func(b *testing.B) {
			p, err := begin(b.Context(), folder, args...)
			if err != nil {
				b.Fatal(err)
			}
			defer func() {
				if err := p.end(syscall.SIGTERM); err != nil {
					b.Error(err)
				}
			}()
			<-time.After(settled)
			before := p.cpuTime(b)
			<-time.After(idleFor)
			b.ReportMetric(float64(p.cpuTime(b)-before)/idleFor.Seconds(), "ns-of-a-cpu/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	settled = 5 * time.Second // until what belongs to the start is over
	idleFor = 20 * time.Second
)

const idleCell = `
server: {listen: "127.0.0.1:0"}
devices:
  - {name: lwr, type: kuka_lwr_sim, bandwidth: 25, noise: 0.0001}
  - {name: tx90l, type: staubli_tx90_sim}
  - {name: io, type: io_sim, loopback: true}
  - {name: gripper, type: schunk_wsg_sim}
  - {name: base, type: robotbase_sim}
`

// cpuTime returns what a process has used of CPUs, as proc(5) has it in hundredths of a second.
func (p *process) cpuTime(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Skip("skip:", err)
	}
	const user, system, behindName = 14, 15, 3
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var sum time.Duration
	for _, field := range []int{user, system} {
		n, err := strconv.Atoi(fields[field-behindName])
		if err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(n) * time.Second / 100
	}
	return sum
}
