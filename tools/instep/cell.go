package instep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// robot is one of the two, and where it stands.
type robot struct {
	name  string
	chain *kinematics.Chain
	base  geom.Frame
	start []float64 // rad
	elbow bool      // there are seven axes
}

const degree = math.Pi / 180

// They stand opposite of each other, and their flanges are beside each other in the direction in which they move.
var (
	lwr = robot{
		name: "lwr", chain: robots.LWR4().Chain, elbow: true,
		start: []float64{-0.4, -0.6, 0, 1.4, 0, -1, 0},
	}
	kr = robot{
		name: "kr", chain: robots.KR16().Chain, base: geom.Frame{Pos: geom.Vector{X: 1.7, Y: 0.9}, Rot: geom.FromABC(math.Pi, 0, 0)},
		start: []float64{-13 * degree, -80 * degree, 110 * degree, 0, -30 * degree, 0},
	}
)

// The cycles of net and controllers, and when in a cycle of the net those of controllers begin. They know nothing of each other.
const (
	grain     = 500 * time.Microsecond
	cycle     = 2 * time.Millisecond
	cycleFRI  = 2 * time.Millisecond
	cycleRSI  = 4 * time.Millisecond
	behindFRI = grain
	behindRSI = 3 * grain
)

// smoothing is the bandwidth of the drives of the KR, in Hz: those of the LWR follow faster.
const smoothing = 20

// cell is a core with both robots, whose controllers are at the other ends of wires that are none.
type cell struct {
	core  *rcc.Core
	clock *rt.Virtual
	net   *link.Virtual
	fri   *frisim.KRC
	rsi   *rsisim.Controller
	now   time.Duration
	room  []byte

	lwr, kr track
}

var (
	addressFRI = netip.MustParseAddrPort("127.0.0.1:49938")
	addressRSI = netip.MustParseAddrPort("127.0.0.1:49152")
	callerFRI  = netip.MustParseAddrPort("127.0.0.1:7000")
	callerRSI  = netip.MustParseAddrPort("127.0.0.1:50000")
)

// before is how long the devices exist before the controllers call: answers to those before them have ended.
const before = 6 * time.Second

func newCell(ahead time.Duration) (*cell, error) {
	begin := time.Unix(1_700_000_000, 0)
	c := &cell{clock: rt.NewVirtual(begin), net: link.NewVirtual(begin.Add(-before)), room: make([]byte, 1<<12)}
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		return nil, err
	}
	c.core, err = rcc.New(rcc.Config{Catalogue: catalogue, Clock: c.clock, DeviceTypes: c.types(), Interfaces: primitives.Interfaces(), DefaultCycle: cycle})
	if err != nil {
		return nil, err
	}
	err = errors.Join(c.controllers(),
		c.core.Devices.Create("udp", "ethernet_udp_standard", map[string]string{"port": fmt.Sprint(addressRSI.Port()), "address": addressRSI.Addr().String()}),
		c.core.Devices.Create(lwr.name, "kuka_lwr_fri", map[string]string{"cycle": cycleFRI.String()}),
		c.core.Devices.Create(kr.name, "kuka_kr_arm_rsi", map[string]string{"cycle": cycleRSI.String(), "ethernet": "udp", "ahead": ahead.String()}),
	)
	c.net.Advance(before) // no other driver has answered for long when the controllers call
	return c, err
}

// types returns the drivers, with the network instead of wires. They need no twins.
func (c *cell) types() []device.Type {
	none := func(name string) device.Type {
		return device.Declare(device.Kind{Name: name}, func(*device.Env, *struct{}) (device.Device, error) { return nil, errors.New("there is none") })
	}
	return append(kukarsi.Over(c.net.Open, none("arm"), none("axes")), kukafri.Over(c.net.Open))
}

func (c *cell) controllers() (err error) {
	o := frisim.Usual()
	o.Cycle, o.Home, o.AutoStart = cycleFRI, lwr.start, true
	if c.fri, err = frisim.New(o); err != nil {
		return err
	}
	p := rsisim.Usual()
	p.Cycle, p.ReadFirst, p.Bandwidth, p.Lag = cycleRSI, false, smoothing, 0
	p.Start = nil
	for _, q := range kr.start {
		p.Start = append(p.Start, math.Round(q/degree))
	}
	if c.rsi, err = rsisim.New(p, nil); err != nil {
		return err
	}
	return c.rsi.Start()
}

// step lets time go on by a grain.
func (c *cell) step(ctx context.Context) error {
	if err := c.core.Clock.Advance(ctx, grain); err != nil {
		return err
	}
	c.net.Advance(grain)
	c.now += grain
	if (c.now-behindFRI)%cycleFRI == 0 {
		c.callFRI()
	}
	if (c.now-behindRSI)%cycleRSI == 0 {
		c.callRSI()
	}
	return nil
}

// callFRI is a cycle of the controller of the LWR.
func (c *cell) callFRI() {
	now := c.net.Now()
	c.fri.Step(now)
	for {
		n, ok := c.fri.Next(now, c.room)
		if !ok {
			break
		}
		if answer := c.net.Send(callerFRI, addressFRI, c.room[:n]); answer != nil {
			c.fri.Receive(answer, now)
		}
	}
	q := make([]float64, len(lwr.start))
	for i := range q {
		q[i], _ = c.fri.Joint(i)
	}
	c.lwr.add(c.now, lwr.place(q))
}

// callRSI is a cycle of the controller of the KR: the end of the one before, and the beginning of the next.
func (c *cell) callRSI() {
	if c.kr.len() > 0 {
		c.rsi.End()
	}
	q := slices.Clone(c.rsi.Status().Axes[:len(kr.start)])
	for i := range q {
		q[i] *= degree
	}
	c.kr.add(c.now, kr.place(q))
	if telegram := c.rsi.Begin(); telegram != nil {
		if answer := c.net.Send(callerRSI, addressRSI, telegram); answer != nil {
			c.rsi.Take(answer)
		}
	}
}

// place returns where the flange is, seen from the world.
func (r *robot) place(joints []float64) geom.Vector {
	return r.base.Mul(r.chain.Forward(joints)).Pos
}

// operational returns an error if one of the robots cannot be commanded.
func (c *cell) operational() error {
	for _, d := range c.core.Devices.All() {
		if d.State != device.Operational {
			return fmt.Errorf("device %q is %v: %s", d.Name, d.State, d.Cause)
		}
	}
	return nil
}

// track is where a flange was.
type track struct {
	times  []time.Duration
	places []geom.Vector
}

func (t *track) len() int { return len(t.times) }

func (t *track) add(at time.Duration, place geom.Vector) {
	t.times, t.places = append(t.times, at), append(t.places, place)
}

// at returns where it was at a time, between two cycles of its controller.
func (t *track) at(when time.Duration) geom.Vector {
	i, _ := slices.BinarySearch(t.times, when)
	if i == 0 || i == len(t.times) {
		i = min(max(i, 1), len(t.times)-1)
	}
	from, to := t.times[i-1], t.times[i]
	share := min(max(float64(when-from)/float64(to-from), 0), 1)
	return t.places[i-1].Lerp(t.places[i], share)
}
