package sim

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/corpus"
)

// Another decoder reads the corpus as it is meant: nothing is malformed, and services, counters, objects and abort codes are those
// that stand in the bytes.
func TestCorpusBySomebodyElse(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("skip: tshark is not installed, so that nobody else looks at the corpus")
	}
	const box, station, size = 0x1000, 0x1001, 128
	var packets []link.Packet
	var mails [][]byte
	var names []string
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2, 0, 0, 0, 0, 1})
	for _, e := range corpus.Read(t, corpusFolder) {
		if strings.Contains(e.Name, "no room") || strings.Contains(e.Name, "half a") || strings.Contains(e.Name, "longer than") {
			continue // malformed is what they are meant to be
		}
		for _, m := range e.Mails {
			w.Clear()
			command := wire.FPWR
			if m.FromSlave {
				command = wire.FPRD
			}
			w.Write(command, 1, wire.Station(station, box), append(bytes.Clone(m.Bytes), make([]byte, size-len(m.Bytes))...))
			frame := bytes.Clone(w.Frame())
			at := wire.EthernetHeader + wire.FrameHeader + wire.DatagramHeader + size
			frame[at] = 1 // a slave has taken part
			packets = append(packets, link.Packet{Time: int64(len(packets)) * cycleTime, Frame: frame})
			mails, names = append(mails, m.Bytes), append(names, fmt.Sprintf("%s, line %d", e.Name, m.Line))
		}
	}
	var b bytes.Buffer
	if err := link.WritePcap(&b, packets); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "corpus.pcap")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", file, "-T", "fields", "-E", "separator=|", "-e", "_ws.malformed"}
	for _, f := range foreignFields {
		args = append(args, "-e", "ecat_mailbox."+f.name)
	}
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(mails) {
		t.Fatalf("%d lines for %d mails", len(lines), len(mails))
	}
	seen := map[string]int{}
	for i, line := range lines {
		theirs := strings.Split(line, "|")
		if theirs[0] != "" {
			t.Errorf("%s: malformed", names[i])
		}
		for j, f := range foreignFields {
			want := ""
			if len(mails[i]) >= f.at+f.size && f.there(mails[i]) {
				v := number64(mails[i][f.at:][:f.size])
				want = strconv.FormatUint(v>>f.shift&(1<<f.bits-1), 10)
				seen[f.name]++
			}
			got := theirs[j+1]
			if v, err := strconv.ParseUint(got, 0, 64); err == nil {
				got = strconv.FormatUint(v, 10)
			} else if b, err := strconv.ParseBool(got); err == nil {
				got = strconv.Itoa(map[bool]int{true: 1}[b])
			}
			if got != want {
				t.Errorf("%s: %s is %q to somebody else, and %q by the facts\n% x", names[i], f.name, got, want, mails[i])
			}
		}
	}
	for _, f := range foreignFields {
		if seen[f.name] == 0 {
			t.Errorf("the corpus has no %s", f.name)
		}
	}
}

// foreignFields are those of the other decoder, and where they stand by docs/facts/ethercat.md.
var foreignFields = []struct {
	name        string
	at, size    int
	shift, bits uint
	there       func(m []byte) bool
}{
	{"length", 0, 2, 0, 16, isNoError},
	{"counter", 5, 1, 4, 3, isNoError},
	{"coe.number", 6, 2, 0, 9, isCoE},
	{"coe.type", 6, 2, 12, 4, isCoE},
	{"coe.sdoidx", 9, 2, 0, 16, initiates},
	{"coe.sdosub", 11, 1, 0, 8, initiates},
	{"coe.abortcode", 12, 4, 0, 32, func(m []byte) bool { return serviceOf(m) == 2 && m[8] == 0x80 }},
	{"coe.sdoccsds.lastseg", 8, 1, 0, 1, func(m []byte) bool { return serviceOf(m) == 2 && m[8]>>5 == 0 }},
	{"coe.sdoccsds.toggle", 8, 1, 4, 1, func(m []byte) bool { return serviceOf(m) == 2 && m[8]>>5 == 0 }},
	{"coe.sdoscsds_toggle", 8, 1, 4, 1, func(m []byte) bool { return serviceOf(m) == 3 && m[8]>>5 == 1 }},
	{"coe.sdoscsus_lastseg", 8, 1, 0, 1, func(m []byte) bool { return serviceOf(m) == 3 && m[8]>>5 == 0 }},
	{"coe.sdoscsus_toggle", 8, 1, 4, 1, func(m []byte) bool { return serviceOf(m) == 3 && m[8]>>5 == 0 }},
	{"coe.sdoscsiu_expedited", 8, 1, 1, 1, func(m []byte) bool { return serviceOf(m) == 3 && m[8]>>5 == 2 }},
	{"coe.sdoscsiu_complete", 8, 1, 4, 1, func(m []byte) bool { return serviceOf(m) == 3 && m[8]>>5 == 2 }},
	{"coe.sdoinfofrag", 10, 2, 0, 16, func(m []byte) bool { return serviceOf(m) == 8 }},
	{"coe.sdoinfoerrorcode", 12, 4, 0, 32, func(m []byte) bool { return serviceOf(m) == 8 && m[8] == 7 }},
	{"coe.sdoinfomaxsub", 16, 1, 0, 8, func(m []byte) bool { return serviceOf(m) == 8 && m[8]&0x7f == 4 }},
	{"coe.sdoinfoobjcode", 17, 1, 0, 8, func(m []byte) bool { return serviceOf(m) == 8 && m[8]&0x7f == 4 }},
	{"coe.sdoinfobitlen", 18, 2, 0, 16, func(m []byte) bool { return serviceOf(m) == 8 && m[8]&0x7f == 6 }},
	{"coe.sdoinfoobjaccess", 20, 2, 0, 16, func(m []byte) bool { return serviceOf(m) == 8 && m[8]&0x7f == 6 }},
}

// isNoError: it does not look into error replies.
func isNoError(m []byte) bool { return m[5]&0x0f != 0 }

func isCoE(m []byte) bool { return m[5]&0x0f == 3 }

func serviceOf(m []byte) byte {
	if !isCoE(m) || len(m) < 8 {
		return 0
	}
	return m[7] >> 4
}

// initiates reports whether a mail begins a transfer, or agrees to.
func initiates(m []byte) bool {
	switch serviceOf(m) {
	case 2:
		return m[8]>>5 == 1 || m[8]>>5 == 2
	case 3:
		return m[8]>>5 == 2 || m[8]>>5 == 3
	}
	return false
}
