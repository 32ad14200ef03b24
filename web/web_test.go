package web

import (
	"os/exec"
	"testing"
)

// TestModules runs the tests of the modules.
func TestModules(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skip: no node: the tests of the browser modules do not run")
	}
	if out, err := exec.CommandContext(t.Context(), node, "--test", "directio.test.js", "instance.test.js", "plot.test.js", "numbers.test.js", "scene.test.js", "debug.test.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
