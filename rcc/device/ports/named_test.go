package ports_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// known is Named as a device.
type known struct{ *ports.Named }

func (known) Status() device.Status          { return device.Status{Cause: "the bus does not run"} }
func (known) Interfaces() []device.Interface { return nil }
func (known) Close() error                   { return nil }

var kinds = []device.EntryKind{device.EntryUnsigned, device.EntrySigned, device.EntryReal}

// Whatever the type, the number that is read is the one that was written where there is such a one, and otherwise the nearest.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		size := rapid.IntRange(1, 64).Draw(t, "bits")
		if kind == device.EntryReal {
			size = rapid.SampledFrom([]int{32, 64}).Draw(t, "size")
		}
		v := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-300, 300), rapid.Map(rapid.Int32(), func(i int32) float64 { return float64(i) })).Draw(t, "value")
		bits, ok := kind.FromFloat(v, size)
		if !ok || size < 64 && bits>>size != 0 {
			t.Fatalf("%#x %v", bits, ok)
		}
		got, want := kind.Float(bits, size), v
		switch kind {
		case device.EntryUnsigned:
			want = min(max(math.RoundToEven(v), 0), float64(^uint64(0)>>(64-size)))
		case device.EntrySigned:
			most := int64(1)<<(size-1) - 1
			want = min(max(math.RoundToEven(v), float64(-most-1)), float64(most))
		case device.EntryReal:
			if size == 32 {
				want = float64(float32(v))
			}
		}
		if got != want {
			t.Fatalf("%v is written as %#x and read as %v, not %v", v, bits, got, want)
		}
		if i, fits := kind.Int(bits, size); fits && float64(i) != math.Round(want) || !fits && math.Abs(want) < math.MaxInt32 {
			t.Fatalf("%v is %d as an integer, %v", want, i, fits)
		}
	})
	if _, ok := device.EntrySigned.FromFloat(math.NaN(), 16); ok {
		t.Error("NaN has bits")
	}
}

// Parts are found by name, by address and by bits, and writing one leaves the others.
func TestParts(t *testing.T) {
	d := known{ports.NewNamed("x")}
	if _, _, err := device.FindPart(d, "a"); err == nil || err.Error() != "the device does not know its process data yet: the bus does not run" {
		t.Error(err)
	}
	entries := []device.Entry{
		{Name: "status", Address: "0x6000:1", Bits: 16},
		{Name: "word", Address: "0x7000:1", Bits: 40, Output: true},
		{Name: "a.b", Address: "0x7001:1", Bits: 8, Output: true},
		{Name: "twice", Address: "0x7001:1", Bits: 8, Output: true},
		{Name: "lamp", Address: "0x7002:0", Bits: 1, Output: true},
	}
	if err := d.Know(entries); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]device.Part{
		"status": {Bits: 16}, "0x6000:1": {Bits: 16}, "0X6000:1.15": {From: 15, Bits: 1}, "word.36-39": {Entry: 1, From: 36, Bits: 4},
		"a.b": {Entry: 2, Bits: 8}, "a.b.3": {Entry: 2, From: 3, Bits: 1},
	} {
		if got, _, err := device.FindPart(d, text); err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "stat", "status.16", "status.3-2", "status.x", "0x7001:1", "0x9999:9"} {
		if got, _, err := device.FindPart(d, text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	high, _, _ := device.FindPart(d, "word.32-39")
	low, _, _ := device.FindPart(d, "word.0-31")
	low.Set(d, 0x12345678, 5)
	high.Set(d, 0xfff, 5)
	if bits, ok := d.EntryBits(1); bits != 0xff12345678 || !ok || d.Trouble() != "" {
		t.Errorf("%#x %v %q", bits, ok, d.Trouble())
	}
	if got, _ := high.Get(d); got != 0xff {
		t.Errorf("%#x", got)
	}
	d.SetDigitalOut(0, true, 7)
	d.SetDigitalOut(0, false, 7)
	if d.Trouble() != "written more than once in a tick: lamp" || d.Shared(device.DigitalOut, 0) != 1 {
		t.Errorf("%q", d.Trouble())
	}
	if !d.On() {
		t.Error("outputs are on")
	}
	if d.Drop(); d.On() {
		t.Error("outputs are off")
	}
	if err := d.Know(append([]device.Entry{}, entries...)); err != nil {
		t.Error(err)
	}
	other := append([]device.Entry{}, entries...)
	other[1].Bits = 32
	for _, now := range [][]device.Entry{other, entries[:2]} {
		if d.Know(now) == nil {
			t.Error("process data have changed")
		}
	}
}
