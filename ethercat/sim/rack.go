package sim

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Rack describes slaves on a cable, in programs and files.
type Rack struct {
	// Seed makes noise of clocks another one.
	Seed   uint64       `yaml:"seed"`
	Slaves []SlaveGiven `yaml:"slaves"`
}

// SlaveGiven describes a slave of a rack. Slaves stand in the order in which frames pass.
type SlaveGiven struct {
	Type string `yaml:"type"` // order number of a terminal, drive, or image
	Name string `yaml:"name"` // its type and number, when empty
	SII  string `yaml:"sii"`  // file with an image, instead of the one that is built in

	// Where it is plugged in, when not behind the last one that fits.
	Parent string `yaml:"parent"`
	Port   int    `yaml:"port"`
	Cable  int64  `yaml:"cable"` // delay of the cable that leads to it, ns

	Alias    uint16       `yaml:"alias"`
	Serial   uint32       `yaml:"serial"`
	Revision uint32       `yaml:"revision"`
	Clock    ClockGiven   `yaml:"clock"`
	Drive    DriveYAML    `yaml:"drive"`
	Generic  GenericGiven `yaml:"generic"`

	Transition time.Duration `yaml:"transition"` // time of a change of state
	MailDelay  time.Duration `yaml:"mailDelay"`  // time until a mail is answered
	SIIDelay   time.Duration `yaml:"siiDelay"`   // time in which the SII is busy
	Patience   time.Duration `yaml:"patience"`   // until waiting for Op becomes an error; 0 is for ever
	FourBytes  bool          `yaml:"fourBytes"`  // per read of the SII
	TakesSII   bool          `yaml:"takesSII"`   // keeps the SII in Pre-Op
	Unmarked   bool          `yaml:"unmarked"`   // does not set the bit in the sender's address
	NoComplete bool          `yaml:"noCompleteAccess"`
	NoInfo     bool          `yaml:"noSDOInfo"`
	NoLRW      bool          `yaml:"noLRW"` // and no other command that reads and writes at once

	// Mistakes that real slaves make.
	ShortSubZero bool       `yaml:"shortSubZero"` // complete access has subindex 0 in one byte rather than two
	Unassigned   bool       `yaml:"unassigned"`   // no PDO is assigned at power-on, whatever lengths the SII gives
	SIIFaults    []SIIFault `yaml:"siiFaults"`
}

// ClockGiven describes a clock of a rack. Terminals with a mailbox, couplers and drives have one of 64 bits by themselves.
type ClockGiven struct {
	Bits   int     `yaml:"bits"` // 32 or 64; -1 for none
	PPM    float64 `yaml:"ppm"`  // how much too fast it is
	Start  uint64  `yaml:"start"`
	Jitter int64   `yaml:"jitter"` // ns
	// DelaysOnly is for parts that latch when frames pass, and have no system time.
	DelaysOnly bool `yaml:"delaysOnly"`
}

// DriveYAML is DriveGiven as files write it.
type DriveYAML struct {
	Axes         int             `yaml:"axes"`
	Vendor       uint32          `yaml:"vendor"`
	Product      uint32          `yaml:"product"`
	Outputs      []string        `yaml:"outputs"`
	Inputs       []string        `yaml:"inputs"`
	Cycles       []time.Duration `yaml:"cycles"`
	FreeRun      bool            `yaml:"freeRun"`
	Modes        []cia402.Mode   `yaml:"modes"`
	Index        int64           `yaml:"index"`
	Positions    []int64         `yaml:"positions"`
	Velocity     float64         `yaml:"velocity"`
	Acceleration float64         `yaml:"acceleration"`
	Window       uint32          `yaml:"window"`
	Brake        time.Duration   `yaml:"brake"`
	MissedLimit  int             `yaml:"missedLimit"`
	Extrapolates bool            `yaml:"extrapolates"`
	SafetyBit    uint            `yaml:"safetyBit"`
	Strict       bool            `yaml:"strict"`
}

// ParseRack reads a description in YAML.
func ParseRack(text []byte) (*Rack, error) {
	r := &Rack{}
	if err := yaml.Load(text, r, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("rack: %w", err)
	}
	return r, nil
}

// mostSlaves bounds racks; positions have 16 bits, and no cable has more.
const mostSlaves = 1000

// NewChain builds a rack at an instant. Files of images are looked for in a folder.
func NewChain(r *Rack, files fs.FS, now int64) (*Chain, error) {
	if len(r.Slaves) == 0 || len(r.Slaves) > mostSlaves {
		return nil, fmt.Errorf("a rack of %d slaves; at most %d are possible", len(r.Slaves), mostSlaves)
	}
	c := &Chain{now: now}
	known := terminals()
	for i := range r.Slaves {
		g := &r.Slaves[i]
		s, err := newSlave(g, i, known, files)
		if err != nil {
			return nil, fmt.Errorf("slave %d: %w", i+1, err)
		}
		s.random = rand.New(rand.NewPCG(r.Seed, uint64(i)))
		if _, err := c.Slave(s.name); err == nil {
			return nil, fmt.Errorf("slave %d: the name %q is used twice", i+1, s.name)
		}
		if err := c.plug(s, g); err != nil {
			return nil, fmt.Errorf("slave %d: %s: %w", i+1, s.name, err)
		}
		c.slaves = append(c.slaves, s)
	}
	for _, s := range c.slaves {
		s.powerOn(now)
	}
	c.wireUp()
	for i, p := range c.steps {
		if p.slave != c.slaves[i] {
			return nil, fmt.Errorf("slave %d: %s: frames do not pass in this order, %s comes before it", i+1, c.slaves[i].name, p.slave.name)
		}
	}
	return c, nil
}

func newSlave(g *SlaveGiven, i int, known []*kind, files fs.FS) (*Slave, error) {
	k, err := kindOf(g, known, files)
	if err != nil {
		return nil, err
	}
	s := &Slave{name: g.Name, kind: k}
	if s.name == "" {
		s.name = fmt.Sprintf("%s-%d", g.Type, i+1)
	}
	if strings.ContainsAny(s.name, " \t\n") {
		return nil, fmt.Errorf("the name %q contains blanks", s.name)
	}
	d := &k.description
	d.Alias, d.Identity.Serial = g.Alias, g.Serial
	if g.Revision != 0 {
		d.Identity.Revision = g.Revision
	}
	if g.NoComplete && d.General != nil {
		d.General.CoE &^= sii.CompleteAccess
	}
	if g.NoInfo && d.General != nil {
		d.General.CoE &^= sii.SDOInfo
	}
	if g.NoLRW {
		k.features |= wire.FeatureNoLRW | wire.FeatureNoRW
		if d.General != nil {
			d.General.Flags |= sii.NoLRW
		}
	}
	if g.SII != "" {
		if err := s.load(g.SII, files); err != nil {
			return nil, err
		}
	} else if s.image, err = k.encode(); err != nil {
		return nil, err
	}
	if err := s.spoilSII(g.SIIFaults); err != nil {
		return nil, err
	}
	if s.given, err = g.given(k); err != nil {
		return nil, err
	}
	return s, nil
}

// kindOf finds the type, and makes a copy of it that belongs to one slave.
func kindOf(g *SlaveGiven, known []*kind, files fs.FS) (*kind, error) {
	switch g.Type {
	case "drive":
		y := &g.Drive
		return driveKind(DriveGiven{
			Axes: y.Axes, Identity: sii.Identity{Vendor: y.Vendor, Product: y.Product, Revision: 1}, Name: g.Name,
			Outputs: y.Outputs, Inputs: y.Inputs, Cycles: y.Cycles, FreeRun: y.FreeRun, Modes: y.Modes, Index: y.Index, Positions: y.Positions,
			Velocity: y.Velocity, Acceleration: y.Acceleration, Window: y.Window, Brake: y.Brake, MissedLimit: y.MissedLimit,
			Extrapolates: y.Extrapolates, SafetyBit: y.SafetyBit, Strict: y.Strict,
		})
	case "generic":
		mine := g.Generic // a copy, since a rack may be built more than once
		mine.Objects = slices.Clone(mine.Objects)
		if mine.ESI != "" {
			return esiKind(&mine, files)
		}
		return genericKind(&mine)
	case "image":
		if g.SII == "" {
			return nil, errors.New("a slave of type image needs a file (sii)")
		}
		return &kind{
			order: g.Type, chip: chipET1100, fmmus: 8, managers: 8, ram: 8, ports: portsMII,
			build: func(s *Slave) device {
				s.objects.standard(0)
				return nothing{}
			},
		}, nil
	}
	names := []string{"drive", "generic", "image"}
	for _, k := range known {
		if k.order == g.Type {
			mine := *k
			general := *k.description.General
			mine.description.General = &general
			return &mine, nil
		}
		names = append(names, k.order)
	}
	return nil, fmt.Errorf("no type %q%s", g.Type, suggest.DidYouMean(g.Type, slices.Values(names)))
}

// load takes the image from a file, and what the slave is from the image.
func (s *Slave) load(file string, files fs.FS) error {
	image, err := fs.ReadFile(files, file)
	if err != nil {
		return err
	}
	d, err := sii.Decode(image)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	k := s.kind
	s.image, k.description = image, *d
	k.emulation = d.PDIConfig&wire.DeviceEmulation != 0
	if k.order == "image" {
		k.imagePorts()
		if len(d.SyncManagers) > int(k.managers) {
			return fmt.Errorf("%s: %d SyncManagers", file, len(d.SyncManagers))
		}
	}
	if m := d.Mailbox; m.InSize > 0 && (m.InSize < coe.SmallestMailbox || m.OutSize < coe.SmallestMailbox || len(d.SyncManagers) < 2 || k.managers < 2) {
		return fmt.Errorf("%s: the mailbox is too small, or has no SyncManagers", file)
	}
	return nil
}

// imagePorts takes the kinds of ports from the general category, where they are coded in another way.
func (k *kind) imagePorts() {
	g := k.description.General
	if g == nil {
		return
	}
	const mii, eBus = 1, 3
	var ports uint8
	for i, p := range g.Ports {
		switch p {
		case mii:
			ports |= uint8(wire.PortMII) << (2 * i)
		case eBus:
			ports |= uint8(wire.PortEBus) << (2 * i)
		}
	}
	if ports != 0 {
		k.ports = ports
	}
}

// given checks what the rack says and fills in what it does not.
func (g *SlaveGiven) given(k *kind) (given, error) {
	const usualMail, usualSII, usualTransition = 200_000, 50_000, 500_000
	v := given{
		alias: g.Alias, serial: g.Serial, transition: int64(g.Transition), mailDelay: int64(g.MailDelay), siiDelay: int64(g.SIIDelay),
		patience: int64(g.Patience), four: g.FourBytes, takesSII: g.TakesSII, unmarked: g.Unmarked, noComplete: g.NoComplete, noInfo: g.NoInfo,
		shortZero: g.ShortSubZero, unassigned: g.Unassigned,
		clock: clockGiven{bits: g.Clock.Bits, ppm: g.Clock.PPM, start: g.Clock.Start, jitter: g.Clock.Jitter, delaysOnly: g.Clock.DelaysOnly},
	}
	for _, d := range []struct {
		value *int64
		usual int64
	}{{&v.transition, usualTransition}, {&v.mailDelay, usualMail}, {&v.siiDelay, usualSII}} {
		if *d.value == 0 {
			*d.value = d.usual
		}
		if *d.value < 0 {
			return v, errors.New("a time is negative")
		}
	}
	switch v.clock.bits {
	case -1:
		v.clock.bits = 0
	case 0:
		if k.description.Protocols != 0 || k.order == "EK1100" || g.Clock.DelaysOnly {
			v.clock.bits = 64
		}
	case 32, 64:
	default:
		return v, fmt.Errorf("a clock of %d bits; 32 and 64 are possible", v.clock.bits)
	}
	const mostPPM, mostJitter = 1000, 1_000_000
	if c := v.clock; !(c.ppm >= -mostPPM && c.ppm <= mostPPM) || c.jitter < 0 || c.jitter > mostJitter {
		return v, fmt.Errorf("a clock that is off by %g ppm, with a jitter of %d ns; at most %d and %d are possible", c.ppm, c.jitter, mostPPM, mostJitter)
	}
	return v, nil
}

// plug puts a slave where the rack says, or behind the last one that has a port of its kind left.
func (c *Chain) plug(s *Slave, g *SlaveGiven) error {
	if len(c.slaves) == 0 {
		return nil
	}
	want := wire.PortKindOf(s.kind.ports, 0)
	delay := g.Cable
	switch {
	case delay < 0:
		return errors.New("the delay of a cable is negative")
	case delay == 0 && want == wire.PortEBus:
		delay = delayEBus
	case delay == 0:
		delay = delayCable
	}
	if g.Parent != "" {
		p, err := c.Slave(g.Parent)
		if err != nil {
			return err
		}
		if g.Port < 1 || g.Port >= wire.Ports || p.ports[g.Port].to != nil || wire.PortKindOf(p.kind.ports, g.Port) < wire.PortEBus {
			return fmt.Errorf("%s has no free port %d", p.name, g.Port)
		}
		return c.connect(p, g.Port, s, delay)
	}
	for _, p := range slices.Backward(c.slaves) {
		for _, port := range wire.PortOrder[1:] {
			if wire.PortKindOf(p.kind.ports, port) == want && p.ports[port].to == nil {
				return c.connect(p, port, s, delay)
			}
		}
	}
	if want == wire.PortEBus {
		return errors.New("no coupler before it has a free place")
	}
	return errors.New("no slave before it has a free port")
}

func (c *Chain) connect(p *Slave, port int, s *Slave, delay int64) error {
	p.ports[port] = cable{s, delay}
	s.parent = p
	return nil
}
