package drives

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// terminals are which objects the inputs and outputs are.
type terminals struct{ digitalIn, digitalOut, analogIn, analogOut []port }

// port is a bit of an object, or all of an object with a number.
type port struct {
	index    uint16
	sub      uint8
	bit      int // -1 for a number
	unsigned bool
	usual    bool // not requested
}

// Default ports, as in Ports.
const (
	usualDigitalIn  = "0x60FD.16-23"
	usualDigitalOut = "0x60FE:1.16-23"
)

func (p port) object() string {
	if p.sub > 0 {
		return fmt.Sprintf("%#04x:%d", p.index, p.sub)
	}
	return fmt.Sprintf("%#04x", p.index)
}

// parsePorts reads lists such as "0x60FD.16-23 0x60FE:1.0" of bits, and "0x2200:1 0x2200:2u" of numbers.
func parsePorts(text string, numbers bool) (list []port, err error) {
	for _, word := range strings.Fields(text) {
		rest, unsigned := strings.CutSuffix(word, "u")
		object, bits, digital := strings.Cut(rest, ".")
		p := port{bit: -1, unsigned: unsigned}
		if p.index, p.sub, err = ecat.ParseObject(object); err != nil {
			return nil, fmt.Errorf("%q: %w", word, err)
		}
		if digital == numbers || unsigned && !numbers {
			return nil, fmt.Errorf("%q: a bit of an object is written as 0x60FD.16, a number as 0x2200:1", word)
		}
		if numbers {
			list = append(list, p)
			continue
		}
		from, to, several := strings.Cut(bits, "-")
		first, err := strconv.ParseUint(from, 10, 6)
		last := first
		if err == nil && several {
			last, err = strconv.ParseUint(to, 10, 6)
		}
		if err != nil || last < first {
			return nil, fmt.Errorf("%q: bits are from 0 to 63", word)
		}
		for b := first; b <= last; b++ {
			p.bit = int(b)
			list = append(list, p)
		}
	}
	return list, nil
}

// newTerminals reads the parameters.
func newTerminals(cfg *Ports) (t *terminals, err error) {
	t = &terminals{}
	for _, f := range []struct {
		name, text, usual string
		numbers           bool
		into              *[]port
	}{
		{"digin", cfg.DigitalIn, usualDigitalIn, false, &t.digitalIn},
		{"digout", cfg.DigitalOut, usualDigitalOut, false, &t.digitalOut},
		{"anin", cfg.AnalogIn, "", true, &t.analogIn},
		{"anout", cfg.AnalogOut, "", true, &t.analogOut},
	} {
		if *f.into, err = parsePorts(f.text, f.numbers); err != nil {
			return nil, device.WrongParam(f.name, "%w", err)
		}
		for i := range *f.into {
			(*f.into)[i].usual = f.text == f.usual
		}
	}
	return t, nil
}

// count returns how many there are.
func (t *terminals) count(name string) device.Ports {
	return device.Ports{
		Device: name, DigitalIn: len(t.digitalIn), DigitalOut: len(t.digitalOut), AnalogIn: len(t.analogIn), AnalogOut: len(t.analogOut),
	}
}

// read takes inputs (cycle).
func (t *terminals) read(l *layout, in image.View, into *ports.Image, unit float64) {
	for i, p := range l.digitalIn {
		into.SetDigitalIn(i, p.there() && p.get(in) != 0)
	}
	numbers := t.analogIn
	for i, p := range l.analogIn {
		if i >= len(numbers) || !p.there() {
			continue
		}
		v := float64(in.Signed(p.at, p.bits))
		if numbers[i].unsigned {
			v = float64(p.get(in))
		}
		into.SetAnalogIn(i, v*unit)
	}
}

// write puts outputs where they belong; numbers stay within what there is room for (cycle).
func (t *terminals) write(l *layout, from *ports.Image, out image.View, unit float64) {
	for i, p := range l.digitalOut {
		if p.there() {
			out.SetBit(p.at, from.DigitalOut(i))
		}
	}
	numbers := t.analogOut
	for i, p := range l.analogOut {
		if i < len(numbers) && p.there() {
			p.put(out, word(from.AnalogOut(i)/unit, p.bits, numbers[i].unsigned))
		}
	}
}

// word returns the coding of a number with a number of bits (cycle).
func word(v float64, bits int, unsigned bool) uint64 {
	if v != v || bits <= 0 {
		return 0
	}
	const exact = 53 // more bits than a number has digits for
	bits = min(bits, exact)
	least, most := -float64(int64(1)<<uint(bits-1)), float64(int64(1)<<uint(bits-1)-1)
	if unsigned {
		least, most = 0, float64(int64(1)<<uint(bits)-1)
	}
	v = min(max(v, least), most)
	if v < 0 {
		return uint64(int64(v - 0.5))
	}
	return uint64(v + 0.5)
}
