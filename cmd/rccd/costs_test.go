package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCosts measures types once, and finds the figures in the folder of a daemon again.
func TestCosts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	var out, errs bytes.Buffer
	if code := measureLatency([]string{"--costs", "--state", dir, "--json"}, streams{out: &out, err: &errs}); code != done {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	var m measuredCosts
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Costs["Core::DoubleAdd"]; !ok || len(m.Costs) < 100 {
		t.Errorf("%d types are measured: %s", len(m.Costs), &out)
	}
	if why := m.Not["RobotArm::JointMonitor"]; why != "" && !strings.Contains(why, "device") {
		t.Error(why)
	}
	folder := &stateFolder{dir: dir}
	costs, err := folder.costs()
	if err != nil || len(costs.Types) != len(m.Costs) || !strings.Contains(costs.From, m.Machine) {
		t.Errorf("%+v, %v", costs, err)
	}
	if err := os.WriteFile(filepath.Join(dir, costsFile), []byte("?"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.costs(); err == nil || !strings.Contains(err.Error(), costsFile) {
		t.Errorf("a broken file: %v", err)
	}
	for _, none := range []*stateFolder{{}, {dir: t.TempDir()}} {
		if costs, err := none.costs(); costs != nil || err != nil {
			t.Errorf("%+v, %v", costs, err)
		}
	}
}
