// Package veth gives a test a network of its own: a namespace with two interfaces that are the ends of one cable. The test runs in
// another process for that, so nothing of the machine is touched and nothing is left behind.
package veth

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// The ends of the cable.
const (
	A = "veth0"
	B = "veth1"
)

// inside is set in the process that has the network.
const inside = "RCCD_TEST_INSIDE_VETH"

// Enter returns true in a process that has a network of its own. In the process of the test it starts that one, tells what it says,
// and returns false: then the test is done. Where the system does not allow it the test is skipped.
//
//	if !veth.Enter(t) {
//		return
//	}
func Enter(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inside) == t.Name() {
		setUp(t)
		return true
	}
	if runtime.GOOS != "linux" {
		t.Skip("skip: networks of their own are for Linux")
	}
	for _, tool := range []string{"unshare", "ip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skip: %s is not installed, so there is no network of its own", tool)
		}
	}
	const trial = "ip link add " + A + " type veth peer name " + B
	if out, err := exec.CommandContext(t.Context(), "unshare", "-Urn", "sh", "-c", trial).CombinedOutput(); err != nil {
		t.Skipf("skip: no network of its own is allowed here: %v: %s", err, out)
	}
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd := exec.CommandContext(t.Context(), "unshare", "-Urn", os.Args[0], "-test.run="+pattern, "-test.v", "-test.count=1")
	cmd.Env = append(os.Environ(), inside+"="+t.Name())
	out, err := cmd.CombinedOutput()
	t.Logf("in a network of its own:\n%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}

func setUp(t *testing.T) {
	t.Helper()
	for _, c := range []string{
		"link add " + A + " type veth peer name " + B, "link set lo up", "link set " + A + " up", "link set " + B + " up",
	} {
		ip(t, c)
	}
	// The kernel goes on in the background. Until it has got so far, interfaces swallow what they are given.
	for _, end := range []string{A, B} {
		for is := ""; !strings.Contains(is, "state UP") || strings.Contains(is, "qdisc noop "); {
			is = ip(t, "-oneline link show "+end)
		}
	}
}

func ip(t *testing.T, words string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ip", strings.Fields(words)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ip %s: %v: %s", words, err, out)
	}
	return string(out)
}
