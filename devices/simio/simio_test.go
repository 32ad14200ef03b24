package simio_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

func open(t *testing.T, params map[string]string) device.IO {
	t.Helper()
	d, err := simio.Type.Open(&device.Env{Name: "io"}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d.(device.IO)
}

func TestConformance(t *testing.T) {
	for name, params := range map[string]map[string]string{
		"default":    nil,
		"none":       {"digin": "0", "digout": "0", "anin": "0", "anout": "0"},
		"unequal":    {"digin": "3", "digout": "17", "anin": "1", "anout": "2"},
		"wired":      {"loopback": "true"},
		"wired more": {"loopback": "true", "digout": "20", "anin": "20"},
	} {
		t.Run(name, func(t *testing.T) {
			conform.IO(t, func(t *testing.T) device.IO { t.Helper(); return open(t, params) })
		})
	}
}

// TestLoopback: inputs follow in the tick after, as far as there are outputs; the rest stays.
func TestLoopback(t *testing.T) {
	d := open(t, map[string]string{"loopback": "true", "digin": "3", "digout": "2", "anin": "1", "anout": "2"})
	fed, cyclic := d.(device.FedIO), d.(device.Cyclic)
	fed.SetDigitalIn(2, true)
	for n := uint64(1); n <= 4; n++ {
		on, v := n%2 == 1, float64(n)
		d.SetDigitalOut(1, on, int64(n))
		d.SetAnalogOut(0, v, int64(n))
		if n > 1 && (d.DigitalIn(1) == on || d.AnalogIn(0) == v) {
			t.Errorf("tick %d: inputs follow before the tick", n)
		}
		cyclic.Tick(device.Tick{N: n})
		if d.DigitalIn(0) || d.DigitalIn(1) != on || !d.DigitalIn(2) || d.AnalogIn(0) != v {
			t.Errorf("tick %d: %v %v %v %v, not false %v true %v", n, d.DigitalIn(0), d.DigitalIn(1), d.DigitalIn(2), d.AnalogIn(0), on, v)
		}
	}
	if n := alloc.Least(func() { cyclic.Tick(device.Tick{}) }); n != 0 {
		t.Errorf("%d allocations in a tick", n)
	}
}

func TestOnlyWiredDevicesTick(t *testing.T) {
	if _, ticks := open(t, nil).(device.Cyclic); ticks {
		t.Error("it ticks for nothing")
	}
}

func TestSeveralWritersAreTold(t *testing.T) {
	d := open(t, map[string]string{"digout": "20"})
	if s := d.Status(); s.State != device.Operational || s.Cause != "" {
		t.Errorf("status %+v", s)
	}
	d.SetAnalogOut(1, 1, 5)
	d.SetAnalogOut(1, 2, 5)
	if s := d.Status(); s.State != device.Operational || s.Cause != "written more than once in a tick: anout 1" {
		t.Errorf("status %+v", s)
	}
	for port := range 20 {
		d.SetDigitalOut(port, true, 5)
		d.SetDigitalOut(port, true, 5)
	}
	want := "written more than once in a tick: digout 0, digout 1, digout 2, digout 3, digout 4, digout 5, digout 6, digout 7, and others"
	if s := d.Status(); s.Cause != want {
		t.Errorf("status %+v", s)
	}
}
