package ethercat

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// lifetime returns all that happens to a bus: start with clocks, cycles, objects read and written in all ways, faults of frames and slaves with
// their recovery, stop.
func lifetime(t *testing.T) (packets []link.Packet, boxes map[wire.Address]bool) {
	t.Helper()
	rack := rackOf("EK1100", "EL1008", "EL2008", "EL3104", "EL4132", "EL3102")
	arm := strings.Repeat("arm-", 63) // a name that goes through a mailbox in segments
	rack.Slaves = append(rack.Slaves, sim.SlaveGiven{Type: "drive", Name: arm, Drive: sim.DriveYAML{Axes: 6, Vendor: 0x1234, Product: 0x5678}})
	record := link.NewRecorder(1 << 13)
	r := newRig(t, rack, Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}, Record: record})
	r.m.Add(&pulsed{})
	r.start()
	r.cycles(20)
	ctx := t.Context()
	for _, s := range []*Slave{r.m.Slaves()[3], r.m.Slaves()[6]} {
		for _, index := range []uint16{0x1000, 0x1008, 0x1018, 0x5fff} {
			for _, complete := range []bool{false, true} {
				_, _ = s.Upload(ctx, index, 0, complete) // some of it is refused: that is part of it
			}
		}
		_ = s.Download(ctx, 0x1018, 1, false, []byte{1, 2, 3, 4})
		list, err := s.Objects(ctx, coe.ListAll)
		if err != nil {
			t.Fatal(err)
		}
		for _, index := range list[:min(len(list), 10)] {
			_, _ = s.Object(ctx, index)
			_, _ = s.Entry(ctx, index, 0)
		}
	}
	for _, fault := range []string{
		"drop 2", "counter -1 2", "late 3ms 2", "slave " + arm + " error 0x001b safeop", "slave " + arm + " fault 2 0x8611", "slave EL3104-4 cycle", "slave EL3104-4 losemail 1",
	} {
		r.do(fault)
		r.cycles(20)
		r.tend(20 * time.Second)
	}
	if err := r.m.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if record.Missed() > 0 {
		t.Fatalf("%d frames were not recorded", record.Missed())
	}
	boxes = map[wire.Address]bool{}
	for _, s := range r.m.Slaves() {
		if s.HasMailbox() {
			boxes[wire.Station(s.Station, wire.Register(s.SII.Mailbox.Out))] = true
			boxes[wire.Station(s.Station, wire.Register(s.SII.Mailbox.In))] = false
		}
	}
	return record.Take(), boxes
}

// reading is a frame as we read it.
type reading struct {
	length uint64
	list   []wire.Datagram
	boxes  map[wire.Address]bool // areas of mailboxes: true for those that slaves read
}

// field is what another decoder says about a frame, all its values one behind the other, and our own reading of it.
type field struct {
	name string
	ours func(p *reading) []uint64
}

// each takes values from each datagram.
func each(of func(d *wire.Datagram) []uint64) func(p *reading) []uint64 {
	return func(p *reading) (list []uint64) {
		for i := range p.list {
			list = append(list, of(&p.list[i])...)
		}
		return list
	}
}

// physical is each for datagrams that go to memory of slaves.
func physical(of func(d *wire.Datagram) uint64) func(p *reading) []uint64 {
	return each(func(d *wire.Datagram) []uint64 {
		if d.Command.Logical() {
			return nil
		}
		return []uint64{of(d)}
	})
}

// register returns what stands in a register.
func register(at wire.Register, size int) func(p *reading) []uint64 {
	return settings(at, size, 1, number)
}

// cut returns what stands in registers, if the datagram has all of it, and has been read or is to be written.
func cut(d *wire.Datagram, at wire.Register, size int) []byte {
	from := int(at) - int(d.Address.Register())
	if d.Command.Logical() || !d.Command.Writes() && d.Counter == 0 || from < 0 || from+size > len(d.Data) {
		return nil
	}
	return d.Data[from : from+size]
}

func number(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// mails takes values from each mail.
func mails(of func(h coe.Header, body []byte) []uint64) func(p *reading) []uint64 {
	return func(p *reading) (list []uint64) {
		for i := range p.list {
			d := &p.list[i]
			written, is := p.boxes[d.Address]
			if !is || d.Command.Writes() != written || !written && d.Counter == 0 {
				continue
			}
			if h, ok := coe.ParseHeader(d.Data); ok && h.Length > 0 {
				list = append(list, of(h, d.Data[coe.HeaderSize:coe.HeaderSize+int(h.Length)])...)
			}
		}
		return list
	}
}

// objects takes values from each SDO of a service; the first of them is its command.
func objects(service uint16, of func(command uint64, sdo []byte) []uint64) func(p *reading) []uint64 {
	return mails(func(h coe.Header, b []byte) []uint64 {
		const head, initiate = 2, 8
		if h.Type != coe.TypeCoE || len(b) < head+initiate || number(b[:head])>>12 != uint64(service) {
			return nil
		}
		return of(uint64(b[head]>>5), b[head:])
	})
}

// Services of CoE, and commands of SDOs that have an index (ETG.1000.6 §5.6.2).
const (
	request, response, info      = 2, 3, 8
	download, upload, downloaded = 1, 2, 3
	uploadSegment                = 3
)

var fields = []field{
	{"ecatf.length", func(p *reading) []uint64 { return []uint64{p.length} }},
	{"ecat.cmd", each(func(d *wire.Datagram) []uint64 { return []uint64{uint64(d.Command)} })},
	{"ecat.idx", each(func(d *wire.Datagram) []uint64 { return []uint64{uint64(d.Index)} })},
	{"ecat.adp", physical(func(d *wire.Datagram) uint64 { return uint64(d.Address.ADP()) })},
	{"ecat.ado", physical(func(d *wire.Datagram) uint64 { return uint64(d.Address.Register()) })},
	{"ecat.lad", each(func(d *wire.Datagram) []uint64 {
		if !d.Command.Logical() {
			return nil
		}
		return []uint64{uint64(d.Address.Logical())}
	})},
	{"ecat.subframe.length", each(func(d *wire.Datagram) []uint64 { return []uint64{uint64(len(d.Data))} })},
	{"ecat.int", each(func(d *wire.Datagram) []uint64 { return []uint64{uint64(d.Events)} })},
	{"ecat.cnt", each(func(d *wire.Datagram) []uint64 { return []uint64{uint64(d.Counter)} })},

	{"ecat.reg.physaddr", register(wire.RegStation, 2)},
	{"ecat.reg.alctrl", register(wire.RegControl, 2)},
	{"ecat.reg.alstatus", register(wire.RegStatus, 2)},
	{"ecat.reg.alstatuscode", register(wire.RegStatusCode, 2)},
	{"ecat.reg.ctrlstat", register(wire.RegSIIControl, 2)},
	{"ecat.reg.dc.systimedelay", register(wire.RegDelay, 4)},
	{"ecat.reg.dc.activation", register(wire.RegActivation, 1)},
	{"ecat.reg.dc.cyctime0", register(wire.RegSync0Cycle, 4)},

	{"ecat_mailbox.length", mails(func(h coe.Header, _ []byte) []uint64 { return []uint64{uint64(h.Length)} })},
	{"ecat_mailbox.address", mails(func(h coe.Header, _ []byte) []uint64 { return []uint64{uint64(h.Address)} })},
	{"ecat_mailbox.priority", mails(func(h coe.Header, _ []byte) []uint64 { return []uint64{uint64(h.Priority)} })},
	{"ecat_mailbox.type", mails(func(h coe.Header, _ []byte) []uint64 { return []uint64{uint64(h.Type)} })},
	{"ecat_mailbox.counter", mails(func(h coe.Header, _ []byte) []uint64 { return []uint64{uint64(h.Counter)} })},
	{"ecat_mailbox.coe.number", mails(func(_ coe.Header, b []byte) []uint64 { return []uint64{number(b[:2]) & 0x1ff} })},
	{"ecat_mailbox.coe.type", mails(func(_ coe.Header, b []byte) []uint64 { return []uint64{number(b[:2]) >> 12} })},
	{"ecat_mailbox.coe.sdoreq", objects(request, func(c uint64, _ []byte) []uint64 { return []uint64{c} })},
	{"ecat_mailbox.coe.sdores", objects(response, func(c uint64, _ []byte) []uint64 { return []uint64{c} })},
	{"ecat_mailbox.coe.sdoidx", initiated(func(_ uint64, sdo []byte) []uint64 { return []uint64{number(sdo[1:3])} })},
	{"ecat_mailbox.coe.sdosub", initiated(func(_ uint64, sdo []byte) []uint64 { return []uint64{uint64(sdo[3])} })},
	{"ecat_mailbox.coe.sdodata", initiated(func(_ uint64, sdo []byte) []uint64 {
		const expedited, most = 2, 4
		if sdo[0]&expedited == 0 {
			return nil
		}
		return []uint64{number(sdo[4 : 4+most-sdo[0]>>2&3])}
	})},
	{"ecat_mailbox.coe.sdoinfoopcode", mails(func(_ coe.Header, b []byte) []uint64 {
		if number(b[:2])>>12 != info {
			return nil
		}
		return []uint64{uint64(b[2])}
	})},
	{"ecat.fmmu.lstart", fmmus(func(f wire.FMMU) uint64 { return uint64(f.Logical) })},
	{"ecat.fmmu.llen", fmmus(func(f wire.FMMU) uint64 { return uint64(f.Length) })},
	{"ecat.fmmu.pstart", fmmus(func(f wire.FMMU) uint64 { return uint64(f.Physical) })},
	{"ecat.fmmu.type", fmmus(func(f wire.FMMU) uint64 { return uint64(f.Type) })},
	{"ecat.syncman.start", managers(func(m wire.SyncManager) uint64 { return uint64(m.Start) })},
	{"ecat.syncman.len", managers(func(m wire.SyncManager) uint64 { return uint64(m.Length) })},
	{"ecat.subframe.circulating", each(func(*wire.Datagram) []uint64 { return []uint64{0} })},
}

// initiated takes values from SDOs that begin a transfer, or its answer.
func initiated(of func(command uint64, sdo []byte) []uint64) func(p *reading) []uint64 {
	return func(p *reading) []uint64 {
		from := func(service uint16, first uint64) []uint64 {
			return objects(service, func(c uint64, sdo []byte) []uint64 {
				if c != first && c != upload {
					return nil
				}
				return of(c, sdo)
			})(p)
		}
		return append(from(request, download), from(response, downloaded)...) // never both in one frame
	}
}

// settings are units of registers one behind the other, as many of them as the other decoder knows.
func settings(first wire.Register, size, most int, of func(unit []byte) uint64) func(p *reading) []uint64 {
	return each(func(d *wire.Datagram) (list []uint64) {
		for i := range most {
			if b := cut(d, first+wire.Register(i*size), size); b != nil {
				list = append(list, of(b))
			}
		}
		return list
	})
}

func fmmus(of func(f wire.FMMU) uint64) func(p *reading) []uint64 {
	return settings(wire.RegFMMU, wire.FMMUSize, 16, func(unit []byte) uint64 { return of(wire.ParseFMMU(unit)) })
}

func managers(of func(m wire.SyncManager) uint64) func(p *reading) []uint64 {
	return settings(wire.RegSyncManager, wire.SyncManagerSize, 8, func(unit []byte) uint64 { return of(wire.ParseSyncManager(unit)) })
}

// Another decoder agrees with every frame that master and slaves send in the life of a bus: it finds nothing malformed, and reads in
// each field what we do.
func TestForeignDecoder(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("skip: tshark is not installed, so that nobody else looks at frames")
	}
	packets, boxes := lifetime(t)
	file := filepath.Join(t.TempDir(), "life.pcap")
	var b bytes.Buffer
	if err := link.WritePcap(&b, packets); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	// Its message about something wrong, then what it reads.
	args := []string{"-r", file, "-T", "fields", "-E", "separator=|", "-E", "aggregator=;", "-e", "_ws.malformed", "-e", "_ws.expert.message"}
	for _, f := range fields {
		args = append(args, "-e", f.name)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(packets) {
		t.Fatalf("%d lines for %d frames", len(lines), len(packets))
	}
	seen, commands := map[string]int{}, map[uint64]bool{}
	for i, line := range lines {
		theirs := strings.Split(line, "|")
		if len(theirs) != len(fields)+2 {
			t.Fatalf("frame %d: %q", i+1, line)
		}
		if theirs[0] != "" || strings.Trim(theirs[1], ";") != groupAddress {
			t.Errorf("frame %d: malformed %q, %q", i+1, theirs[0], theirs[1])
		}
		p := read(t, packets[i].Frame)
		p.boxes = boxes
		for j, f := range fields {
			ours := f.ours(p)
			seen[f.name] += len(ours)
			if f.name == "ecat_mailbox.coe.sdoreq" {
				for _, c := range ours {
					commands[c] = true
				}
			}
			if diff := cmp.Diff(ours, values(t, theirs[j+2])); diff != "" {
				t.Errorf("frame %d: %s: %s", i+1, f.name, diff)
			}
		}
		if t.Failed() {
			t.FailNow() // one frame says enough
		}
	}
	for _, f := range fields {
		if seen[f.name] == 0 {
			t.Errorf("there was no %s to be compared", f.name)
		}
	}
	if !commands[download] || !commands[upload] || !commands[uploadSegment] {
		t.Errorf("of transfers there were only %v", commands)
	}
	t.Logf("%d frames, %v", len(lines), seen)
}

// groupAddress is the one thing that it may mind: masters send from 01:01:01:01:01:01, which no interface has (flight.go).
const groupAddress = "Source MAC must not be a group address: IEEE 802.3-2002, Section 3.2.3(b)"

// read is our reading of a frame.
func read(t *testing.T, frame []byte) *reading {
	t.Helper()
	r := wire.Open(frame)
	p := &reading{length: number(frame[wire.EthernetHeader:wire.EthernetHeader+2]) & 0x7ff}
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		p.list = append(p.list, d)
	}
	if r.Fault() != wire.Good {
		t.Fatal(r.Fault())
	}
	return p
}

// values are numbers as printed, decimal or hexadecimal.
func values(t *testing.T, text string) (list []uint64) {
	t.Helper()
	if text == "" {
		return nil
	}
	for word := range strings.SplitSeq(text, ";") {
		v, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}
