package rcc

import "testing"

func TestLabels(t *testing.T) {
	c := &Core{devices: devices{byName: map[string]*lentDevice{"left arm": {number: 7}}}}
	for number, name := range []string{"rpinet0", "rpinet1"} {
		if got := c.labelled(label(number)); got != name {
			t.Errorf("net %d is called %s", number, got)
		}
	}
	if got := c.labelled(0); got != "" {
		t.Errorf("no net is called %s", got)
	}
	for number, name := range map[uint64]string{7: "device left arm", 8: "a device that is gone"} {
		if got := c.labelled(deviceLabel(number)); got != name {
			t.Errorf("device %d is called %s", number, got)
		}
	}
}
