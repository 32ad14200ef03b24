package cable

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

var _ = []link.Link{(*Memory)(nil), (*UDP)(nil), (*link.Raw)(nil), (*Replay)(nil)}

// three are three slaves that count.
type three struct{}

func (three) Process(frame []byte, now int64, deliver func([]byte, int64)) {
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		d.Counter += 3
		d.Update(frame)
	}
	wire.SetProcessed(frame)
	deliver(frame, now+link.WireTime(len(frame)))
}

func request(index uint8) []byte {
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{1, 1, 1, 1, 1, 1})
	w.Add(wire.BRD, index, wire.Broadcast(wire.RegType), 1)
	return w.Frame()
}

// seen returns what comes back: index and working counter, or what is wrong.
func seen(l link.Link, until int64) string {
	room := make([]byte, wire.LongestFrame)
	n, ok := l.Receive(room, until)
	if !ok {
		return "nothing"
	}
	r := wire.Open(room[:n])
	d, ok := r.Next()
	if !ok {
		return r.Fault().String()
	}
	return string('0'+rune(d.Index)) + "/" + string('0'+rune(d.Counter))
}

func TestMemory(t *testing.T) {
	tests := []struct {
		name   string
		faults map[uint64]Fault
		want   string
	}{
		{"nothing", nil, "1/3 2/3 nothing"},
		{"unheard", map[uint64]Fault{0: {Unheard: true}}, "2/3 nothing"},
		{"lost", map[uint64]Fault{1: {Lost: true}}, "1/3 nothing"},
		{"late", map[uint64]Fault{0: {Delay: 1e5}}, "2/3 1/3 nothing"},
		{"twice", map[uint64]Fault{0: {Twice: true}}, "1/3 1/3 2/3 nothing"},
		{"stale", map[uint64]Fault{1: {Stale: true}}, "1/3 1/3 nothing"},
		{"stale without one before", map[uint64]Fault{0: {Stale: true}}, "2/3 nothing"},
		{"cut", map[uint64]Fault{0: {Cut: 20}}, "the frame is cut short 2/3 nothing"},
		{"wrong index", map[uint64]Fault{0: {Index: 4}}, "5/3 2/3 nothing"},
		{"wrong counter", map[uint64]Fault{1: {Counter: -1}}, "1/3 2/2 nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewMemory(three{}, 1000)
			m.Faults = func(n uint64, _ []byte) Fault { return tt.faults[n] }
			m.Send(request(1))
			m.Send(request(2))
			var got []string
			for range 4 {
				got = append(got, seen(m, m.Now()+1e6))
				if got[len(got)-1] == "nothing" {
					break
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Time goes on when somebody waits: to the arrival of what comes, or to when waiting ends.
func TestMemoryTime(t *testing.T) {
	m := NewMemory(three{}, 0)
	m.Latency = 1000
	m.Send(request(1))
	if got := seen(m, 500); got != "nothing" || m.Now() != 500 {
		t.Error(got, m.Now())
	}
	if got, due := seen(m, 1e6), link.WireTime(wire.ShortestFrame)+1000; got != "1/3" || m.Now() != due {
		t.Errorf("%s at %d, not at %d", got, m.Now(), due)
	}
	m.Send(request(2))
	m.Advance(1e6)
	if got := seen(m, 0); got != "2/3" || m.Now() != 1e6 {
		t.Error("what was there is not received:", got, m.Now())
	}
	m.Unplugged = true
	m.Send(request(3))
	if got := seen(m, 2e6); got != "nothing" {
		t.Error(got)
	}
	if m.Send(make([]byte, 10)) || m.Send(make([]byte, 2000)) {
		t.Error("takes frames that do not exist")
	}
	for range parcels + 10 { // more than anybody waits for
		m.Unplugged = false
		m.Send(request(4))
	}
	if m.count != parcels {
		t.Error(m.count)
	}
}

// Over UDP comes what goes over a cable.
func TestUDP(t *testing.T) {
	here := netip.MustParseAddrPort("127.0.0.1:0")
	clock := rt.NewReal()
	room := make([]byte, wire.LongestFrame)
	slaves, err := rt.Listen(here, room)
	if err != nil {
		t.Skip("skip: ", err)
	}
	defer slaves.Close()
	u, err := DialUDP(here, slaves.Address(), clock)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	stranger, err := DialUDP(here, u.Address(), clock)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if !stranger.Send(request(7)) || !u.Send(request(1)) || u.Send(make([]byte, 40)) || u.Send(nil) {
		t.Fatal("sending")
	}
	long := clock.Now() + 60e9
	var d rt.Datagram
	if slaves.Receive(clock, long, &d) != rt.Received {
		t.Fatal("nothing arrives")
	}
	r := wire.FollowPayload(room[:d.Length])
	got, ok := r.Next()
	if !ok || got.Index != 1 {
		t.Fatal("not what was sent:", got, r.Fault())
	}
	got.Counter = 3
	got.Update(room[:d.Length])
	slaves.Send(room[:d.Length], &d.From)
	if got := seen(u, long); got != "1/3" {
		t.Error(got)
	}
	if got := seen(u, u.Now()); got != "nothing" {
		t.Error(got)
	}
}

// A recording is written, read, and answers.
func TestRecordAndReplay(t *testing.T) {
	m := NewMemory(three{}, 5e9)
	rec := link.NewRecorder(4)
	pass := func(index uint8) string {
		rec.Keep(request(index), m.Now())
		m.Send(request(index))
		room := make([]byte, wire.LongestFrame)
		n, _ := m.Receive(room, m.Now()+1e6)
		rec.Keep(room[:n], m.Now())
		r := wire.Open(room[:n])
		d, _ := r.Next()
		return string('0'+rune(d.Index)) + "/" + string('0'+rune(d.Counter))
	}
	first, second := pass(1), pass(2)
	rec.Keep(request(3), m.Now()) // for which there is no room
	packets := rec.Take()
	if len(packets) != 4 || rec.Missed() != 1 || len(rec.Take()) != 0 {
		t.Fatal(len(packets), rec.Missed())
	}
	var file bytes.Buffer
	if err := link.WritePcap(&file, packets); err != nil {
		t.Fatal(err)
	}
	again, err := ReadPcap(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(packets, again); diff != "" {
		t.Fatal(diff)
	}
	if _, err := ReadPcap(bytes.NewReader(file.Bytes()[:file.Len()-1])); err == nil {
		t.Error("half a packet is none")
	}
	play := func(indexes ...uint8) (*Replay, []string) {
		r := NewReplay(again)
		var got []string
		for _, i := range indexes {
			r.Send(request(i))
			got = append(got, seen(r, r.Now()+1e9))
		}
		return r, got
	}
	r, got := play(1, 2)
	if diff := cmp.Diff([]string{first, second}, got); diff != "" || r.Err() != nil {
		t.Error(diff, r.Err())
	}
	if r, _ := play(1); r.Err() == nil || r.Now() != packets[1].Time {
		t.Error("it was not over:", r.Err())
	}
	if r, _ := play(1, 3); r.Err() == nil || !strings.Contains(r.Err().Error(), "packet 3 differs") {
		t.Error(r.Err())
	}
	if r, _ := play(1, 2, 3); r.Err() == nil || !strings.Contains(r.Err().Error(), "after the end of the recording") {
		t.Error(r.Err())
	}
	if seen(NewReplay(nil), 1) != "nothing" {
		t.Error("out of nothing")
	}
}

func TestPcapRefused(t *testing.T) {
	for _, b := range [][]byte{nil, make([]byte, 24), append([]byte{0xd4, 0xc3, 0xb2, 0xa1}, make([]byte, 20)...)} {
		if _, err := ReadPcap(bytes.NewReader(b)); !errors.Is(err, ErrPcap) {
			t.Error(err)
		}
	}
	big := append([]byte{0xa1, 0xb2, 0xc3, 0xd4}, make([]byte, 20)...) // microseconds, big endian
	big[23] = 1
	big = append(big, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 42)
	got, err := ReadPcap(bytes.NewReader(big))
	if diff := cmp.Diff([]link.Packet{{Time: 2*second + 3000, Frame: []byte{42}}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	big[32] = 0xff
	if _, err := ReadPcap(bytes.NewReader(big)); !errors.Is(err, ErrPcap) {
		t.Error(err)
	}
}

// Whatever comes as a file, reading ends with what there is.
func FuzzPcap(f *testing.F) {
	var file bytes.Buffer
	_ = link.WritePcap(&file, []link.Packet{{Time: 1, Frame: request(1)}})
	f.Add(file.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		packets, err := ReadPcap(bytes.NewReader(b))
		if err == nil && len(packets)*packetHead > len(b) {
			t.Error(len(packets))
		}
		r := NewReplay(packets)
		for range packets {
			seen(r, r.Now())
		}
	})
}
