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
func TestBlameIsOnRecord(t *testing.T) {
	n := &Net{nets: &Nets{ground: &ground{log: zap.NewNop()}}, name: "rpinet7"}
	n.noteBlame(sched.Event{Kind: sched.NetEnded, Cause: sched.Aborted})
	if why := n.Blame(); why != "" {
		t.Errorf("without overload: %s", why)
	}
	why := &sched.OverloadError{Load: sched.Load{CPU: 3, Limit: 800_000, Taken: 615_000, Share: 240_000}}
	n.noteBlame(sched.Event{Kind: sched.NetCancelling, Err: why})
	n.noteBlame(sched.Event{Kind: sched.NetEnded, Err: why})
	want := "rpinet7 is ended: of CPU 3 nets may have 80 %, the others take 61.5 %, and it takes 24 %, measured 3 times in a row"
	if got := n.Blame(); got != want {
		t.Errorf("%s", got)
	}
	n = &Net{nets: n.nets, name: "rpinet8"}
	n.noteBlame(sched.Event{Kind: sched.NetEnded, Cause: sched.Overrun, Err: &sched.OverrunError{Period: 1e6, Cycles: 62, Excess: 305e5, Outside: 1e7}})
	want = "rpinet8 is ended: its last 62 cycles took longer than 1ms, together by 30.5ms, of which interrupts and the host took 10ms"
	if got := n.Blame(); got != want {
		t.Errorf("%s", got)
	}
}
