package beckhoff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// span is bits of process data, counted over all areas of a direction.
type span struct{ at, bits int }

// Sizes of analog channels (facts of terminals): a value; a byte of status in front of it, of old revisions; a word.
const (
	valueBits  = 16
	oldBits    = 8 + valueBits
	statusBits = 16 + valueBits
)

// widths returns the sizes that channels may have.
func widths(k device.PortKind) []int {
	switch k {
	case device.AnalogIn:
		return []int{valueBits, oldBits, statusBits}
	case device.AnalogOut:
		return []int{valueBits}
	case device.DigitalIn, device.DigitalOut:
	}
	return []int{1}
}

// place finds the channels in the process data of a slave: by size and order, as the numbers of objects depend on the revision.
func (m *model) place(outputs, inputs []ecat.Area) ([]span, error) {
	areas, direction := inputs, "inputs"
	if m.kind == device.DigitalOut || m.kind == device.AnalogOut {
		areas, direction = outputs, "outputs"
	}
	may := widths(m.kind)
	if list := channels(areas, m.channels, may); list != nil && (m.signal == level || valuesLast(areas)) {
		return list, nil
	}
	var sizes []string
	for _, w := range may {
		sizes = append(sizes, strconv.Itoa(w))
	}
	return nil, fmt.Errorf("need %s of %d channels with %s bits each, found %s",
		direction, m.channels, strings.Join(sizes, " or "), describe(areas))
}

// channels returns a number of channels in areas, of the sizes that they may have: each a unit, or all of one size in larger units;
// nil when they do not come out even.
func channels(areas []ecat.Area, n int, may []int) []span {
	found, bare := units(areas, may[0] == 1)
	if len(found) == n && !slices.ContainsFunc(found, func(s span) bool { return !slices.Contains(may, s.bits) }) {
		return found
	}
	total := 0
	for _, s := range found {
		total += s.bits
	}
	for _, width := range may {
		most := n * width
		if bare {
			most = (most + 7) / 8 * 8
		}
		if total == most {
			return cut(found, n, width)
		}
	}
	return nil
}

// valuesLast reports whether a value ends each process data object, as the value of an analog channel does.
func valuesLast(areas []ecat.Area) bool {
	for _, a := range areas {
		for _, p := range a.PDOs {
			if n := len(p.Entries); len(entriesOf(&p, 0)) > 0 && (p.Entries[n-1].Index() == 0 || p.Entries[n-1].Bits() != valueBits) {
				return false
			}
		}
	}
	return true
}

// units returns what may be a channel each: process data objects, or entries where a channel is a bit. Fillers are none. Where nothing is
// known of an area but its length, it is one unit, and bare.
func units(areas []ecat.Area, entries bool) (list []span, bare bool) {
	base := 0
	for _, a := range areas {
		if len(a.PDOs) == 0 && a.Length > 0 {
			list, bare = append(list, span{base, 8 * a.Length}), true
		}
		at := base
		for _, p := range a.PDOs {
			bits := p.Bits()
			switch real := entriesOf(&p, at); {
			case entries:
				list = append(list, real...)
			case len(real) > 0:
				list = append(list, span{at, bits})
			}
			at += bits
		}
		base += 8 * a.Length
	}
	return list, bare
}

func entriesOf(p *ecat.Assigned, at int) (list []span) {
	for _, e := range p.Entries {
		if e.Index() != 0 {
			list = append(list, span{at, int(e.Bits())})
		}
		at += int(e.Bits())
	}
	return list
}

// cut makes channels of one size of larger units, nil when they do not fit in. The rest of a bare area is filler.
func cut(found []span, channels, width int) (list []span) {
	for _, s := range found {
		if s.bits%width != 0 {
			return nil
		}
		for at := s.at; at < s.at+s.bits && len(list) < channels; at += width {
			list = append(list, span{at, width})
		}
	}
	return list
}

// describe says what process data there are.
func describe(areas []ecat.Area) string {
	var list []string
	for _, a := range areas {
		if len(a.PDOs) == 0 {
			list = append(list, fmt.Sprintf("SyncManager %d with %d bytes", a.SyncManager, a.Length))
		}
		for _, p := range a.PDOs {
			list = append(list, fmt.Sprintf("0x%04x of %d bits", p.Index, p.Bits()))
		}
	}
	if list == nil {
		return "nothing"
	}
	const most = 20
	if len(list) > most {
		list = append(list[:most], "…")
	}
	return strings.Join(list, ", ")
}
