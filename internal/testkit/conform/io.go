package conform

import (
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// IO checks inputs and outputs. Whatever is connected to the outputs must bear any value.
func IO(t *testing.T, open func(t *testing.T) device.IO) {
	t.Helper()
	t.Run("announced", func(t *testing.T) { ioAnnounced(t, open(t)) })
	t.Run("outputs", func(t *testing.T) { ioOutputs(t, open(t)) })
	t.Run("inputs", func(t *testing.T) { ioInputs(t, open(t)) })
	t.Run("shared", func(t *testing.T) { ioShared(t, open(t)) })
	t.Run("beyond", func(t *testing.T) { ioBeyond(t, open(t)) })
	t.Run("allocations", func(t *testing.T) { ioAllocations(t, open(t)) })
	t.Run("together", func(t *testing.T) { ioTogether(t, open(t)) })
}

func ioAnnounced(t *testing.T, d device.IO) {
	t.Helper()
	want := map[string]string{}
	for k := device.DigitalIn; k <= device.AnalogOut; k++ {
		want[k.String()] = strconv.Itoa(d.Ports().Of(k))
	}
	for _, i := range d.Interfaces() {
		if i.Name == device.IOName {
			if diff := cmp.Diff(want, i.Params); diff != "" {
				t.Errorf("clients compare these with their ports (-ports +announced):\n%s", diff)
			}
			return
		}
	}
	t.Errorf("%v does not announce %s", d.Interfaces(), device.IOName)
}

// tick is the time of any tick.
const tick = int64(1_700_000_000_000_000_000)

// ioOutputs sets each output, and checks whether all others stay.
func ioOutputs(t *testing.T, d device.IO) {
	t.Helper()
	n := d.Ports()
	for set := range n.DigitalOut {
		d.SetDigitalOut(set, true, tick)
		for port := range n.DigitalOut {
			if got := d.DigitalOut(port); got != (port <= set) {
				t.Fatalf("digital output %d is %v after 0 to %d have been set", port, got, set)
			}
		}
	}
	for set := range n.AnalogOut {
		d.SetAnalogOut(set, float64(set)+0.5, tick)
		for port := range set + 1 {
			if got := d.AnalogOut(port); got != float64(port)+0.5 {
				t.Fatalf("analog output %d is %v after 0 to %d have been set", port, got, set)
			}
		}
	}
	for port := range n.DigitalOut {
		d.SetDigitalOut(port, false, 0) // as people do
		if d.DigitalOut(port) {
			t.Errorf("digital output %d does not go off", port)
		}
	}
}

// ioInputs sets each input of a simulation, and checks whether all others stay.
func ioInputs(t *testing.T, d device.IO) {
	t.Helper()
	fed, ok := d.(device.FedIO)
	if !ok {
		return // where inputs come from is the driver's affair
	}
	n := d.Ports()
	for set := range n.DigitalIn {
		fed.SetDigitalIn(set, true)
		for port := range n.DigitalIn {
			if got := d.DigitalIn(port); got != (port <= set) {
				t.Fatalf("digital input %d is %v after 0 to %d have been set", port, got, set)
			}
		}
	}
	for set := range n.AnalogIn {
		fed.SetAnalogIn(set, -float64(set)-0.25)
		for port := range set + 1 {
			if got := d.AnalogIn(port); got != -float64(port)-0.25 {
				t.Fatalf("analog input %d is %v after 0 to %d have been set", port, got, set)
			}
		}
	}
}

// ioShared writes as nets do: the last one of a tick decides, and the others are counted.
func ioShared(t *testing.T, d device.IO) {
	t.Helper()
	for port := range d.Ports().DigitalOut {
		before := d.Shared(device.DigitalOut, port)
		for n, on := range []bool{true, false, true} {
			d.SetDigitalOut(port, on, tick+int64(n)) // a tick each
		}
		if got := d.Shared(device.DigitalOut, port) - before; got != 0 {
			t.Errorf("digital output %d: one writer in each tick, %d more are told", port, got)
		}
		for _, on := range []bool{true, true, false} {
			d.SetDigitalOut(port, on, tick+10)
		}
		if got := d.Shared(device.DigitalOut, port) - before; got != 2 || d.DigitalOut(port) {
			t.Errorf("digital output %d is %v after three writers of which %d are told as more than one", port, d.DigitalOut(port), got)
		}
	}
	for port := range d.Ports().AnalogOut {
		before := d.Shared(device.AnalogOut, port)
		for _, v := range []float64{1, 2} {
			d.SetAnalogOut(port, v, tick+10)
			d.SetAnalogOut(port, v/8, 0) // people do not count as writers of a tick
		}
		if got := d.Shared(device.AnalogOut, port) - before; got != 1 || d.AnalogOut(port) != 0.25 {
			t.Errorf("analog output %d is %v after two writers of which %d are told as more than one", port, d.AnalogOut(port), got)
		}
	}
}

// ioBeyond uses ports that are not there.
func ioBeyond(t *testing.T, d device.IO) {
	t.Helper()
	n := d.Ports()
	for _, by := range []int{0, 1, 1 << 40} {
		d.SetDigitalOut(n.DigitalOut+by, true, tick)
		d.SetAnalogOut(n.AnalogOut+by, 1, tick)
		if d.DigitalOut(n.DigitalOut+by) || d.AnalogOut(n.AnalogOut+by) != 0 || d.DigitalIn(n.DigitalIn+by) || d.AnalogIn(n.AnalogIn+by) != 0 {
			t.Errorf("ports by %d beyond the last have values", by)
		}
	}
	d.SetDigitalOut(-1, true, tick)
	d.SetAnalogOut(-1, 1, tick)
	if d.DigitalOut(-1) || d.AnalogOut(-1) != 0 || d.DigitalIn(-1) || d.AnalogIn(-1) != 0 {
		t.Error("ports before the first have values")
	}
	for port := range n.DigitalOut {
		if d.DigitalOut(port) {
			t.Errorf("digital output %d is on, which nobody has set", port)
		}
	}
}

func ioAllocations(t *testing.T, d device.IO) {
	t.Helper()
	at := tick
	n := alloc.Least(func() {
		at++
		for port := range 2 {
			d.SetDigitalOut(port, !d.DigitalIn(port), at)
			d.SetAnalogOut(port, d.AnalogIn(port)+d.AnalogOut(port), at)
			d.SetDigitalOut(port, d.DigitalOut(port), at)
		}
	})
	if n != 0 {
		t.Errorf("%d allocations in a cycle", n)
	}
}

// ioTogether writes and reads from many threads: what is read has been written.
func ioTogether(t *testing.T, d device.IO) {
	t.Helper()
	const cycles = 20_000
	n := d.Ports()
	var all sync.WaitGroup
	for k := range 3 {
		all.Go(func() {
			for c := range cycles {
				if n.AnalogOut > 0 {
					d.SetAnalogOut(c%n.AnalogOut, float64(k+1), tick+int64(c))
				}
				if n.DigitalOut > 0 {
					d.SetDigitalOut(c%n.DigitalOut, c%2 == 0, tick+int64(c))
				}
			}
		})
		all.Go(func() {
			for c := range cycles {
				if v := d.AnalogOut(c % max(1, n.AnalogOut)); v != 0 && v != 1 && v != 2 && v != 3 {
					t.Errorf("nobody wrote %v", v)
					return
				}
				if c%1000 == 0 {
					_ = d.Status()
				}
			}
		})
	}
	all.Wait()
}
