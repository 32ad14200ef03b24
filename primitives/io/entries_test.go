package io_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/primitives/io"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// unheard is a device that has entries without values.
type unheard struct{ box }

func (unheard) EntryBits(int) (uint64, bool) { return 0, false }

// wired is a device whose inputs come from hardware.
type wired struct{ box }

func (wired) FeedEntryBits() {}

// read lets a primitive read an entry in one cycle; it is false when its output is null.
func read[T any](t *testing.T, dev device.Device, name, entry string) (v T, ok bool) {
	t.Helper()
	block, out := load[T](t, name, &spec.Env{Period: time.Millisecond, Host: host{dev: dev}}, entry)
	cy := spec.Cycle{N: 1}
	block.Kernel(spec.Sense, 0, 1)(&cy)
	block.Kernel(spec.Run, 0, 1)(&cy)
	return out[0].V, out[0].Current(&cy)
}

// write lets a primitive write an entry in one cycle.
func write[T any](t *testing.T, dev device.Device, name, entry string, v T) {
	t.Helper()
	block, in := load[T](t, name, &spec.Env{Period: time.Millisecond, Host: host{dev: dev}}, entry)
	cy := spec.Cycle{N: 1, Time: 1}
	in[0].Set(&cy, v)
	block.Kernel(spec.Act, 0, 1)(&cy)
}

// TestEntryTypes: a net reads and writes any type of entry as any type of number, as far as it has room for it.
func TestEntryTypes(t *testing.T) {
	b := newBox()
	for n, bits := range []uint64{0x8001, 0xffff_fffe, 1 << 40, 0x3fc00000} {
		b.FeedEntryBits(n, bits)
	}
	for _, tt := range []struct {
		entry string
		on    bool
		i     int32
		fits  bool
		real  float64
	}{
		{"status", true, 0x8001, true, 0x8001},
		{"status.15", true, 1, true, 1},
		{"status.1-14", false, 0, true, 0},
		{"way", true, -2, true, -2},
		{"count", true, 0, false, 1 << 40},
		{"count.32-63", true, 256, true, 256},
		{"force", true, 2, true, 1.5},
	} {
		if on, ok := read[bool](t, b, "IO::ReadBool", tt.entry); on != tt.on || !ok {
			t.Errorf("%s as a bool: %v %v", tt.entry, on, ok)
		}
		if i, ok := read[int32](t, b, "IO::ReadInt", tt.entry); i != tt.i || ok != tt.fits {
			t.Errorf("%s as an integer: %v %v", tt.entry, i, ok)
		}
		if v, ok := read[float64](t, b, "IO::ReadReal", tt.entry); v != tt.real || !ok {
			t.Errorf("%s as a number: %v %v", tt.entry, v, ok)
		}
	}
	if _, ok := read[float64](t, unheard{b}, "IO::ReadReal", "force"); ok {
		t.Error("there is a value although the device has none")
	}
	write(t, b, "IO::WriteInt", "speed", int32(-40_000)) // more than 16 bits
	write(t, b, "IO::WriteReal", "exact", 0.1)
	write(t, b, "IO::WriteBool", "word.4", true)
	write(t, b, "IO::WriteReal", "word.0-1", 2.4)
	for entry, want := range map[string]float64{"speed": -32_768, "exact": 0.1, "word": 18} {
		if v, ok := read[float64](t, b, "IO::ReadReal", entry); v != want || !ok {
			t.Errorf("%s is %v, not %v", entry, v, want)
		}
	}
}

// TestEntriesPage: people see all entries and set them by their names, inputs only where they are simulated.
func TestEntriesPage(t *testing.T) {
	b := newBox()
	page := io.EntriesInterface().Pages[0]
	for _, tt := range []struct{ name, value, wrong string }{
		{"lamp", "true", ""},
		{"speed", "-5", ""},
		{"speed", "40000", ""},
		{"speed", "70000", "70000 does not fit into 16 bits"},
		{"exact", "1.25", ""},
		{"word", "0x1f", ""},
		{"word.0", "0", ""},
		{"word", "1.5", "does not fit"},
		{"word", "many", "many"},
		{"status", "17", ""},
		{"stats", "17", "did you mean status"},
	} {
		err := page.Tell(b, map[string]string{"name": tt.name, "value": tt.value})
		if err == nil != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s=%s: %v", tt.name, tt.value, err)
		}
	}
	if err := page.Tell(wired{b}, map[string]string{"name": "status", "value": "1"}); err == nil {
		t.Error("an input was set that comes from hardware")
	}
	v, err := page.View(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"name":"status","address":"0x6000:1","type":"UINT","direction":"in","value":17,"raw":"0x0011"}`,
		`{"name":"word","address":"0x7030:1","type":"BIT5","direction":"out","value":30,"raw":"0x1e"}`,
		`"raw":"0x9c40"`, `"value":1.25`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}
