package ethercat

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

func TestStartSix(t *testing.T) {
	r := newRig(t, six(), Options{})
	e := &everything{}
	r.m.Add(e)
	r.start()
	t.Logf("%.1f ms, %d frames", float64(r.cable.Now()-startOfTime)/1e6, r.cable.Sent())
	var names []string
	for _, s := range r.m.Slaves() {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"EK1100", "EL1008", "EL2008", "EL3104", "EL4132", "EL1018"}, names); diff != "" {
		t.Error(diff)
	}
	r.cycles(20)
	if !r.whole() || !r.last.Answered || !r.m.cycle.running.Load() {
		t.Error(r.states(), r.last)
	}
	for i, d := range e.drivers {
		if s := r.m.Slaves()[i]; len(s.Inputs) > 0 && d.quality != ecat.Fresh {
			t.Errorf("%v: %v", s, d.quality)
		}
		if diff := cmp.Diff([]string{"Pre-Op", "Safe-Op"}, d.calls); diff != "" {
			t.Error(diff)
		}
	}
	if trips := r.m.RoundTrips(); trips.Count < 20 || trips.Min <= 0 || trips.Max > 100*time.Microsecond {
		t.Errorf("%+v", trips)
	}
	if err := r.m.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	for s := range r.chain.Slaves() {
		if state, code := s.State(); state != wire.PreOp {
			t.Errorf("%s: %v %v", s.Name(), state, code)
		}
	}
	if e.ended != 1 || e.prepared == 0 {
		t.Error(e.ended, e.prepared)
	}
	if st := r.m.Statistics(); st.Lost+st.WrongCounter+st.Invalid+st.Retries > 10 {
		t.Errorf("%+v", st)
	} else {
		t.Logf("%+v", st)
	}
}
