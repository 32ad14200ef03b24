package sii

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files")

// analog returns an input of two channels with a mailbox.
func analog() *Description {
	channel := func(n uint16) PDO {
		at := 0x6000 + 0x10*n
		return PDO{
			Index: 0x1a00 + 2*n, SyncManager: 3, Name: "AI Standard",
			Entries: []Entry{
				{at, 1, "Underrange", 1, 1, 0},
				{at, 2, "Overrange", 1, 1, 0},
				{Bits: 14},
				{at, 0x11, "Value", 3, 16, 0},
			},
		}
	}
	return &Description{
		PDIControl: 5, SyncPulse: 0x1388, Alias: 7,
		Identity:  Identity{2, 0x0bf63052, 0x00100000, 1},
		Mailbox:   Mailbox{0x1000, 128, 0x1080, 128},
		Protocols: CoE, Size: 2048, Version: 1,
		General: &General{Group: "Analog", Order: "EL3062", Name: "EL3062 2 inputs", CoE: SDO | SDOInfo | PDOAssign, Current: 130, Ports: [4]uint8{3, 3}},
		FMMUs:   []FMMU{FMMUOutputs, FMMUInputs},
		SyncManagers: []SyncManager{
			{0x1000, 128, 0x26, 0, Enabled, MailOut},
			{0x1080, 128, 0x22, 0, Enabled, MailIn},
			{0x1100, 0, 0x24, 0, 0, Outputs},
			{0x1180, 8, 0x20, 0, Enabled, Inputs},
		},
		TxPDOs: []PDO{channel(0), channel(1)},
		Clocks: []Clock{{Activate: 0x0700, Shift0: -5000, Factor1: 1, Name: "DC-Synchron", About: "SYNC0 and 1"}},
		Others: []Category{{2048, []byte{1, 2, 3, 4}}},
	}
}

// An image byte by byte, which is read again as what it was.
func TestGolden(t *testing.T) {
	image, err := Encode(analog())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "analog.golden")
	got := hex.Dump(image)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
	back, err := Decode(image)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(analog(), back); diff != "" {
		t.Error(diff)
	}
	if bits := back.TxPDOs[0].Bits(); bits != 32 {
		t.Errorf("%d bits", bits)
	}
}

// anyDescription returns one that the format can hold.
func anyDescription(t *rapid.T) *Description {
	word, long, octet := rapid.Uint16(), rapid.Uint32(), rapid.Byte()
	text := rapid.StringN(0, 12, 40)
	mailbox := rapid.Custom(func(t *rapid.T) Mailbox {
		return Mailbox{word.Draw(t, ""), word.Draw(t, ""), word.Draw(t, ""), word.Draw(t, "")}
	})
	entry := rapid.Custom(func(t *rapid.T) Entry {
		return Entry{word.Draw(t, ""), octet.Draw(t, ""), text.Draw(t, ""), octet.Draw(t, ""), octet.Draw(t, ""), word.Draw(t, "")}
	})
	pdo := rapid.Custom(func(t *rapid.T) PDO {
		return PDO{
			word.Draw(t, ""), octet.Draw(t, ""), octet.Draw(t, ""), text.Draw(t, ""), word.Draw(t, ""),
			some(t, entry),
		}
	})
	d := &Description{
		PDIControl: octet.Draw(t, ""), PDIConfig: octet.Draw(t, ""), Sync: word.Draw(t, ""), SyncPulse: word.Draw(t, ""),
		PDIConfig2: word.Draw(t, ""), Alias: word.Draw(t, ""), Identity: Identity{1 + long.Draw(t, "")/2, long.Draw(t, ""), 3, 4},
		BootMailbox: mailbox.Draw(t, ""), Mailbox: mailbox.Draw(t, ""), Protocols: Protocols(word.Draw(t, "")), Size: 32 << 10,
		Version: word.Draw(t, ""), TxPDOs: some(t, pdo), RxPDOs: some(t, pdo),
		SyncManagers: some(t, rapid.Custom(func(t *rapid.T) SyncManager {
			return SyncManager{word.Draw(t, ""), word.Draw(t, ""), octet.Draw(t, ""), octet.Draw(t, ""), octet.Draw(t, ""), Use(octet.Draw(t, ""))}
		})),
		Clocks: some(t, rapid.Custom(func(t *rapid.T) Clock {
			return Clock{long.Draw(t, ""), int32(long.Draw(t, "")), -7, -1, word.Draw(t, ""), int16(word.Draw(t, "")), text.Draw(t, ""), text.Draw(t, "")}
		})),
	}
	for range rapid.IntRange(0, 4).Draw(t, "pairs of FMMUs") {
		d.FMMUs = append(d.FMMUs, FMMUOutputs, FMMU(rapid.Uint8Range(0, 3).Draw(t, "FMMU")))
	}
	if rapid.Bool().Draw(t, "general") {
		d.General = &General{
			text.Draw(t, ""), text.Draw(t, ""), text.Draw(t, ""), text.Draw(t, ""), CoEDetails(octet.Draw(t, "")), true, false,
			octet.Draw(t, ""), octet.Draw(t, ""), Flags(octet.Draw(t, "")), int16(word.Draw(t, "")),
			[4]uint8{1, 3, 0, 15},
		}
	}
	return d
}

// some returns nil rather than empty, as decoding makes it.
func some[T any](t *rapid.T, of *rapid.Generator[T]) []T {
	if list := rapid.SliceOfN(of, 0, 4).Draw(t, "list"); len(list) > 0 {
		return list
	}
	return nil
}

// Every description survives writing and reading, whether the image is read at once or as far as Need asks.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyDescription(t)
		image, err := Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		if len(image) != want.Size {
			t.Fatalf("%d bytes", len(image))
		}
		read := 0
		for need := Need(nil); need > read; need = Need(image[:read]) {
			read = need
		}
		for _, part := range [][]byte{image, image[:read]} {
			got, err := Decode(part)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// Images as they are in the field: what makes sense is read, and the rest is reported.
func TestTolerant(t *testing.T) {
	category := func(kind uint16, data ...byte) []byte {
		b := binary.LittleEndian.AppendUint16(nil, kind)
		b = binary.LittleEndian.AppendUint16(b, uint16((len(data)+1)/2))
		return append(append(b, data...), make([]byte, len(data)%2)...)
	}
	pdo := func(index byte) []byte { return []byte{index, 0x1a, 1, 3, 0, 0, 0, 0, 0, 0x60, 1, 9, 1, 8, 0, 0} }
	tests := []struct {
		name       string
		categories []byte
		look       func(d *Description) bool
		problem    string
	}{
		{"no categories", []byte{0xff, 0xff}, func(d *Description) bool { return d.General == nil }, ""},
		{"no end", nil, func(d *Description) bool { return d.Identity.Vendor == 2 }, "do not end"},
		{"ends in a header", []byte{30, 0}, func(d *Description) bool { return d.General == nil }, "do not end"},
		{
			"a category for each PDO", append(append(category(50, pdo(0)...), category(50, pdo(1)...)...), 0xff, 0xff),
			func(d *Description) bool { return len(d.TxPDOs) == 2 && d.TxPDOs[1].Index == 0x1a01 }, "no string 9",
		},
		{
			"strings of no length, behind what refers to them", append(append(category(50, pdo(0)...), category(10, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 'x')...), 0xff, 0xff),
			func(d *Description) bool { return d.TxPDOs[0].Entries[0].Name == "x" }, "",
		},
		{
			"strings that are cut off", append(category(10, 2, 1, 'a', 200, 'b', 0), 0xff, 0xff),
			func(d *Description) bool { return d.General == nil }, "string 2 of 2",
		},
		{"short general", append(category(30, 1, 2, 3, 4), 0xff, 0xff), func(d *Description) bool { return d.General == nil }, "general"},
		{
			"half a SyncManager", append(category(41, 0, 0x10, 1, 0, 0x44, 0, 9, 3, 1, 2), 0xff, 0xff),
			func(d *Description) bool {
				return len(d.SyncManagers) == 1 && d.SyncManagers[0].Enable == Enabled|OnlyInOp
			}, "SyncManager 1",
		},
		{
			"entries that are not there", append(category(51, 0, 0x16, 3, 2, 0, 0, 0, 0), 0xff, 0xff),
			func(d *Description) bool { return len(d.RxPDOs) == 1 }, "RxPDO 0x1600",
		},
		{
			"longer than the image",
			[]byte{51, 0, 0xff, 0x7f, 0, 0x16, 0, 2, 0, 0, 0, 0},
			func(d *Description) bool { return len(d.RxPDOs) == 1 }, "do not end",
		},
		{"filled up", append(category(40, 1, 2, 3, 0xff), 0xff, 0xff), func(d *Description) bool { return d.FMMUs[3] == FMMUUnused }, ""},
		{"of a maker", append(category(0x0801, 1, 2), 0xff, 0xff), func(d *Description) bool { return len(d.Others) == 1 }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			image := make([]byte, Head)
			image[placeIdentity] = 2
			image[placeCheckSum] = CheckSum(image[:placeCheckSum])
			d, err := Decode(append(image, tt.categories...))
			if err != nil {
				t.Fatal(err)
			}
			if !tt.look(d) {
				t.Errorf("%+v", d)
			}
			all := strings.Join(d.Problems, "\n")
			if tt.problem == "" && all != "" || !strings.Contains(all, tt.problem) {
				t.Errorf("problems %q, want %q", all, tt.problem)
			}
		})
	}
}

// A memory that was never written, or not all of it was read.
func TestNothing(t *testing.T) {
	for _, image := range [][]byte{nil, make([]byte, 200), []byte(strings.Repeat("\xff", 4096))} {
		if _, err := Decode(image); !errors.Is(err, ErrBlank) {
			t.Errorf("%v", err)
		}
	}
	if _, err := Decode([]byte{1, 2, 3}); err == nil {
		t.Error("three bytes")
	}
}

// A wrong check sum is reported, and one that is known from a part in the field is right.
func TestCheckSum(t *testing.T) {
	image, _ := Encode(analog())
	image[placeAlias]++
	d, err := Decode(image)
	if err != nil || len(d.Problems) != 1 || !strings.Contains(d.Problems[0], "check sum") {
		t.Errorf("%v %v", err, d)
	}
	if got := CheckSum([]byte("123456789")); got != 0xfb { // CRC-8 with polynomial 0x07, begun with 0xff
		t.Errorf("0x%02x", got)
	}
}

// Values that the format has no room for.
func TestDoesNotFit(t *testing.T) {
	tests := []struct {
		name   string
		change func(d *Description)
	}{
		{"memory too small", func(d *Description) { d.Size = 128 }},
		{"memory of half a kbit", func(d *Description) { d.Size = 2050 }},
		{"long name", func(d *Description) { d.General.Name = strings.Repeat("x", 256) }},
		{"many entries", func(d *Description) { d.TxPDOs[0].Entries = make([]Entry, 256) }},
		{"port", func(d *Description) { d.General.Ports[2] = 16 }},
		{"category of known type", func(d *Description) { d.Others[0].Type = typeGeneral }},
		{"half a word", func(d *Description) { d.Others[0].Data = []byte{1} }},
		{"many strings", func(d *Description) {
			for n := range 256 {
				d.TxPDOs = append(d.TxPDOs, PDO{Name: string(rune('a'+n%26)) + string(rune('a'+n/26))})
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := analog()
			tt.change(d)
			if _, err := Encode(d); err == nil {
				t.Error("was written")
			}
		})
	}
	d := analog()
	d.Size = 0
	image, err := Encode(d)
	if err != nil || len(image)%bytesPerKbit != 0 {
		t.Fatalf("%d %v", len(image), err)
	}
	if back, _ := Decode(image); back.Size != len(image) {
		t.Errorf("%d of %d", back.Size, len(image))
	}
}

// Whatever is in a memory, reading ends and is bounded; what was read without problems can be written and says the same.
func FuzzDecode(f *testing.F) {
	image, err := Encode(analog())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(image)
	f.Add(image[:300])
	f.Add(make([]byte, Head+2))
	f.Fuzz(func(t *testing.T, image []byte) {
		if need := Need(image); need < 0 || need > Most+Head+4+2*0xffff {
			t.Fatalf("needs %d", need)
		}
		d, err := Decode(image)
		if err != nil || len(d.Problems) > 0 {
			return
		}
		d.Size = 0
		again, err := Encode(d)
		if err != nil { // for example a category of a maker without data
			return
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatal(err)
		}
		d.Size, back.Size = 0, 0
		if len(d.FMMUs)%2 != 0 {
			d.FMMUs = append(d.FMMUs, FMMUUnused)
		}
		for i := range d.FMMUs {
			if d.FMMUs[i] > 3 {
				return
			}
		}
		if diff := cmp.Diff(d, back); diff != "" {
			t.Error(diff)
		}
	})
}

// The first string is the order number. There are masters that call a slave by it without looking at the general category.
func TestFirstString(t *testing.T) {
	b, err := Encode(analog())
	if err != nil {
		t.Fatal(err)
	}
	const strings, count, length = Head, 4, 5
	if got := string(b[strings+length+1:][:b[strings+length]]); b[strings+count] == 0 || got != "EL3062" {
		t.Errorf("%q", got)
	}
}
