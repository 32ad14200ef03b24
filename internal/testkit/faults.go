package testkit

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Chapter returns the text of a chapter of a guide, from its heading to the next one of the same rank.
func Chapter(t *testing.T, guide, heading string) string {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, found := strings.Cut(string(text), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no chapter %q", guide, heading)
	}
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	return chapter
}

// Faults compares the table of faults of a chapter with those that joints of a device show: the ones that all devices have, and its
// own up to the last. Each stands in the table, no other does, and the device has words for each.
func Faults(t *testing.T, chapter string, of device.FaultReporter, last device.JointFault) {
	t.Helper()
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+(?:, \d+)*) \| [^|]+ \| [^|]+ \|$`).FindAllStringSubmatch(chapter, -1) {
		for n := range strings.SplitSeq(row[1], ", ") {
			explained[n] = true
		}
	}
	var faults []device.JointFault
	for f := device.JointFailed; !strings.HasPrefix(f.String(), "fault "); f++ {
		faults = append(faults, f)
	}
	for f := device.JointOwnFaults; f <= last; f++ {
		faults = append(faults, f)
	}
	for _, f := range faults {
		n := strconv.Itoa(int(f))
		if !explained[n] {
			t.Errorf("%s (%v) is not explained", n, f)
		}
		if text := of.FaultText(f); strings.HasPrefix(text, "fault ") {
			t.Errorf("%q is all that people are told of %s", text, n)
		}
		delete(explained, n)
	}
	if len(explained) > 0 {
		t.Errorf("no joint shows %v", explained)
	}
}
