package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestNobodyReadsCommands: no command waits for a reader of its standard error, or ends differently without one.
func TestNobodyReadsCommands(t *testing.T) {
	for _, words := range []string{
		"--no", "latency --period 1ns", "rsisim --to nowhere", "frisim --to nowhere", "ethersim --no",
	} {
		for _, gone := range []bool{true, false} {
			t.Run(words, func(t *testing.T) {
				t.Parallel()
				in, out, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				if gone {
					_ = in.Close()
				} else {
					fill(t, out)
				}
				cmd := exec.CommandContext(t.Context(), "rccd", strings.Fields(words)...)
				cmd.Stderr = out
				err = cmd.Start()
				_ = out.Close()
				if err != nil {
					t.Fatal(err)
				}
				late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
				defer late.Stop()
				if err := cmd.Wait(); cmd.ProcessState.ExitCode() != usage && cmd.ProcessState.ExitCode() != failed {
					t.Errorf("gone: %t: %v", gone, err)
				}
			})
		}
	}
}

// TestNobodyReadsSimulators: a simulator ends in order when the reader of its output has gone.
func TestNobodyReadsSimulators(t *testing.T) {
	for _, words := range []string{"rsisim --to 127.0.0.1:9 --status 10ms", "frisim --to 127.0.0.1:9 --status 10ms"} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			_ = in.Close()
			cmd := exec.CommandContext(t.Context(), "rccd", strings.Fields(words)...)
			cmd.Stdout = out
			err = cmd.Start()
			_ = out.Close()
			if err != nil {
				t.Fatal(err)
			}
			late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			defer late.Stop()
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}
