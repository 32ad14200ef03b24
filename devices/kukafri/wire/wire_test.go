package wire_test

import (
	"encoding/binary"
	"encoding/hex"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

var update = flag.Bool("update", false, "write the golden datagrams again, from the tables of this file")

// field is a row of the published tables: where something begins, how many there are, and what of the structure it is.
type field struct {
	offset, count int
	form          string // u16, u32, i32, f32, or fill
	path          string
}

var measured = []field{
	{0, 1, "u16", "Header.Count"},
	{2, 1, "u16", "Header.Reflected"},
	{4, 1, "size", ""},
	{6, 1, "id", ""},
	{8, 16, "f32", "KRL.Real"},
	{72, 16, "i32", "KRL.Int"},
	{136, 1, "u16", "KRL.Bool"},
	{138, 1, "fill", ""},
	{140, 1, "f32", "Interface.Time"},
	{144, 1, "u16", "Interface.State"},
	{146, 1, "u16", "Interface.Quality"},
	{148, 1, "f32", "Interface.MeasurePeriod"},
	{152, 1, "f32", "Interface.CommandPeriod"},
	{156, 1, "f32", "Interface.SafetyLimits"},
	{160, 1, "f32", "Statistics.AnswerRate"},
	{164, 1, "f32", "Statistics.Latency"},
	{168, 1, "f32", "Statistics.Jitter"},
	{172, 1, "f32", "Statistics.MissRate"},
	{176, 1, "u32", "Statistics.Missed"},
	{180, 1, "u16", "Robot.Power"},
	{182, 1, "u16", "Robot.Controller"},
	{184, 1, "u16", "Robot.Errors"},
	{186, 1, "u16", "Robot.Warnings"},
	{188, 7, "f32", "Robot.Temperature"},
	{216, 7, "f32", "Data.Joint"},
	{244, 12, "f32", "Data.Frame"},
	{292, 7, "f32", "Data.Commanded"},
	{320, 7, "f32", "Data.Offset"},
	{348, 12, "f32", "Data.CommandedFrame"},
	{396, 12, "f32", "Data.FrameOffset"},
	{444, 7, "f32", "Data.Torque"},
	{472, 7, "f32", "Data.External"},
	{500, 6, "f32", "Data.Tip"},
	{524, 42, "f32", "Data.Jacobian"},
	{692, 49, "f32", "Data.Mass"},
	{888, 7, "f32", "Data.Gravity"},
}

var commanded = []field{
	{0, 1, "u16", "Header.Count"},
	{2, 1, "u16", "Header.Reflected"},
	{4, 1, "size", ""},
	{6, 1, "id", ""},
	{8, 16, "f32", "KRL.Real"},
	{72, 16, "i32", "KRL.Int"},
	{136, 1, "u16", "KRL.Bool"},
	{138, 1, "fill", ""},
	{140, 1, "u32", "Flags"},
	{144, 7, "f32", "Joint"},
	{172, 12, "f32", "Frame"},
	{220, 7, "f32", "Torque"},
	{248, 6, "f32", "Wrench"},
	{272, 7, "f32", "Stiffness"},
	{300, 7, "f32", "Damping"},
	{328, 6, "f32", "Springs"},
	{352, 6, "f32", "Dampers"},
}

func (f field) width() int {
	if f.form == "f32" || f.form == "i32" || f.form == "u32" {
		return 4
	}
	return 2
}

// draw writes a datagram as the tables say, each place of it with a value that no other one has.
func draw(t *testing.T, fields []field, size, id int) []byte {
	t.Helper()
	b := make([]byte, size)
	at := 0
	for _, f := range fields {
		if f.offset != at {
			t.Fatalf("%s begins at %d, what is before it ends at %d", f.path, f.offset, at)
		}
		for range f.count {
			switch f.form {
			case "size":
				binary.LittleEndian.PutUint16(b[at:], uint16(size))
			case "id":
				binary.LittleEndian.PutUint16(b[at:], uint16(id))
			case "u16":
				binary.LittleEndian.PutUint16(b[at:], uint16(0x8100+at))
			case "u32":
				binary.LittleEndian.PutUint32(b[at:], uint32(0x89AB0000+at))
			case "i32":
				binary.LittleEndian.PutUint32(b[at:], uint32(int32(-70000-at)))
			case "f32":
				binary.LittleEndian.PutUint32(b[at:], math.Float32bits(float32(at)+0.375))
			}
			at += f.width()
		}
	}
	if at != size {
		t.Fatalf("the table ends at %d instead of %d", at, size)
	}
	return b
}

// expect checks whether a structure has at each place what was drawn there.
func expect(t *testing.T, fields []field, got reflect.Value) {
	t.Helper()
	for _, f := range fields {
		if f.path == "" {
			continue
		}
		v := got
		for name := range strings.SplitSeq(f.path, ".") {
			v = v.FieldByName(name)
		}
		all := flat(v)
		if len(all) != f.count {
			t.Errorf("%s has %d values instead of %d", f.path, len(all), f.count)
			continue
		}
		for i, is := range all {
			at := f.offset + i*f.width()
			want := map[string]float64{
				"u16": float64(0x8100 + at), "u32": float64(0x89AB0000 + at), "i32": float64(-70000 - at), "f32": float64(at) + 0.375,
			}[f.form]
			if is != want {
				t.Errorf("%s[%d] at %d is %v instead of %v", f.path, i, at, is, want)
			}
		}
	}
}

func flat(v reflect.Value) (all []float64) {
	switch {
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			all = append(all, flat(v.Index(i))...)
		}
		return all
	case v.CanUint():
		return []float64{float64(v.Uint())}
	case v.CanInt():
		return []float64{float64(v.Int())}
	}
	return []float64{v.Float()}
}

// golden compares with a file that shows 16 bytes in a line.
func golden(t *testing.T, name string, b []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(hex.Dump(b)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), hex.Dump(b)); diff != "" {
		t.Errorf("the table is another one than that of %s (-golden +table):\n%s", name, diff)
	}
	return b
}

func TestMeasurement(t *testing.T) {
	b := golden(t, "measurement.hex", draw(t, measured, wire.MeasurementSize, wire.MeasurementID))
	var m wire.Measurement
	if r := m.Decode(b); r != wire.Good {
		t.Fatal(r)
	}
	expect(t, measured, reflect.ValueOf(m))
	back := make([]byte, len(b)+3)
	if n := m.Encode(back); n != len(b) {
		t.Fatal(n)
	}
	if diff := cmp.Diff(b, back[:len(b)]); diff != "" {
		t.Error(diff)
	}
	if n := m.Encode(back[:wire.MeasurementSize-1]); n != 0 {
		t.Errorf("%d bytes where there is no room", n)
	}
}

func TestAnswer(t *testing.T) {
	b := golden(t, "answer.hex", draw(t, commanded, wire.CommandSize, wire.CommandID))
	var a wire.Answer
	if r := a.Decode(b); r != wire.Good {
		t.Fatal(r)
	}
	expect(t, commanded, reflect.ValueOf(a))
	back := make([]byte, len(b))
	if n := a.Encode(back); n != len(b) {
		t.Fatal(n)
	}
	if diff := cmp.Diff(b, back); diff != "" {
		t.Error(diff)
	}
	if n := a.Encode(nil); n != 0 {
		t.Errorf("%d bytes where there is no room", n)
	}
}

// TestRefused: what is not of this version is reported, and changes nothing.
func TestRefused(t *testing.T) {
	good := draw(t, measured, wire.MeasurementSize, wire.MeasurementID)
	with := func(at int, v uint16) []byte {
		b := append([]byte(nil), good...)
		binary.LittleEndian.PutUint16(b[at:], v)
		return b
	}
	for name, tt := range map[string]struct {
		b    []byte
		want wire.Refusal
	}{
		"nothing":             {nil, wire.WrongSize},
		"seven bytes":         {good[:7], wire.WrongSize},
		"header only":         {good[:8], wire.WrongSize},
		"one byte short":      {good[:len(good)-1], wire.WrongSize},
		"one byte more":       {append(good, 0), wire.WrongSize},
		"its own answer":      {draw(t, commanded, wire.CommandSize, wire.CommandID), wire.WrongID},
		"version before":      {with(6, 0x2005), wire.WrongID},
		"header tells others": {with(4, 915), wire.WrongLength},
	} {
		m := wire.Measurement{Header: wire.Header{Count: 7}}
		if r := m.Decode(tt.b); r != tt.want || m != (wire.Measurement{Header: wire.Header{Count: 7}}) {
			t.Errorf("%s: %v instead of %v", name, r, tt.want)
		}
	}
	var a wire.Answer
	if r := a.Decode(good); r != wire.WrongID {
		t.Errorf("a measurement as answer: %v", r)
	}
}

func TestCounts(t *testing.T) {
	for _, tt := range []struct {
		count, of uint16
		ahead     int
	}{{1, 0, 1}, {0, 0, 0}, {0, 1, -1}, {0, 65535, 1}, {65535, 0, -1}, {3, 65530, 9}, {32767, 0, 32767}, {32768, 0, -32768}} {
		if got := wire.Ahead(tt.count, tt.of); got != tt.ahead || wire.Newer(tt.count, tt.of) != (tt.ahead > 0) {
			t.Errorf("%d is %d ahead of %d, not %d", tt.count, tt.ahead, tt.of, got)
		}
	}
}

func TestBits(t *testing.T) {
	var k wire.KRL
	for i := range 16 {
		k.SetBit(i, true)
		if !k.Bit(i) || k.Bool != 1<<i {
			t.Errorf("bit %d: %016b", i, k.Bool)
		}
		k.SetBit(i, false)
	}
}

func TestSelfCheck(t *testing.T) {
	if !wire.SelfCheck() {
		t.Error("numbers of this machine are not those of the controller")
	}
}

func TestAllocations(t *testing.T) {
	b := draw(t, measured, wire.MeasurementSize, wire.MeasurementID)
	var m wire.Measurement
	var a wire.Answer
	into := make([]byte, wire.MeasurementSize)
	if n := alloc.Least(func() {
		m.Decode(b)
		m.Encode(into)
		a.Encode(into)
		a.Decode(into[:wire.CommandSize])
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// FuzzDecode: whatever comes is refused, or is again what it was.
func FuzzDecode(f *testing.F) {
	for name, size := range map[string]int{"measurement.hex": wire.MeasurementSize, "answer.hex": wire.CommandSize} {
		b := make([]byte, size)
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		read(string(text), b)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var m wire.Measurement
		back := make([]byte, wire.MeasurementSize)
		if m.Decode(b) == wire.Good {
			m.Encode(back)
			same(t, b, back, 138)
		}
		var a wire.Answer
		if a.Decode(b) == wire.Good {
			a.Encode(back)
			same(t, b, back[:wire.CommandSize], 138)
		}
	})
}

// same compares all bytes but the two that fill.
func same(t *testing.T, a, b []byte, fill int) {
	t.Helper()
	for i := range a {
		if a[i] != b[i] && i != fill && i != fill+1 {
			t.Fatalf("byte %d was %#x and becomes %#x", i, a[i], b[i])
		}
	}
}

// read takes bytes from a dump.
func read(dump string, into []byte) {
	at := 0
	for line := range strings.Lines(dump) {
		for _, digits := range strings.Fields(line[10:58]) {
			b, err := hex.DecodeString(digits)
			if err == nil && at < len(into) {
				into[at] = b[0]
				at++
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	var m wire.Measurement
	bytes := make([]byte, wire.MeasurementSize)
	m.Encode(bytes)
	for b.Loop() {
		m.Decode(bytes)
	}
}
