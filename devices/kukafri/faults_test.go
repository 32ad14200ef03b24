package kukafri

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestFaultsInTheGuide: the guide explains each number that nets and pages show of a joint, and no other one; pages have words for it.
func TestFaultsInTheGuide(t *testing.T) {
	var of device.FaultReporter = (*Robot)(nil)
	testkit.Faults(t, testkit.Chapter(t, "../../docs/guide-kuka.md", "LWR over FRI"), of, ownFaults-1)
}
