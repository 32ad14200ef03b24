package rcc

import "testing"

func TestLabels(t *testing.T) {
	for number, name := range []string{"rpinet0", "rpinet1"} {
		if got := labelled(label(number)); got != name {
			t.Errorf("net %d is called %s", number, got)
		}
	}
	if got := labelled(0); got != "" {
		t.Errorf("no net is called %s", got)
	}
}
