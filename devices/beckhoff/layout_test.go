package beckhoff

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

func named(t testing.TB, order string) *model {
	t.Helper()
	i := slices.IndexFunc(models, func(m model) bool { return m.order == order })
	if i < 0 {
		t.Fatalf("no %s", order)
	}
	return &models[i]
}

// Product codes are those of the facts, letter by letter.
func TestIdentities(t *testing.T) {
	want := map[string]uint32{
		"ek1100": 0x044C2C52,
		"el1002": 0x03EA3052, "el1004": 0x03EC3052, "el1008": 0x03F03052, "el1018": 0x03FA3052, "el1808": 0x07103052, "el1809": 0x07113052,
		"el2002": 0x07D23052, "el2004": 0x07D43052, "el2008": 0x07D83052, "el2024": 0x07E83052, "el2808": 0x0AF83052, "el2809": 0x0AF93052,
		"el3062": 0x0BF63052, "el3064": 0x0BF83052, "el3102": 0x0C1E3052, "el3162": 0x0C5A3052, "el3104": 0x0C203052, "el3164": 0x0C5C3052,
		"el3154": 0x0C523052, "el4002": 0x0FA23052, "el4004": 0x0FA43052, "el4102": 0x10063052, "el4132": 0x10243052, "el4104": 0x10083052,
		"el4134": 0x10263052,
	}
	got := map[string]uint32{}
	for i := range models {
		got[models[i].name()] = models[i].identity(0).Product
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if id := named(t, "EL3104").identity(18); id.Vendor != 2 || id.Revision != 0x00120000 {
		t.Errorf("%+v", id)
	}
}

// pdo returns a process data object of entries, "-8" for a filler of eight bits.
func pdo(index uint16, entries ...int) ecat.Assigned {
	a := ecat.Assigned{Index: index}
	for i, bits := range entries {
		if bits < 0 {
			a.Entries = append(a.Entries, coe.Map(0, 0, uint8(-bits)))
			continue
		}
		a.Entries = append(a.Entries, coe.Map(0x6000+uint16(i), 1, uint8(bits)))
	}
	return a
}

func area(length int, pdos ...ecat.Assigned) ecat.Area { return ecat.Area{Length: length, PDOs: pdos} }

func every(n, first, step, bits int) (list []span) {
	for i := range n {
		list = append(list, span{first + i*step, bits})
	}
	return list
}

func repeat(n int, entries ...int) (list []ecat.Assigned) {
	for i := range n {
		list = append(list, pdo(0x1a00+uint16(i), entries...))
	}
	return list
}

// standard is the status word as terminals split it, and the value.
var standard = []int{1, 1, 2, 2, 1, -1, -5, 1, 1, 1, 16}

// Channels are found by size and order, whatever the numbers of objects are and however status bits are split.
func TestLayouts(t *testing.T) {
	for _, tt := range []struct {
		what  string
		order string
		areas []ecat.Area
		want  []span
		err   string
	}{
		{"a PDO for each bit", "EL1008", []ecat.Area{area(1, repeat(8, 1)...)}, every(8, 0, 1, 1), ""},
		{"one PDO with fillers", "EL2004", []ecat.Area{area(1, pdo(0x1600, 1, 1, 1, 1, -4))}, every(4, 0, 1, 1), ""},
		{"an entry of a byte", "EL1008", []ecat.Area{area(1, pdo(0x1a00, 8))}, every(8, 0, 1, 1), ""},
		{"nothing but a length", "EL1002", []ecat.Area{area(1)}, every(2, 0, 1, 1), ""},
		{"two bytes in one area", "EL2809", []ecat.Area{area(2, repeat(16, 1)...)}, every(16, 0, 1, 1), ""},
		{"two areas of a byte", "EL2809", []ecat.Area{area(1, repeat(8, 1)...), area(1, repeat(8, 1)...)}, every(16, 0, 1, 1), ""},
		{"two areas with a length", "EL2809", []ecat.Area{area(1), area(1)}, every(16, 0, 1, 1), ""},
		{"half a byte in each area", "EL1008", []ecat.Area{area(1, repeat(4, 1)...), area(1, repeat(4, 1)...)}, append(every(4, 0, 1, 1), every(4, 8, 1, 1)...), ""},
		{"standard", "EL3104", []ecat.Area{area(16, repeat(4, standard...)...)}, every(4, 0, 32, 32), ""},
		{"a status word in one", "EL3104", []ecat.Area{area(16, repeat(4, 16, 16)...)}, every(4, 0, 32, 32), ""},
		{"all in one PDO", "EL3102", []ecat.Area{area(8, pdo(0x1a00, 16, 16, 16, 16))}, every(2, 0, 32, 32), ""},
		{"compact", "EL3104", []ecat.Area{area(8, repeat(4, 16)...)}, every(4, 0, 16, 16), ""},
		{"mixed", "EL3102", []ecat.Area{area(6, pdo(0x1a00, standard...), pdo(0x1a03, 16))}, []span{{0, 32}, {32, 16}}, ""},
		{"old", "EL3102", []ecat.Area{area(6, repeat(2, 8, 16)...)}, every(2, 0, 24, 24), ""},
		{"old, and nothing but a length", "EL3162", []ecat.Area{area(6)}, every(2, 0, 24, 24), ""},
		{"a PDO of filler", "EL3102", []ecat.Area{area(10, pdo(0x1a00, standard...), pdo(0x1a10, -16), pdo(0x1a02, standard...))}, []span{{0, 32}, {48, 32}}, ""},
		{"an output each", "EL4132", []ecat.Area{area(4, repeat(2, 16)...)}, every(2, 0, 16, 16), ""},
		{"outputs in one PDO", "EL4132", []ecat.Area{area(4, pdo(0x1600, 16, 16))}, every(2, 0, 16, 16), ""},
		{"outputs, and nothing but a length", "EL4134", []ecat.Area{area(8)}, every(4, 0, 16, 16), ""},

		{"nothing", "EL1008", nil, nil, "need inputs of 8 channels with 1 bits each, found nothing"},
		{"a bit too much", "EL1008", []ecat.Area{area(2, repeat(9, 1)...)}, nil, "0x1a00 of 1 bits, 0x1a01 of 1 bits"},
		{
			"a channel is missing", "EL3104",
			[]ecat.Area{area(12, repeat(3, standard...)...)},
			nil,
			"need inputs of 4 channels with 16 or 24 or 32 bits each, found 0x1a00 of 32 bits, 0x1a01 of 32 bits, 0x1a02 of 32 bits",
		},
		{"too long", "EL4132", []ecat.Area{area(6)}, nil, "need outputs of 2 channels with 16 bits each, found SyncManager 0 with 6 bytes"},
		{"values of 32 bits", "EL4132", []ecat.Area{area(8, repeat(2, 32)...)}, nil, "0x1a00 of 32 bits, 0x1a01 of 32 bits"},
		{"it does not come out even", "EL3102", []ecat.Area{area(8, pdo(0x1a00, 16, 8), pdo(0x1a01, 40))}, nil, "0x1a00 of 24 bits, 0x1a01 of 40 bits"},
		{"the value does not come last", "EL3102", []ecat.Area{area(8, repeat(2, 16, 8, 8)...)}, nil, "0x1a00 of 32 bits"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			m := named(t, tt.order)
			outputs, inputs := tt.areas, []ecat.Area(nil)
			if m.kind == device.DigitalIn || m.kind == device.AnalogIn {
				outputs, inputs = nil, tt.areas
			}
			got, err := m.place(outputs, inputs)
			if err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(span{})); diff != "" || err == nil && tt.err != "" {
				t.Error(diff, tt.err)
			}
		})
	}
}

// Whatever a slave says of its process data, channels are inside of it, apart from each other, and of a known size.
func FuzzLayout(f *testing.F) {
	f.Add(uint8(14), []byte{0, 8, 16, 0, 8, 16})
	f.Add(uint8(0), []byte{1})
	f.Add(uint8(9), []byte{0, 1, 1, 0, 200, 255})
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		m := &models[1+int(which)%(len(models)-1)]
		var areas []ecat.Area
		for _, b := range text { // 0 begins an area, 255 one without objects, 254 an object; others are entries, fillers above 127
			switch n := len(areas) - 1; {
			case b == 0:
				areas = append(areas, ecat.Area{})
			case b == 255:
				areas = append(areas, ecat.Area{Length: 3})
			case n < 0:
			case b == 254 || len(areas[n].PDOs) == 0:
				areas[n].PDOs = append(areas[n].PDOs, ecat.Assigned{})
			default:
				p := &areas[n].PDOs[len(areas[n].PDOs)-1]
				index := uint16(0x6000)
				if b > 127 {
					index = 0
				}
				p.Entries = append(p.Entries, coe.Map(index, 1, b&127))
			}
		}
		size := 0
		for i := range areas {
			a := &areas[i]
			for _, p := range a.PDOs {
				a.Bits += p.Bits()
			}
			if len(a.PDOs) > 0 {
				a.Length = (a.Bits + 7) / 8
			}
			size += 8 * a.Length
		}
		places, err := m.place(areas, areas)
		if err != nil {
			return
		}
		if len(places) != m.channels {
			t.Fatalf("%d channels", len(places))
		}
		end := 0
		for _, p := range places {
			if p.at < end || !slices.Contains(widths(m.kind), p.bits) {
				t.Fatalf("%+v", places)
			}
			end = p.at + p.bits
		}
		if end > size {
			t.Fatalf("%+v beyond %d bits", places, size)
		}
	})
}
