package kukarsi

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestFaultsInTheGuide: the guide explains each number that nets and pages show of a joint, and no other one.
func TestFaultsInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide-kuka.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(guide), "\n## KR robots over RSI\n")
	if !found {
		t.Fatal("the guide has no such chapter")
	}
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+(?:, \d+)*) \| [^|]+ \| [^|]+ \|$`).FindAllStringSubmatch(text, -1) {
		for n := range strings.SplitSeq(row[1], ", ") {
			explained[n] = true
		}
	}
	faults := []device.JointFault{}
	for f := device.JointFailed; !strings.HasPrefix(f.String(), "fault "); f++ {
		faults = append(faults, f)
	}
	for f := device.JointOwnFaults; f < ownFaults; f++ {
		faults = append(faults, f)
	}
	for _, f := range faults {
		n := strconv.Itoa(int(f))
		if !explained[n] {
			t.Errorf("%s (%v) is not explained", n, f)
		}
		delete(explained, n)
	}
	if len(explained) > 0 {
		t.Errorf("no joint shows %v", explained)
	}
}
