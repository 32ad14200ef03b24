package ethercat

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// page returns one of the bus.
func (r *rig) page(path string) *device.Page {
	r.Helper()
	for i := range pages {
		if pages[i].Path == path {
			return &pages[i]
		}
	}
	r.Fatalf("there is no page %q", path)
	return nil
}

// view returns what a page shows to a question such as slave=5.
func (r *rig) view(path string, question ...string) (any, error) {
	r.Helper()
	return r.page(path).View(r.Bus, fields(question))
}

func fields(list []string) map[string]string {
	all := map[string]string{}
	for _, one := range list {
		name, v, _ := strings.Cut(one, "=")
		all[name] = v
	}
	return all
}

// shows compares a page with a file of testdata.
func (r *rig) shows(file, path string, question ...string) {
	r.Helper()
	view, err := r.view(path, question...)
	if err != nil {
		r.Fatal(err)
	}
	got, err := xml.MarshalIndent(view, "", "  ")
	if err != nil {
		r.Fatal(err)
	}
	if _, err := json.Marshal(view); err != nil {
		r.Error(err)
	}
	golden(r.T, file, append(got, '\n'))
}

var update = flag.Bool("update", false, "write what pages show again")

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %v\n%s", file, err, got)
	}
}

// tell posts parameters to a page.
func (r *rig) tell(path string, told ...string) error {
	r.Helper()
	return r.page(path).Tell(r.Bus, fields(told))
}

// refused checks that an error says something.
func (r *rig) refused(err error, what string) {
	r.Helper()
	if err == nil || !strings.Contains(err.Error(), what) {
		r.Errorf("%v instead of %s", err, what)
	}
}

// stand returns a bus in operation that has one of everything, with its pages.
func stand(t *testing.T) *rig {
	r := newRig(t, map[string]string{"rack": "testdata/rack.yaml", "clocks": "on", "record": "50", "cycle": "2ms"})
	r.join("in", &part{number: 2})
	r.join("out", &part{number: 3})
	r.pass(5 * time.Second)
	return r
}

// TestPages compares what pages show in virtual time, in which every run is the same.
func TestPages(t *testing.T) {
	r := stand(t)
	for _, do := range []string{"slave EL1008-2 input 3 on", "drop 1", "slave drive-5 emergency 0x7500 1"} {
		if err := r.tell("rack", "do="+do); err != nil {
			t.Fatal(err)
		}
		r.pass(time.Second)
	}
	r.shows("topology.xml", "")
	r.shows("state.xml", "state")
	r.shows("slaves.xml", "slaves")
	r.shows("rack.xml", "rack")
	r.refused(r.tell("rack", "do=slave EL1009-2 vanish"), "did you mean EL1008-2")
}

// TestFramesPage: process data are shown by slave, and what happened to frames is counted and shown.
func TestFramesPage(t *testing.T) {
	r := stand(t)
	for _, do := range []string{"slave EL1008-2 input 3 on", "drop 1"} {
		if err := r.tell("rack", "do="+do); err != nil {
			t.Fatal(err)
		}
		r.pass(time.Second)
	}
	v := r.framesView()
	if len(v.Process) != 4 || v.Process[0] != (processView{2, "EL1008-2", "", "04"}) || v.Process[1] != (processView{3, "EL2008-3", "01", ""}) {
		t.Errorf("%+v", v.Process)
	}
	if len(v.Datagrams) != 1 || v.Datagrams[0].Expected != 7 || v.Datagrams[0].Got != 7 {
		t.Errorf("%+v", v.Datagrams)
	}
	counts := map[string]uint64{}
	for _, f := range v.Figures {
		counts[f.What] = f.Count
	}
	if counts["lost"] != 1 || counts["cycles"] < 2000 || counts["received"] != counts["sent"]-1 || counts["wrong counter"] != 0 {
		t.Errorf("%+v", counts)
	}
	told := false
	for _, n := range v.Incidents {
		told = told || n.What == "frame lost" && n.Cycle != nil && *n.Cycle > 0
	}
	if !told || v.Times[0].What != "round trip" || v.Times[0].Count == 0 {
		t.Errorf("%+v %+v", v.Incidents, v.Times)
	}
}

// TestObjectsOfASlowSlave: mails that are lost do not end the list; one that has ended as nothing was answered for long is gone on with when
// the page is opened again.
func TestObjectsOfASlowSlave(t *testing.T) {
	r := stand(t)
	_, session := r.state()
	look := func(lost string) *dictionary {
		t.Helper()
		if err := r.table.chain.Do("slave drive-5 losemail " + lost); err != nil {
			t.Fatal(err)
		}
		d := session.dictionary(session.master.Slaves()[4])
		session.reading.Wait() // in the background
		return d
	}
	if d := look("8"); d.err == nil || len(d.objects) > 0 {
		t.Fatalf("%d objects, %v", len(d.objects), d.err)
	}
	d := look("3")
	all := d.objects
	if d.err != nil || len(all) < 20 || len(all) != len(d.indexes) {
		t.Fatalf("%d objects, %v", len(all), d.err)
	}
	d.objects, d.err = all[:7:7], errNoCoE // as if it had ended there
	if look("2"); d.err != nil || len(d.objects) != len(all) || d.objects[7].Index != all[7].Index {
		t.Errorf("%d objects, %v", len(d.objects), d.err)
	}
}

// TestObjects: objects are listed, read, as a whole as well, and written; a refusal by a slave has the name of the abort.
func TestObjects(t *testing.T) {
	r := stand(t)
	if _, err := r.view("objects", "slave=5"); err != nil {
		t.Fatal(err)
	}
	_, s := r.state()
	s.reading.Wait() // they are read in the background
	r.shows("objects.xml", "objects", "slave=5")
	r.shows("entry.xml", "objects", "slave=5", "index=0x1018", "sub=1")
	r.shows("text.xml", "objects", "slave=5", "index=0x1008")
	r.shows("complete.xml", "objects", "slave=5", "index=4120", "complete=1")
	r.shows("without.xml", "objects", "slave=2")
	r.shows("nobody.xml", "objects")

	if err := r.tell("objects", "slave=5", "index=0x605A", "data=06 00"); err != nil {
		t.Error(err)
	}
	r.shows("written.xml", "objects", "slave=5", "index=0x605A")
	for _, told := range [][]string{
		{"slave=5", "index=0x605A", "value=5"}, {"slave=5", "index=0x6065", "value=70000", "type=UDINT"},
	} {
		if err := r.tell("objects", told...); err != nil {
			t.Error(told, err)
		}
	}
	for index, want := range map[string][2]string{"0x605A": {"INT", "5"}, "0x6065": {"UDINT", "70000"}} {
		view, err := r.view("objects", "slave=5", "index="+index)
		if err != nil {
			t.Fatal(err)
		}
		if v := view.(*objectsView); v.Type != want[0] || v.Is != want[1] {
			t.Errorf("%s: %+v", index, v)
		}
	}
	for want, told := range map[string][]string{
		"0x1018:1: abort 06010002: can only be read": {"slave=5", "index=0x1018", "sub=1", "data=00000000"},
		"no slave 9":                      {"slave=9", "index=0x605A", "data=0600"},
		`"605x" is not a number`:          {"slave=5", "index=605x", "data=0600"},
		`"06 0" are not bytes`:            {"slave=5", "index=0x605A", "data=06 0"},
		`"" are not bytes`:                {"slave=5", "index=0x605A", "data="},
		`"x" is not a value of type INT`:  {"slave=5", "index=0x605A", "value=x"},
		`"5" is not a value of type LONG`: {"slave=5", "index=0x605A", "value=5", "type=LONG"},
		"give its type":                   {"slave=5", "index=0x5fff", "value=5"},
		"parameter sub":                   {"slave=5", "index=0x605A", "sub=256", "data=0600"},
		"slave 2 \"EL1008-2\": object 0x": {"slave=2", "index=0x605A", "data=0600"},
	} {
		r.refused(r.tell("objects", told...), want)
	}
	_, err := r.view("objects", "slave=2", "index=0x1018")
	r.refused(err, `slave 2 "EL1008-2" has no objects: it has no mailbox for CoE`)
	_, err = r.view("objects", "slave=5", "index=0x5fff")
	r.refused(err, `slave 5 "drive-5": object 0x5fff:0: abort 06020000: object does not exist`)
	_, err = r.view("objects", "slave=5", "index=0x10000")
	r.refused(err, "65535")
}

// TestPDOs: entries of process data are shown with their places, names and types.
func TestPDOs(t *testing.T) {
	r := stand(t)
	r.shows("pdos.xml", "pdos", "slave=4")
	all, err := r.view("pdos")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all.(*pdosView).Entries); n < 30 {
		t.Errorf("%d entries", n)
	}
	_, err = r.view("pdos", "slave=9")
	r.refused(err, "no slave 9")
}

// TestFiles: memories of slaves are the ones that they have, and what was recorded can be read back.
func TestFiles(t *testing.T) {
	r := stand(t)
	files := func(path string) []device.File {
		t.Helper()
		view, err := r.view(path)
		if err != nil {
			t.Fatal(err)
		}
		return view.(device.Files).Files
	}
	memories := files("sii-files")
	if len(memories) != 5 || memories[4].Name != "slave5.sii" || memories[4].Doc != `slave 5 "drive-5"` {
		t.Fatalf("%d: %+v", len(memories), memories[len(memories)-1])
	}
	if d, err := sii.Decode(memories[1].Data); err != nil || d.Identity.Product != 0x03f03052 {
		t.Errorf("%v, %+v", err, d)
	}
	frames := files("frame-files")
	tape, err := cable.ReadPcap(bytes.NewReader(frames[0].Data))
	if err != nil || len(tape) != 50 || frames[0].Name != "frames.pcap" {
		t.Errorf("%v, %d frames, %+v", err, len(tape), frames[0].Doc)
	}

	silent := newRig(t, nil)
	if _, err := silent.view("frame-files"); err == nil {
		t.Error("recorded without being told to")
	}
	silent.pass(2 * time.Second)
	_, err = silent.view("frame-files")
	silent.refused(err, "the parameter record")
}

// TestClocksPage: a clock that was set is within 100 ns after some seconds, and their last minute is drawn.
func TestClocksPage(t *testing.T) {
	r := stand(t)
	r.pass(70 * time.Second)
	view, err := r.view("clocks")
	if err != nil {
		t.Fatal(err)
	}
	v := view.(*clocksView)
	if v.Reference != `slave 1 "EK1100-1"` || v.Bits != 64 || len(v.Clocks) == 0 || v.Answering != 3 {
		t.Errorf("%+v", v)
	}
	for _, c := range v.Clocks {
		if c.Difference < -100 || c.Difference > 100 {
			t.Errorf("%+v", c)
		}
	}
	for _, l := range v.History.Lines {
		if n := len(l.X); n != samples || len(l.Y) != n || l.X[0] > -59 || l.X[0] < -69 || l.X[n-1] > 0 || l.X[n-1] < -1 {
			t.Errorf("%s: %d samples from %v to %v", l.Name, n, l.X[0], l.X[n-1])
		}
	}
}

// TestPagesWithoutBus: while there is no bus pages say so.
func TestPagesWithoutBus(t *testing.T) {
	r := newRig(t, nil)
	for _, path := range []string{"", "state", "slaves", "frames", "clocks", "sii-files"} {
		if _, err := r.view(path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	_, err := r.view("objects", "slave=1")
	r.refused(err, errDown.Error())
	r.refused(r.tell("rack", "do=drop"), errReal.Error())
	_, err = r.view("rack")
	r.refused(err, errReal.Error())
}

// TestDrawing: who is at whose port, and what to think of its state.
func TestDrawing(t *testing.T) {
	r := stand(t)
	if err := r.tell("rack", "do=slave drive-5 vanish"); err != nil {
		t.Fatal(err)
	}
	r.pass(time.Second)
	nodes := r.topology().Topology.Nodes
	gone, first := nodes[4], nodes[0]
	if gone.Mood != device.Bad || gone.State != "lost" || !strings.Contains(gone.Detail, "does not answer") || gone.Parent != 0 || gone.Way == nodes[1].Way {
		t.Errorf("%+v", gone)
	}
	if first.Mood != device.Good || first.State != "Op" || first.Parent != -1 || first.Way != "" {
		t.Errorf("%+v", first)
	}
	if err := r.tell("rack", "do=slave drive-5 return"); err != nil {
		t.Fatal(err)
	}
	r.pass(10 * time.Second)
	if back := r.topology().Topology.Nodes[4]; back.Mood != device.Good {
		t.Errorf("%+v", back)
	}
}
