// Package veth gives a test a network of its own: a namespace with two interfaces that are the ends of one cable. The test runs in
// another process for that, so nothing of the machine is touched and nothing is left behind.
package veth

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
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

// Enter returns true in a process that has a network of its own. In the process of the test it starts that one, prints its output,
// and returns false: then the test is done. Where the system does not allow it the test is skipped.
//
//	if !veth.Enter(t) {
//		return
//	}
//
// A benchmark that enters runs once in there, and its figures are those of the one outside.
func Enter(t testing.TB) bool {
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
	how, err := separation(t)
	if err != nil {
		t.Skip("skip: no network of its own is allowed here: ", err)
	}
	b, measures := t.(*testing.B)
	cmd := exec.CommandContext(t.Context(), "unshare", append([]string{how, os.Args[0]}, choice(t.Name(), measures)...)...)
	cmd.Env = append(os.Environ(), inside+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !measures {
		t.Logf("in a network of its own:\n%s", out)
	}
	if err != nil {
		t.Error(err)
	}
	if measures {
		report(b, string(out))
	}
	return false
}

// separation returns how unshare makes a network. Root keeps the rights that it has, such as real-time scheduling, which somebody who is root
// only inside does not get.
func separation(t testing.TB) (how string, err error) {
	const trial = "ip link add " + A + " type veth peer name " + B
	for _, how = range []string{"-n", "-Urn"} {
		var out []byte
		if out, err = exec.CommandContext(t.Context(), "unshare", how, "sh", "-c", trial).CombinedOutput(); err == nil {
			return how, nil
		}
		err = fmt.Errorf("%w: %s", err, out)
	}
	return "", err
}

// choice returns what makes a test binary run this test, or this benchmark once.
func choice(name string, measures bool) []string {
	pattern := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	if measures {
		return []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=1x", "-test.v", "-test.count=1"}
	}
	return []string{"-test.run=" + pattern, "-test.v", "-test.count=1"}
}

// report hands on the figures of a benchmark, or says why there are none.
func report(b *testing.B, out string) {
	b.Helper()
	found := false
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		found = true
		for words = words[2:]; len(words) > 1; words = words[2:] {
			if v, err := strconv.ParseFloat(words[0], 64); err == nil {
				b.ReportMetric(v, words[1])
			}
		}
	}
	if !found && !b.Failed() {
		b.Skip("skip: ", out)
	}
}

func setUp(t testing.TB) {
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

func ip(t testing.TB, words string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ip", strings.Fields(words)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ip %s: %v: %s", words, err, out)
	}
	return string(out)
}
