package kukarsi_test

import (
	"fmt"
	"maps"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

type params = map[string]string

// cell is an arm at the end of a wire without a wire, and the controller at its other end.
type cell struct {
	t       testing.TB
	net     *link.Virtual
	wire    *rsisim.Virtual
	station *rsisim.Station
	arm     *kukarsi.Arm
	devices map[string]device.Device
	button  *device.Button // of the emergency stop
	stop    *device.Stop
	events  []rsisim.Event
	cycles  uint64
	period  time.Duration
}

// twin finds a type of simulated arms.
func twin(t testing.TB, name string) device.Type {
	t.Helper()
	for _, kind := range simarm.Types() {
		if kind.Name == name {
			return kind
		}
	}
	t.Fatalf("no type %s", name)
	return device.Type{}
}

func (c *cell) types() []device.Type {
	return kukarsi.Over(c.net.Open, twin(c.t, "kuka_kr_arm_sim"), twin(c.t, "kuka_kr_extaxis"))
}

// create opens a device, as an application does.
func (c *cell) create(name, typeName string, p params) (device.Device, error) {
	c.t.Helper()
	for _, kind := range c.types() {
		if kind.Name != typeName {
			continue
		}
		if wrong := kind.Check(p); len(wrong) > 0 {
			return nil, wrong[0]
		}
		d, err := kind.Open(&device.Env{Name: name, Stop: c.stop, Device: func(other string) (device.Device, error) {
			if c.devices[other] == nil {
				return nil, fmt.Errorf("no device %q", other)
			}
			return c.devices[other], nil
		}}, p)
		if err == nil {
			c.devices[name] = d
		}
		return d, err
	}
	c.t.Fatalf("no type %s", typeName)
	return nil, nil
}

func newCell(t testing.TB) *cell {
	t.Helper()
	c := &cell{t: t, net: link.NewVirtual(time.Unix(1_700_000_000, 0)), devices: map[string]device.Device{}, stop: device.NewStop(false)}
	c.button = c.stop.Button()
	if _, err := c.create("udp", "ethernet_udp_standard", params{"port": "49152", "address": "192.168.10.1"}); err != nil {
		t.Fatal(err)
	}
	return c
}

// open makes a cell whose controller has not called yet.
func open(t testing.TB, change func(o *rsisim.Options), p params) *cell {
	t.Helper()
	c := newCell(t)
	o := rsisim.Usual()
	o.External = 3
	if change != nil {
		change(&o)
	}
	all := params{"ethernet": "udp", "cycle": o.Cycle.String()}
	maps.Copy(all, p)
	d, err := c.create("arm", "kuka_kr_arm_rsi", all)
	if err != nil {
		t.Fatal(err)
	}
	c.arm, c.period = d.(*kukarsi.Arm), o.Cycle
	if c.station, err = rsisim.NewStation(o, rsisim.Line{}, func(e rsisim.Event) { c.events = append(c.events, e) }); err != nil {
		t.Fatal(err)
	}
	c.wire = rsisim.NewVirtual(c.net, netip.MustParseAddrPort("192.168.10.1:49152"))
	c.net.Advance(200 * time.Millisecond) // who has answered before would have been counted
	return c
}

// ready makes a cell whose arm can be commanded.
func ready(t testing.TB, change func(o *rsisim.Options), p params) *cell {
	t.Helper()
	c := open(t, change, p)
	c.until(device.Operational, "")
	return c
}

// run lets cycles pass.
func (c *cell) run(n int) {
	for range n {
		c.cycles++
		c.station.Cycle(c.wire)
	}
}

// now returns the instant of a net that is executed before the next cycle.
func (c *cell) now() device.Instant {
	return device.Instant{Time: c.net.Now(), Period: c.period.Seconds(), Cycle: c.cycles + 1}
}

// until lets cycles pass until the arm is in a state for a cause.
func (c *cell) until(s device.State, cause string) {
	c.t.Helper()
	for range 2000 {
		if is := c.arm.Status(); is.State == s && strings.Contains(is.Cause, cause) {
			return
		}
		c.run(1)
	}
	c.t.Fatalf("not %v (%s): %+v, controller %+v, %v", s, cause, c.arm.Status(), c.station.Status(), c.events)
}

// command gives the controller an order.
func (c *cell) command(line string) {
	c.t.Helper()
	if err := c.station.Command(line); err != nil {
		c.t.Fatal(err)
	}
}

// faults returns what a real controller would have stopped for.
func (c *cell) faults() (list []string) {
	for _, e := range c.events {
		switch e.Event {
		case "KSS01102", "KSS01073", "AXISCORRMON", "limited", "moved", "no such axis", "not understood":
			list = append(list, e.Event+": "+e.Text)
		}
	}
	return list
}

// smooth fails when the controller has ever been commanded what a real one would have stopped for.
func (c *cell) smooth() {
	c.t.Helper()
	if f := c.faults(); len(f) > 0 {
		c.t.Fatalf("the robot was commanded what it may not do: %v", f)
	}
}

// happened returns how often something has.
func (c *cell) happened(event string) (n int) {
	for _, e := range c.events {
		if e.Event == event {
			n++
		}
	}
	return n
}

// swing is a net that moves a joint there and back by an amplitude, with a velocity of up to amplitude·rate.
type swing struct {
	joint           int
	from, amp, rate float64
	k               int
}

func (c *cell) swing(joint int, amp, rate float64) *swing {
	return &swing{joint: joint, from: c.arm.Joint(joint).Commanded.Pos, amp: amp, rate: rate}
}

// cycle lets the net command once, and the cycle pass.
func (c *cell) cycle(s *swing) {
	t := float64(s.k) * c.period.Seconds() * s.rate
	ease := 1 - math.Exp(-t*t/4)
	c.arm.CommandPosition(s.joint, s.from+s.amp*ease*(1-math.Cos(t))/2, c.now())
	s.k++
	c.run(1)
}

// mechanism returns a device of the cell with the simulated controller, or with one that allocates nothing by itself where the driver
// should not allocate.
func (c *cell) mechanism(t *testing.T, d device.MultiJoint) *conform.Mechanism {
	if strings.HasSuffix(t.Name(), "/allocations") {
		return &conform.Mechanism{MultiJoint: d, Cycle: c.bare(), Now: c.now, Follows: 500}
	}
	return &conform.Mechanism{MultiJoint: d, Cycle: func() { c.run(1) }, Now: c.now, Follows: 500}
}

// bare returns a controller whose robot stands still: a telegram whose time stamp goes on.
func (c *cell) bare() (cycle func()) {
	text := []byte(`<Rob Type="KUKA"><AIPos`)
	for i, at := range c.station.Status().Axes {
		switch {
		case i < 6:
			text = fmt.Appendf(text, ` A%d="%.4f"`, i+1, at)
		case i == 6:
			text = append(text, "/><EIPos"...)
			fallthrough
		default:
			text = fmt.Appendf(text, ` E%d="%.4f"`, i-5, at)
		}
	}
	text = append(text, `/><Delay D="`...)
	late := len(text)
	text = append(text, `0"/><ProgStatus>2</ProgStatus><IPOC>00000000000000000000</IPOC></Rob>`...)
	stamp := text[len(text)-len("00000000000000000000</IPOC></Rob>"):][:20]
	c.net.Advance(time.Second) // the session before is over
	from, to := netip.MustParseAddrPort("192.168.10.2:40000"), netip.MustParseAddrPort("192.168.10.1:49152")
	cycle = func() {
		for i := len(stamp) - 1; i >= 0; i-- {
			if stamp[i]++; stamp[i] <= '9' {
				break
			}
			stamp[i] = '0'
		}
		c.net.Advance(c.period)
		if c.net.Send(from, to, text) == nil {
			if text[late]++; text[late] > '2' {
				c.t.Error("no answer")
			}
		}
	}
	for range 5 {
		cycle()
	}
	return cycle
}

// tell posts parameters to a page of the arm.
func (c *cell) tell(path string, p params) {
	c.t.Helper()
	for _, kind := range c.types() {
		for _, page := range kind.Pages {
			if kind.Name == "kuka_kr_arm_rsi" && page.Path == path {
				if err := page.Tell(c.arm, p); err != nil {
					c.t.Fatal(err)
				}
				return
			}
		}
	}
	c.t.Fatalf("no page %s", path)
}
