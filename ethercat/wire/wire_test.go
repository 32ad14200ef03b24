package wire

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares a text with a file that people have looked at.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
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
}

// The frames of a start-up and of a cycle, byte by byte.
func TestFramesGolden(t *testing.T) {
	var text strings.Builder
	frame := func(name string, add func(w *Writer)) {
		w := NewWriter(make([]byte, LongestFrame), MAC{1, 1, 1, 1, 1, 1})
		add(w)
		fmt.Fprintf(&text, "%s\n%s\n", name, hex.Dump(w.Frame()))
	}
	frame("count slaves", func(w *Writer) { w.Add(BRD, 1, Broadcast(RegType), 1) })
	frame("station address of the third slave", func(w *Writer) { w.Write(APWR, 2, Position(2, RegStation), []byte{0x03, 0x10}) })
	frame("ask for Pre-Op, read status and code", func(w *Writer) {
		w.Write(FPWR, 3, Station(0x1003, RegControl), []byte{byte(PreOp), 0})
		w.Add(FPRD, 4, Station(0x1003, RegStatus), 6)
	})
	frame("a word of the SII", func(w *Writer) {
		w.Write(APWR, 5, Position(0, RegSIIControl), []byte{0, SIIRead >> 8, 8, 0, 0, 0})
	})
	frame("cycle with clock", func(w *Writer) {
		w.Add(FRMW, 6, Station(0x1001, RegSystemTime), 8)
		w.Write(LRW, 7, Logical(0x10000), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
		w.Add(BRD, 8, Broadcast(RegStatus), 2)
	})
	golden(t, "frames.golden", text.String())
}

// anyDatagrams are datagrams that fit into a frame.
func anyDatagrams(t *rapid.T) (list []Datagram) {
	room := MostData + Overhead
	for range rapid.IntRange(0, 8).Draw(t, "datagrams") {
		most := room - Overhead
		if most < 0 {
			break
		}
		size := rapid.IntRange(0, most).Draw(t, "size")
		room -= size + Overhead
		list = append(list, Datagram{
			Command: Command(rapid.IntRange(0, int(FRMW)).Draw(t, "command")), Index: rapid.Byte().Draw(t, "index"),
			Address: Address(rapid.Uint32().Draw(t, "address")), Data: rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "data"),
		})
	}
	return list
}

// A frame is read as it was written, over Ethernet, over UDP and behind a tag of a VLAN.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyDatagrams(t)
		w := NewWriter(make([]byte, LongestFrame), MAC{2})
		for i := range want {
			d := &want[i]
			d.More = i < len(want)-1
			at, ok := w.Write(d.Command, d.Index, d.Address, d.Data)
			if !ok {
				t.Fatal("no room")
			}
			d.At = at - DatagramHeader
		}
		frame := w.Frame()
		if len(frame) < ShortestFrame || len(frame) > LongestFrame {
			t.Fatalf("%d bytes", len(frame))
		}
		compare(t, want, Open(frame), 0)
		if len(want) > 0 { // otherwise padding would be one
			compare(t, want, FollowPayload(frame[EthernetHeader:]), -EthernetHeader)
		}
		tagged := append(append(append([]byte{}, frame[:12]...), 0x81, 0, 0, 5), frame[12:]...)
		compare(t, want, Open(tagged), 4)
		inIP := append(append([]byte{}, frame[:12]...), 0x08, 0, 0x45, 0, 0, 0, 0, 0, 0, 0, 64, udp, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0x88, 0xa4, 0, 0, 0, 0)
		compare(t, want, Open(append(inIP, frame[14:]...)), 28)
	})
}

func compare(t *rapid.T, want []Datagram, r Reader, shift int) {
	var got []Datagram
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		d.At -= shift
		got = append(got, d)
	}
	if diff := cmp.Diff(want, got); diff != "" || r.Fault() != Good {
		t.Fatalf("%v\n%s", r.Fault(), diff)
	}
}

// A frame that is full takes nothing more and stays as it is.
func TestFull(t *testing.T) {
	w := NewWriter(make([]byte, LongestFrame), MAC{})
	if _, ok := w.Add(LRW, 0, 0, MostData+1); ok {
		t.Error("too long")
	}
	if _, ok := w.Add(LRW, 0, 0, -1); ok {
		t.Error("of negative length")
	}
	if _, ok := w.Add(LRW, 0, 0, MostData); !ok {
		t.Error("does not take the longest")
	}
	if _, ok := w.Add(NOP, 0, 0, 0); ok || w.Room() >= 0 {
		t.Errorf("takes more, room %d", w.Room())
	}
	if r := Open(w.Frame()); true {
		d, ok := r.Next()
		if !ok || d.More || len(d.Data) != MostData {
			t.Errorf("%v %+v", ok, d)
		}
	}
}

// Frames that are not to be taken, and why.
func TestRefused(t *testing.T) {
	good := func() []byte {
		w := NewWriter(make([]byte, LongestFrame), MAC{})
		w.Add(BRD, 1, Broadcast(RegType), 4)
		return w.Frame()
	}
	tests := []struct {
		name  string
		frame []byte
		want  Fault
	}{
		{"nothing", nil, Foreign},
		{"another EtherType", append(good()[:12], make([]byte, 48)...), Foreign},
		{"UDP to another port", func() []byte {
			f := make([]byte, 60)
			f[12], f[14], f[23] = 0x08, 0x45, udp
			return f
		}(), Foreign},
		{"header cut off", good()[:15], CutShort},
		{"data cut off", good()[:30], CutShort},
		{"network variables", func() []byte { f := good(); f[15] = 4 << 4; return f }(), OtherKind},
		{"datagram longer than the frame", func() []byte { f := good(); f[22] = 200; return f }(), OutOfBounds},
		{"half a datagram", func() []byte { f := good(); f[14] = 11; return f }(), OutOfBounds},
		{"unknown command", func() []byte { f := good(); f[16] = 15; return f }(), WrongCommand},
		{"good", good(), Good},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Open(tt.frame)
			if _, ok := r.Next(); ok != (tt.want == Good) || r.Fault() != tt.want {
				t.Errorf("%v %v, want %v", ok, r.Fault(), tt.want)
			}
			if strings.Contains(r.Fault().String(), "?") {
				t.Error("no text")
			}
		})
	}
}

// Changes by slaves come back, and the next frame from the same buffer is as fresh as the first.
func TestUpdate(t *testing.T) {
	buffer := make([]byte, LongestFrame)
	w := NewWriter(buffer, MAC{0x10, 2, 3})
	w.Write(APRW, 9, Position(1, RegStation), []byte{1, 2})
	first := append([]byte{}, w.Frame()...)
	frame := w.Frame()
	SetProcessed(frame)
	r := Open(frame)
	d, _ := r.Next()
	d.Address, d.Circulating, d.Events, d.Counter, d.Data[0] = d.Address.Counted(), true, 4, 3, 77
	d.Update(frame)
	r = Open(frame)
	got, _ := r.Next()
	if diff := cmp.Diff(d, got); diff != "" || !WasProcessed(frame) || WasProcessed(first) {
		t.Error(diff)
	}
	if got.Address.ADP() != 0 || got.Address.Register() != RegStation {
		t.Errorf("%x", got.Address)
	}
	w.Clear()
	w.Write(APRW, 9, Position(1, RegStation), []byte{1, 2})
	if diff := cmp.Diff(first, w.Frame()); diff != "" {
		t.Error(diff)
	}
}

// The loop of a master neither allocates when it writes nor when it reads.
func TestNoAllocation(t *testing.T) {
	w := NewWriter(make([]byte, LongestFrame), MAC{})
	data := make([]byte, 100)
	sum := 0
	n := testing.AllocsPerRun(100, func() {
		w.Clear()
		w.Add(FRMW, 1, Station(0x1001, RegSystemTime), 8)
		w.Write(LRW, 2, Logical(0), data)
		frame := w.Frame()
		r := Open(frame)
		for d, ok := r.Next(); ok; d, ok = r.Next() {
			d.Counter = 3
			d.Update(frame)
			sum += len(d.Data)
		}
	})
	if n != 0 || sum == 0 {
		t.Errorf("%v allocations, %d bytes", n, sum)
	}
}

// Settings in the memory of slaves survive writing and reading.
func TestSettings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := SyncManager{
			rapid.Uint16().Draw(t, "start"), rapid.Uint16().Draw(t, "length"), SyncControl(rapid.Byte().Draw(t, "control")),
			rapid.Byte().Draw(t, "status"), rapid.Byte().Draw(t, "activate"), rapid.Byte().Draw(t, "pdi"),
		}
		f := FMMU{
			rapid.Uint32().Draw(t, "logical"), rapid.Uint16().Draw(t, "length"), rapid.Uint8Range(0, 7).Draw(t, "from"),
			rapid.Uint8Range(0, 7).Draw(t, "to"), rapid.Uint16().Draw(t, "physical"), rapid.Uint8Range(0, 7).Draw(t, "bit"),
			FMMUType(rapid.IntRange(0, 3).Draw(t, "type")), rapid.Bool().Draw(t, "active"),
		}
		b := make([]byte, FMMUSize)
		s.Put(b)
		if diff := cmp.Diff(s, ParseSyncManager(b)); diff != "" {
			t.Fatal(diff)
		}
		f.Put(b)
		if diff := cmp.Diff(f, ParseFMMU(b)); diff != "" {
			t.Fatal(diff)
		}
		if f.Bits() < 0 {
			t.Fatal("negative length")
		}
		d := rapid.Int32Range(-1<<31+1, 1<<31-1).Draw(t, "difference")
		if Difference(RawDifference(d)) != d {
			t.Fatalf("%d", d)
		}
	})
	if ParseFMMU(nil).Active || ParseSyncManager([]byte{1}).Start != 0 {
		t.Error("made of nothing")
	}
	if n := (FMMU{Length: 1, StartBit: 2, EndBit: 4}).Bits(); n != 3 {
		t.Errorf("%d bits", n)
	}
	if n := MapBytes(0, 0x1000, 6, FMMURead).Bits(); n != 48 {
		t.Errorf("%d bits", n)
	}
	if Difference(0x80000005) != -5 || RawDifference(-1<<31) != 0xffffffff {
		t.Error("sign and magnitude")
	}
}

// Usual control bytes say what they are for.
func TestControlBytes(t *testing.T) {
	tests := []struct {
		c             SyncControl
		mail, written bool
	}{
		{ControlMailOut, true, true},
		{ControlMailIn, true, false},
		{ControlOutputs, false, true},
		{ControlOutputsLoose, false, true},
		{ControlInputs, false, false},
		{ControlDigitalOut, false, true},
		{ControlDigitalIn, false, false},
	}
	for _, tt := range tests {
		if tt.c.Mailbox() != tt.mail || tt.c.Written() != tt.written {
			t.Errorf("%#x: %v %v", tt.c, tt.c.Mailbox(), tt.c.Written())
		}
	}
	if ControlOutputs&SyncWatchdog == 0 || ControlOutputsLoose&SyncWatchdog != 0 {
		t.Error("watchdogs")
	}
}

// Up one step, down any number, and Boot beside Init only.
func TestAllowed(t *testing.T) {
	states := []State{Init, PreOp, Boot, SafeOp, Op}
	got := ""
	for _, from := range states {
		got += fmt.Sprint(from, " ->")
		for _, to := range states {
			if Allowed(from|ErrorBit, to) {
				got += fmt.Sprint(" ", to)
			}
		}
		got += "\n"
	}
	want := `Init -> Init Pre-Op Boot
Pre-Op -> Init Pre-Op Safe-Op
Boot -> Init Boot
Safe-Op -> Init Pre-Op Safe-Op Op
Op -> Init Pre-Op Safe-Op Op
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if Allowed(Init, 0) || Allowed(Init, 7) {
		t.Error("to nowhere")
	}
	if s := (Op | ErrorBit).String(); s != "Op with error" || !(Op | ErrorBit).Error() {
		t.Error(s)
	}
}

// Commands and codes have names, and codes a remedy.
func TestWords(t *testing.T) {
	var text strings.Builder
	for c := range FRMW + 2 {
		fmt.Fprintf(&text, "%d %v reads=%v writes=%v logical=%v counts=%v known=%v\n", c, c, c.Reads(), c.Writes(), c.Logical(), c.Counts(), c.Known())
	}
	for c := range Code(0x0100) {
		if c.Known() {
			fmt.Fprintf(&text, "%v: %s\n", c, c.Remedy())
		}
	}
	for _, c := range []Code{0x00ff, 0x8123} {
		fmt.Fprintf(&text, "%v: %s\n", c, c.Remedy())
	}
	golden(t, "words.golden", text.String())
}

// Ports of a slave as in register 0x0110.
func TestLinkStatus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		open := rapid.SliceOfN(rapid.Bool(), Ports, Ports).Draw(t, "open")
		l, n := LinkReady, 0
		for p, o := range open {
			l = l.WithPort(p, o)
			if o {
				n++
			}
		}
		for p, o := range open {
			if l.Open(p) != o || l.Closed(p) == o || l.Physical(p) != o || l.Communication(p) != o {
				t.Fatalf("%016b port %d", l, p)
			}
		}
		if l.OpenPorts() != n || l&LinkReady == 0 {
			t.Fatalf("%016b", l)
		}
	})
	if LoopOf(0x0001_2000, 2) != LoopOpen || LoopOf(0xc000, 3) != LoopClosed {
		t.Error("loops")
	}
	if PortKindOf(0x0b, 0) != PortMII || PortKindOf(0x0b, 1) != PortEBus || PortKindOf(0x0b, 2) != PortAbsent {
		t.Error("kinds")
	}
}

// Whatever comes, reading ends, stays within the frame, and writing back what was read changes nothing.
func FuzzFrame(f *testing.F) {
	w := NewWriter(make([]byte, LongestFrame), MAC{})
	w.Add(BRD, 1, Broadcast(RegType), 4)
	w.Add(LRW, 2, Logical(4), 40)
	f.Add(w.Frame())
	f.Add([]byte{})
	f.Add(make([]byte, 60))
	f.Fuzz(func(t *testing.T, frame []byte) {
		before := append([]byte{}, frame...)
		readers := []Reader{Open(frame), FollowPayload(frame)}
		for _, r := range readers {
			n := 0
			for d, ok := r.Next(); ok; d, ok = r.Next() {
				n++
				d.Update(frame)
				if n > len(frame)/Overhead || len(d.Data) > lengthMask {
					t.Fatalf("%d datagrams, %d bytes", n, len(d.Data))
				}
			}
		}
		if diff := cmp.Diff(before, frame); diff != "" {
			t.Error(diff)
		}
	})
}
