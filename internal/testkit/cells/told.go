package cells

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/devices/simbase"
	"github.com/softrobot-rcc/rccd/devices/simgripper"
	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Track is where something was commanded to be, or how fast, in each cycle: the joints of an arm; a base along x, along y and about z.
type Track struct {
	mu   sync.Mutex
	ways [][]SetPoint
}

// SetPoint is what a net has commanded in a cycle.
type SetPoint struct {
	Time int64 // of the cycle
	Pos  float64
}

func newTrack(channels int) *Track { return &Track{ways: make([][]SetPoint, channels)} }

func (t *Track) note(channel int, v float64, at device.Instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ways[channel] = append(t.ways[channel], SetPoint{at.Time, v})
}

// Way returns what was commanded, in order of time.
func (t *Track) Way(channel int) []SetPoint {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(slices.Values(t.ways[channel]), func(a, b SetPoint) int { return cmp.Compare(a.Time, b.Time) })
}

// Last returns what was commanded last, and when; the time is 0 if nothing was.
func (t *Track) Last() (at []float64, time int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at = make([]float64, len(t.ways))
	for i, way := range t.ways {
		for _, p := range way[max(0, len(way)-2):] { // two nets may command in the same tick
			if p.Time >= time {
				at[i], time = p.Pos, p.Time
			}
		}
	}
	return at, time
}

// Told is a command of nets to a device other than a set-point.
type Told struct {
	Device, What string
	Value        float64 // of an analog output, which What rounds
}

func (c *Cell) tell(device, format string, args ...any) {
	c.note(Told{Device: device, What: fmt.Sprintf(format, args...)})
}

func (c *Cell) note(told Told) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, told)
}

// forget forgets what a device was told.
func (c *Cell) forget(device string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = slices.DeleteFunc(c.told, func(t Told) bool { return t.Device == device })
}

// Told returns what nets have told devices so far, in order. Outputs that are set to what they are already have not been told anything.
func (c *Cell) Told() []Told {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.told)
}

// Track returns the track of a device that is commanded in each cycle; nil if it is none.
func (c *Cell) Track(name string) *Track {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tracks[name]
}

// The devices that remember (the cycle of a test may wait). They pass on their commands.
type (
	stiff struct {
		*simarm.RobotWithPorts
		memory
	}
	lightweight struct {
		*simarm.Lightweight
		memory
	}
	base struct {
		*simbase.Base
		memory
	}
	gripper struct {
		*simgripper.WSG
		memory
	}
	outputs struct {
		*simio.Wired
		memory
	}
)

// memory is what a device remembers by.
type memory struct {
	name  string
	cell  *Cell
	track *Track
}

var (
	_ device.ArmKinematics = stiff{}
	_ device.Yielding      = lightweight{}
	_ device.Cartesian     = base{}
	_ device.WSG           = gripper{}
	_ device.FedIO         = outputs{}
)

// remembered returns a type of devices that remember.
func (c *Cell) remembered(of device.Type) device.Type {
	open := of.Open
	of.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		d, err := open(env, params)
		if err != nil || env.Original != nil { // a twin is nobody's device
			return d, err
		}
		m := memory{name: env.Name, cell: c}
		switch d := d.(type) {
		case *simarm.RobotWithPorts:
			m.track = c.arm(env.Name, d).Track
			return stiff{d, m}, nil
		case *simarm.Lightweight:
			m.track = c.arm(env.Name, d).Track
			return lightweight{d, m}, nil
		case *simbase.Base:
			m.track = newTrack(3) //nolint:mnd // x, y, about z
			c.keep(env.Name, m.track)
			return base{d, m}, nil
		case *simgripper.WSG:
			return gripper{d, m}, nil
		case *simio.Wired:
			return outputs{d, m}, nil
		}
		return d, nil
	}
	return of
}

func (c *Cell) keep(name string, t *Track) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tracks[name] = t
}

func (s stiff) CommandPosition(joint int, pos float64, at device.Instant) {
	s.track.note(joint, pos, at)
	s.RobotWithPorts.CommandPosition(joint, pos, at)
}

func (l lightweight) CommandPosition(joint int, pos float64, at device.Instant) {
	l.track.note(joint, pos, at)
	l.Lightweight.CommandPosition(joint, pos, at)
}

func (s stiff) SetTool(joint int, tool device.Tool) uint64 {
	s.cell.tell(s.name, "carries %v kg at joint %d", tool.Mass, joint)
	return s.RobotWithPorts.SetTool(joint, tool)
}

func (l lightweight) SetTool(joint int, tool device.Tool) uint64 {
	l.cell.tell(l.name, "carries %v kg at joint %d", tool.Mass, joint)
	return l.Lightweight.SetTool(joint, tool)
}

func (l lightweight) SetStrategy(s device.Strategy) uint64 {
	l.cell.tell(l.name, "strategy %d", s)
	return l.Lightweight.SetStrategy(s)
}

func (b base) CommandVelocity(v geom.Twist, at device.Instant) {
	for i, part := range []float64{v.Vel.X, v.Vel.Y, v.Rot.Z} {
		b.track.note(i, part, at)
	}
	b.Base.CommandVelocity(v, at)
}

func (g gripper) Begin(a device.GripperAction) uint64 {
	g.cell.tell(g.name, "action %d, %v m at %v m/s", a.Kind, a.Width, a.Speed)
	return g.WSG.Begin(a)
}

func (o outputs) SetDigitalOut(port int, on bool, time int64) {
	if on != o.DigitalOut(port) {
		o.cell.tell(o.name, "out%d is %t", port, on)
	}
	o.Wired.SetDigitalOut(port, on, time)
}

func (o outputs) SetAnalogOut(port int, v float64, time int64) {
	if v != o.AnalogOut(port) {
		o.cell.note(Told{o.name, fmt.Sprintf("anout%d is %.4g", port, v), v})
	}
	o.Wired.SetAnalogOut(port, v, time)
}
