package client_test

import (
	"errors"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// TestFigures: they are those of all cycles when the net has ended; those of another net are not reported.
func TestFigures(t *testing.T) {
	core, address := cell(t)
	d, _ := keep(t, address)
	const period = 5 * time.Millisecond
	n, err := d.Load(in(t), `{age=Core::Clock(),old=Core::DoubleGreater(inFirst=age.outValue,Second='0.1'),outTerminate=old.outValue}`, client.NetOptions{Cycle: period})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := n.Figures(in(t)); err != nil || f != (client.Figures{}) {
		t.Errorf("before the first cycle: %+v, %v", f, err)
	}
	if list, err := n.Phases(in(t)); err != nil || list != nil {
		t.Errorf("nobody has asked for %v, %v", list, err)
	}
	if err := n.KeepPhases(in(t)); err != nil {
		t.Fatal(err)
	}
	if err := n.Start(in(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := n.End(in(t)); err != nil {
		t.Fatal(err)
	}
	f, err := n.Figures(in(t))
	if err != nil {
		t.Fatal(err)
	}
	there, err := core.Nets.Get(n.Name)
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := there.Stats(); f.Cycles != int(s.Cycles) || f.Cycles < 20 || f.Cycle.Min != period || f.Cycle.Mean != period || f.Cycle.Max != period {
		t.Errorf("%d cycles are told to be %+v", s.Cycles, f)
	}
	if e := f.Execution; !(e.Min > 0 && e.Min <= e.Mean && e.Mean <= e.Max) {
		t.Errorf("%+v", e)
	}
	list, err := n.Phases(in(t))
	if err != nil || len(list) != f.Cycles || list[0].Cycle != 1 {
		t.Errorf("%d cycles of %d, %v", len(list), f.Cycles, err)
	}
	for i, p := range there.Phases() {
		if list[i] != (client.Phases{Cycle: int(p.Cycle), Sense: p.Sense, Run: p.Run, Act: p.Act}) {
			t.Errorf("%+v is told to be %+v", p, list[i])
		}
	}
	if err := n.Unload(in(t)); err != nil {
		t.Error(err)
	}
	if _, err := n.Figures(in(t)); !errors.Is(err, client.ErrUnloaded) && !errors.As(err, new(*client.RefusedError)) {
		t.Errorf("of a net that is unloaded: %v", err)
	}
}
