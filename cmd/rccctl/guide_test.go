package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/softrobot-rcc/rccd/rcc/config"
)

// TestGuide runs the commands of this program that the guide shows, and reads its configuration. Its changes to a machine are
// compared with the reports in internal/doctor.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "guide-real-time.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands, cell := "", ""
	kind, inside := "", false
	for line := range strings.Lines(string(text)) {
		rest, fence := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "```")
		switch {
		case fence:
			kind, inside = rest, !inside
		case inside && kind == "sh rccctl":
			commands += line
		case inside && kind == "yaml":
			cell += line
		}
	}
	if commands == "" || cell == "" {
		t.Fatal("the guide shows no command, or no configuration")
	}
	if _, err := config.Load(fstest.MapFS{"cell.yaml": {Data: []byte(cell)}}, "cell.yaml", "guide", config.Known{}); err != nil {
		t.Error(err)
	}
	// Rights are those of this test, and the daemon is a shell: whether something is needed depends on the machine.
	const stage = "sudo() { \"$@\"; }\npidof() { echo $$; }\n"
	for command := range strings.Lines(commands) {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", stage+command).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) || !strings.Contains(string(out), "kernel") {
			t.Errorf("%s%v\n%s", command, err, out)
		}
	}
}
