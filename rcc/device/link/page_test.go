package link

import (
	"encoding/json"
	"encoding/xml"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// linked is a device with nothing but a wire.
type linked struct{ l *Link }

func (d *linked) Status() device.Status { return device.Status{} }

func (d *linked) Interfaces() []device.Interface { return nil }

func (d *linked) Close() error { return d.l.Close() }

func (d *linked) Link() *Link { return d.l }

func TestPage(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next, next, say(Restart, 0, OwnCauses), next)
	c.send(other, next)
	page, d := Page(), &linked{c.l}
	if !page.Fits(d) || page.Path != "link" {
		t.Fatalf("page %q fits: %t", page.Path, page.Fits(d))
	}
	shown, err := page.View(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := shown.(*view)
	if v.Caller != robot.String() || v.Listens != here.String() || v.Cycle != "4ms" || v.Thread != "ordinary" {
		t.Errorf("%+v", v)
	}
	figures := map[string]uint64{}
	for _, f := range v.Figures {
		figures[f.What] = f.Count
	}
	if figures["received"] != 5 || figures["answered"] != 4 || figures["foreign"] != 1 || figures["sessions"] != 2 {
		t.Errorf("%v", figures)
	}
	if len(v.Sessions) != 2 || v.Sessions[1].Ended != "the operator has stopped it" || v.Sessions[1].Lasted != "8ms" || v.Sessions[0].Lasted != "" {
		t.Errorf("%+v", v.Sessions)
	}
	if i := slices.IndexFunc(v.Times, func(t device.Times) bool { return t.What == "cycle" }); i < 0 || v.Times[i].Median != "4ms" || v.Times[i].Count != 2 {
		t.Errorf("%+v", v.Times)
	}
	for _, write := range []func(any) ([]byte, error){xml.Marshal, json.Marshal} {
		if text, err := write(v); err != nil || !strings.Contains(string(text), "192.168.0.10:5000") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMetrics(t *testing.T) {
	c := newCell(t, nil)
	before := c.l.Metrics()
	c.send(robot, next, next)
	after := c.l.Metrics()
	got := map[string]float64{}
	for i, m := range after {
		got[m.Name+" "+m.Which] = m.Value
		if m.Help == "" || before[i].Name != m.Name || before[i].Which != m.Which || (m.Times != nil) != strings.HasSuffix(m.Name, "_seconds") {
			t.Errorf("%+v", m)
		}
	}
	for name, want := range map[string]float64{
		"link_alive ": 1, "link_sessions_total ": 1, "link_telegrams_total received": 2, "link_telegrams_total lost": 0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (%t), not %v", name, v, ok, want)
		}
	}
}

// A cell in virtual time has no robots that call.
func TestVirtualTimeIsRefused(t *testing.T) {
	o := Options{Listen: netip.MustParseAddrPort("127.0.0.1:0"), Cycle: time.Millisecond, Clock: rt.NewVirtual(time.Unix(0, 0))}
	if _, err := Open(o, new(scribe)); err == nil || !strings.Contains(err.Error(), "virtual clock") {
		t.Errorf("%v", err)
	}
}
