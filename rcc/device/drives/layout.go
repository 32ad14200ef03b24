package drives

import (
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// place is where something stands in process data, nowhere when it has no bits.
type place struct{ at, bits int }

func (p place) there() bool { return p.bits > 0 }

// layout is where all that counts stands in the process data of a slave.
type layout struct {
	axes                                       []axisPlaces
	digitalIn, digitalOut, analogIn, analogOut []place
	missing                                    []string // ports that are not there
}

type axisPlaces struct {
	control, mode, target, speed, torque place // outputs
	status, display, actual, code        place // inputs
}

// newLayout looks for objects where the slave says that they are. Axes have an order of their own in it.
func newLayout(outputs, inputs []ecat.Area, order []int, t *terminals, mode cia402.Mode, modeBySDO bool) (*layout, error) {
	l := &layout{axes: make([]axisPlaces, len(order))}
	var errs []error
	for i := range l.axes {
		a := &l.axes[i]
		for _, f := range []struct {
			into     *place
			areas    []ecat.Area
			where    string
			object   uint16
			bits     int
			common   bool // may be one for all axes
			optional bool
		}{
			{&a.control, outputs, "outputs", cia402.Controlword, 16, false, false},
			{&a.target, outputs, "outputs", cia402.TargetPosition, 32, false, mode != cia402.CyclicPosition},
			{&a.speed, outputs, "outputs", speedObject(mode), 32, false, mode != cia402.CyclicVelocity},
			{&a.torque, outputs, "outputs", cia402.TargetTorque, 16, false, mode != cia402.CyclicTorque},
			{&a.mode, outputs, "outputs", cia402.ModeOfOperation, 8, true, modeBySDO},
			{&a.status, inputs, "inputs", cia402.Statusword, 16, false, false},
			{&a.actual, inputs, "inputs", cia402.ActualPosition, 32, false, false},
			{&a.display, inputs, "inputs", cia402.ModeDisplay, 8, true, modeBySDO},
			{&a.code, inputs, "inputs", cia402.ErrorCode, 16, false, true},
		} {
			index := cia402.Of(f.object, order[i])
			at := find(f.areas, index, 0)
			if f.common && !at.there() {
				at = find(f.areas, f.object, 0)
			}
			switch {
			case at.there() && at.bits != f.bits:
				errs = append(errs, fmt.Errorf("object %#04x has %d bits in the %s, not %d", index, at.bits, f.where, f.bits))
			case !at.there() && !f.optional:
				errs = append(errs, fmt.Errorf("object %#04x of axis %d is not in the %s", index, order[i]+1, f.where))
			}
			*f.into = at
		}
	}
	l.digitalIn = l.ports(inputs, t.digitalIn)
	l.digitalOut = l.ports(outputs, t.digitalOut)
	l.analogIn = l.ports(inputs, t.analogIn)
	l.analogOut = l.ports(outputs, t.analogOut)
	return l, errors.Join(errs...)
}

// speedObject has the velocity: the target, or beside target positions what is known of it before.
func speedObject(mode cia402.Mode) uint16 {
	if mode == cia402.CyclicPosition {
		return cia402.VelocityOffset
	}
	return cia402.TargetVelocity
}

// ports returns the places of some.
func (l *layout) ports(areas []ecat.Area, list []port) (places []place) {
	for _, p := range list {
		at := find(areas, p.index, p.sub)
		switch {
		case !at.there() || p.bit >= at.bits:
			if at = (place{}); !p.usual && !slices.Contains(l.missing, p.object()) {
				l.missing = append(l.missing, p.object())
			}
		case p.bit >= 0:
			at = place{at.at + p.bit, 1}
		}
		places = append(places, at)
	}
	return places
}

// find returns where an entry of an object stands. Where it has several, those that are not given are the first.
func find(areas []ecat.Area, index uint16, sub uint8) place {
	at := 0
	for _, a := range areas {
		bit := at
		for _, p := range a.PDOs {
			for _, e := range p.Entries {
				if e.Index() == index && e.Index() != 0 && e.Sub() == sub {
					return place{bit, int(e.Bits())}
				}
				bit += int(e.Bits())
			}
		}
		at += 8 * a.Length
	}
	return place{}
}

// get and put are a word where it stands (cycle).
func (p place) get(v image.View) uint64 { return v.Get(p.at, p.bits) }

func (p place) put(v image.View, word uint64) { v.Set(p.at, p.bits, word) }
