package rcc

import (
	"testing"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/rcc/sched"
)

func TestLabels(t *testing.T) {
	g := &ground{}
	ex := &Executors{ground: g, devices: &Devices{ground: g, byName: map[string]*lentDevice{"left arm": {number: 7}}}}
	for number, name := range []string{"rpinet0", "rpinet1"} {
		if got := ex.labelled(label(number)); got != name {
			t.Errorf("net %d is called %s", number, got)
		}
	}
	if got := ex.labelled(0); got != "" {
		t.Errorf("no net is called %s", got)
	}
	for number, name := range map[uint64]string{7: "device left arm", 8: "a device that is gone"} {
		if got := ex.labelled(deviceLabel(number)); got != name {
			t.Errorf("device %d is called %s", number, got)
		}
	}
}

// The request to make room stays on the record of a net, whatever its end is called then.
func TestOverloadIsOnRecord(t *testing.T) {
	n := &Net{nets: &Nets{ground: &ground{log: zap.NewNop()}}, name: "rpinet7"}
	n.noteOverload(sched.Event{Kind: sched.NetEnded, Cause: sched.Aborted})
	if why := n.Overload(); why != "" {
		t.Errorf("without overload: %s", why)
	}
	why := &sched.OverloadError{Load: sched.Load{CPU: 3, Limit: 800_000, Taken: 615_000, Share: 240_000}}
	n.noteOverload(sched.Event{Kind: sched.NetCancelling, Err: why})
	n.noteOverload(sched.Event{Kind: sched.NetEnded, Err: why})
	want := "rpinet7 is ended: of CPU 3 nets may have 80 %, the others take 61.5 %, and it takes 24 %, measured 3 times in a row"
	if got := n.Overload(); got != want {
		t.Errorf("%s", got)
	}
}
