package ecslave

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// place is where an entry stands in the process data of its direction.
type place struct{ entry, at, bits int }

// layout is entries with their places.
type layout struct {
	entries         []device.Entry
	outputs, inputs []place
}

// entries returns those of a plan, as far as it says which there are.
func (p *plan) entries() ([]device.Entry, error) {
	var l layout
	for _, d := range []struct {
		pdos   []ecat.PDOGiven
		output bool
		into   *[]place
	}{{p.outputs, true, &l.outputs}, {p.inputs, false, &l.inputs}} {
		at := 0
		for i := range d.pdos {
			l.add(&d.pdos[i], d.output, at, d.into)
			at += d.pdos[i].Bits()
		}
	}
	return l.named()
}

// found returns where entries are in the process data that a slave has. Entries that are given for a direction must fit; others are as the
// slave describes it.
func (p *plan) found(outputs, inputs []ecat.Area, describe func(*ecat.Assigned, int) ecat.EntryGiven) (*layout, error) {
	l := &layout{}
	for _, d := range []struct {
		name   string
		given  []ecat.PDOGiven
		areas  []ecat.Area
		output bool
		into   *[]place
	}{{"outputs", p.outputs, outputs, true, &l.outputs}, {"inputs", p.inputs, inputs, false, &l.inputs}} {
		if err := l.match(d.given, d.areas, d.output, d.into, describe); err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
	}
	var err error
	l.entries, err = l.named()
	return l, err
}

// match finds the entries of a direction.
func (l *layout) match(given []ecat.PDOGiven, areas []ecat.Area, output bool, into *[]place, describe func(*ecat.Assigned, int) ecat.EntryGiven) error {
	left := slices.Clone(given)
	base := 0
	for i := range areas {
		a, at := &areas[i], base
		if len(a.PDOs) == 0 {
			var err error
			if left, err = l.bare(left, a, at, output, into); err != nil {
				return err
			}
		}
		for k := range a.PDOs {
			p := a.PDOs[k]
			is, ok := known(&left, &p, given == nil)
			switch {
			case !ok:
				return fmt.Errorf("the slave has assigned 0x%04x, which the configuration does not list; assigned are %s", p.Index, assigned(areas))
			case is.Entries == nil:
				is = described(&p, describe)
			case is.Bits() != p.Bits():
				return fmt.Errorf("0x%04x has %d bits in the slave, and %d in the configuration", p.Index, p.Bits(), is.Bits())
			}
			l.add(&is, output, at, into)
			at += p.Bits()
		}
		base += 8 * a.Length
	}
	for i := range left {
		return fmt.Errorf("the slave has not assigned 0x%04x; assigned are %s", left[i].Index, assigned(areas))
	}
	return nil
}

// known takes the PDO that is given out of the list; any will do where none is.
func known(left *[]ecat.PDOGiven, p *ecat.Assigned, any bool) (ecat.PDOGiven, bool) {
	i := slices.IndexFunc(*left, func(g ecat.PDOGiven) bool { return g.Index == p.Index })
	if i < 0 {
		return ecat.PDOGiven{Index: p.Index}, any
	}
	is := (*left)[i]
	*left = slices.Delete(*left, i, i+1)
	if is.Name == "" {
		is.Name = p.Name
	}
	return is, true
}

// bare fills an area of which nothing is known but its length with what is given next. Without that, it is bytes.
func (l *layout) bare(left []ecat.PDOGiven, a *ecat.Area, at int, output bool, into *[]place) ([]ecat.PDOGiven, error) {
	room := 8 * a.Length
	if len(left) == 0 {
		for i := range a.Length {
			*into = append(*into, place{len(l.entries), at + 8*i, 8})
			l.entries = append(l.entries, device.Entry{
				Name: fmt.Sprintf("SyncManager %d%sbyte %d", a.SyncManager, between, i), Type: "USINT", Bits: 8, Output: output,
			})
		}
		return left, nil
	}
	for len(left) > 0 && room > 0 && (left[0].SyncManager < 0 || left[0].SyncManager == a.SyncManager) {
		bits := left[0].Bits()
		if bits > room {
			return nil, fmt.Errorf("0x%04x does not fit into what is left of the %d bytes of SyncManager %d", left[0].Index, a.Length, a.SyncManager)
		}
		l.add(&left[0], output, at, into)
		at, room, left = at+bits, room-bits, left[1:]
	}
	if room >= 8 {
		return nil, fmt.Errorf("SyncManager %d has %d bytes; the configuration leaves %d bits of them out", a.SyncManager, a.Length, room)
	}
	return left, nil
}

// described returns a PDO as the slave describes it.
func described(p *ecat.Assigned, describe func(*ecat.Assigned, int) ecat.EntryGiven) ecat.PDOGiven {
	is := ecat.PDOGiven{Index: p.Index, Name: p.Name}
	for i := range p.Entries {
		is.Entries = append(is.Entries, describe(p, i))
	}
	return is
}

// assigned says what there is.
func assigned(areas []ecat.Area) string {
	var list []string
	for _, a := range areas {
		for _, p := range a.PDOs {
			list = append(list, fmt.Sprintf("0x%04x", p.Index))
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

// whole is how many bits a value has at most; what is longer is cut into pieces.
const (
	whole = 64
	piece = 32
)

// firstObject is the least index that is one of process data: below are types, which fill gaps as 0 does (CiA 301, dummy entries).
const firstObject = 0x1000

// add takes the entries of a PDO from a bit on.
func (l *layout) add(p *ecat.PDOGiven, output bool, at int, into *[]place) {
	for i := range p.Entries {
		g := &p.Entries[i]
		switch {
		case g.Index < firstObject:
		case g.Bits <= whole:
			*into = append(*into, place{len(l.entries), at, g.Bits})
			l.entries = append(l.entries, entry(p, g, g.Name, g.Bits, output))
		default:
			for from := 0; from < g.Bits; from += piece {
				n := min(piece, g.Bits-from)
				name := g.Name
				if name == "" {
					name = ecat.FormatObject(g.Index, g.Sub)
				}
				*into = append(*into, place{len(l.entries), at + from, n})
				l.entries = append(l.entries, entry(p, &ecat.EntryGiven{Index: g.Index, Sub: g.Sub}, fmt.Sprintf("%s[%d]", name, from/piece), n, output))
			}
		}
		at += g.Bits
	}
}

// entry returns one as nets see it. Until all are known it has the name of its PDO in front of its own, behind a line.
func entry(p *ecat.PDOGiven, g *ecat.EntryGiven, name string, bits int, output bool) device.Entry {
	e := device.Entry{Address: ecat.FormatObject(g.Index, g.Sub), Bits: bits, Output: output}
	typeName, size := g.Type.Plain()
	switch {
	case size != bits && bits == 1:
		e.Type = "BOOL"
	case size != bits:
		e.Type = fmt.Sprintf("%d bits", bits)
	default:
		e.Type = typeName
		switch {
		case g.Type.Signed():
			e.Kind = device.EntrySigned
		case g.Type.Real():
			e.Kind = device.EntryReal
		}
	}
	if name = strings.TrimSpace(name); name == "" {
		name = e.Address
	}
	pdo := p.Name
	if pdo == "" {
		pdo = fmt.Sprintf("0x%04x", p.Index)
	}
	e.Name = pdo + between + name
	return e
}

// between stands between the names of a PDO and an entry until it is known which of them are needed.
const between = "\n"

// named gives entries their names: their own where no other entry has it, otherwise that of the PDO in front, otherwise their address.
func (l *layout) named() ([]device.Entry, error) {
	short, long := map[string]int{}, map[string]int{}
	for i := range l.entries {
		pdo, own, _ := strings.Cut(l.entries[i].Name, between)
		short[own]++
		long[pdo+"/"+own]++
	}
	seen := map[string]bool{}
	for i := range l.entries {
		e := &l.entries[i]
		pdo, own, _ := strings.Cut(e.Name, between)
		switch {
		case short[own] == 1:
			e.Name = own
		case long[pdo+"/"+own] == 1:
			e.Name = pdo + "/" + own
		default:
			e.Name = fmt.Sprintf("%s/%s %s", pdo, own, e.Address)
		}
		for n, name := 2, e.Name; seen[e.Name]; n++ {
			e.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		seen[e.Name] = true
	}
	return l.entries, nil
}

// describer returns what the slave says about its entries: names and types of its SII, where that has them, otherwise of its objects.
func describer(ctx context.Context, s ecat.Slave) func(p *ecat.Assigned, i int) ecat.EntryGiven {
	asks := s.HasCoE()
	return func(p *ecat.Assigned, i int) ecat.EntryGiven {
		m := p.Entries[i]
		e := ecat.EntryGiven{Index: m.Index(), Sub: m.Sub(), Bits: int(m.Bits())}
		if e.Index < firstObject {
			return e
		}
		if is := inMemory(s.Memory(), p, i); is != nil {
			e.Name, e.Type = is.Name, coe.DataType(is.Type)
		}
		if _, bits := e.Type.Plain(); asks && (e.Name == "" || bits != e.Bits) {
			is, err := s.Entry(ctx, e.Index, e.Sub)
			if asks = err == nil; asks {
				if e.Type = is.Type; e.Name == "" {
					e.Name = is.Name
				}
			}
		}
		return e
	}
}

// inMemory returns an entry of a PDO in the SII, if that has the same there.
func inMemory(d *sii.Description, p *ecat.Assigned, i int) *sii.Entry {
	if d == nil {
		return nil
	}
	for _, list := range [][]sii.PDO{d.RxPDOs, d.TxPDOs} {
		for k := range list {
			if list[k].Index != p.Index || i >= len(list[k].Entries) {
				continue
			}
			if e := &list[k].Entries[i]; e.Index == p.Entries[i].Index() && e.Sub == p.Entries[i].Sub() && e.Bits == p.Entries[i].Bits() {
				return e
			}
		}
	}
	return nil
}
