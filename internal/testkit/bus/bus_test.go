package bus_test

import (
	"context"
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/internal/testkit/bus"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// blink is a device that switches an output on, and looks at an input.
type blink struct {
	slave    int
	prepared int
	quality  ecat.Quality
}

var errMissing = errors.New("its slave is missing")

func (b *blink) Startup(slaves []ecat.Slave) error {
	if b.slave >= len(slaves) {
		return errMissing
	}
	return slaves[b.slave].Attach(b)
}

func (b *blink) Shutdown()                                         { b.quality = ecat.Invalid }
func (b *blink) Prepare(*ecat.Moment)                              { b.prepared++ }
func (b *blink) PreOp(context.Context, ecat.Slave) error           { return nil }
func (b *blink) SafeOp(context.Context, ecat.Slave) error          { return nil }
func (b *blink) Write(outputs image.View, _ *ecat.Moment)          { outputs.SetBit(0, true) }
func (b *blink) Read(_ image.View, q ecat.Quality, _ *ecat.Moment) { b.quality = q }

// A device on the bus lives in its cycles; one that cannot start does not keep others from it.
func TestBus(t *testing.T) {
	b := bus.New(t, bus.Rack("EK1100", "EL2008"), ethercat.Options{})
	there, elsewhere := &blink{slave: 1}, &blink{slave: 7}
	for name, d := range map[string]*blink{"there": there, "elsewhere": elsewhere} {
		if err := b.Add(name, d); err != nil {
			t.Fatal(err)
		}
	}
	b.Start()
	b.Cycles(10)
	if there.prepared < 10 || there.quality != ecat.Fresh || !errors.Is(b.Refused("elsewhere"), errMissing) || elsewhere.prepared != 0 {
		t.Errorf("%+v, %+v, %v", there, elsewhere, b.Refused("elsewhere"))
	}
	b.Stop()
	if there.quality != ecat.Invalid || b.Trouble() == "" {
		t.Errorf("%+v after the bus was left, %q", there, b.Trouble())
	}
}
