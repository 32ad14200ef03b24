package kukarsi

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// Arm is a robot at the end of the wire.
type Arm struct {
	*group
	*ports.Image
	arm    *kinematics.Arm
	cfg    *config
	clock  rt.Clock
	driver *driver
	link   *link.Link
	beside arm.Beside
}

// newArm makes an arm without a wire.
func newArm(env *device.Env, of *arm.Described, cfg *config) (*Arm, error) {
	layout, err := cfg.Layout()
	if err != nil {
		return nil, err
	}
	if err := cfg.checkHold(); err != nil {
		return nil, err
	}
	a := &Arm{arm: of.Arm, cfg: cfg, clock: env.Clock}
	a.Image = ports.New(device.Ports{
		Device: env.Name, DigitalIn: layout.DigitalIn.N, DigitalOut: layout.DigitalOut.N, AnalogIn: layout.AnalogIn.N, AnalogOut: layout.AnalogOut.N,
	})
	if a.group, err = newGroup(of.Joints, of.Start, 0, &cfg.wireConfig); err != nil {
		return nil, err
	}
	d := &driver{
		cfg: &cfg.wireConfig, stop: env.Stop, layout: layout, ports: a.Image, smooth: setpoint.NewSmoother(cfg.Smooth, cfg.Cycle),
		values: make([]telegram.Value, len(layout.Rob)), out: make([]float64, len(layout.Sen)),
		relative: cfg.Mode == "relative", grid: math.Pow10(cfg.Digits),
	}
	d.session.open(&cfg.wireConfig)
	if d.reader, err = telegram.NewReader("Rob", layout.Rob); err != nil {
		return nil, err
	}
	if d.writer, err = telegram.NewWriter("Sen", cfg.SenType, layout.Sen, cfg.Digits, words[:]...); err != nil {
		return nil, err
	}
	d.tools.open(layout.Tool.N > 0, int(cfg.ToolTime/cfg.Cycle))
	d.groups[0].Store(a.group)
	a.driver = d
	if cfg.Mass > 0 {
		a.SetTool(a.Joints()-1, device.Tool{Mass: cfg.Mass, COM: cfg.COM.Pos, Inertia: cfg.MOI})
	}
	return a, nil
}

// listen opens the wire.
func (a *Arm) listen(env *device.Env, open link.Opener, at netip.AddrPort) error {
	o := link.Options{
		Name: env.Name, Listen: at, Cycle: a.cfg.Cycle, Lapse: a.cfg.Silence, Size: telegram.Longest,
		Causes: endings(&a.cfg.wireConfig), Clock: env.Clock, Thread: env.Thread, Claims: env.Claims,
	}
	if a.cfg.Peer != "" {
		var err error
		if o.Peer, err = netip.ParseAddr(a.cfg.Peer); err != nil {
			return device.WrongParam("ip", "%w", err)
		}
	}
	var err error
	a.link, err = open(o, a.driver)
	return err
}

// Arm returns the kinematics (any).
func (a *Arm) Arm() *kinematics.Arm { return a.arm }

// Link returns the wire (any).
func (a *Arm) Link() *link.Link { return a.link }

// Interfaces returns what applications look for (any).
func (a *Arm) Interfaces() []device.Interface {
	return multijoint.Announce(a)
}

// Close brings the joints to rest, asks the program to end the session, as silence would stop it hard, and closes the
// wire. It waits only as long as the controller calls.
func (a *Arm) Close() error {
	a.Halt()
	if clock, ok := a.clock.(*rt.Real); ok {
		var alarm rt.Alarm
		now := clock.Now()
		for until := now + int64(longestStop); !a.AtRest() && now < until; now = clock.Now() {
			clock.SleepUntil(now+int64(a.cfg.Cycle), &alarm)
		}
	}
	return a.link.Close()
}

// Halt brings the joints to rest, also those of external axes, and then asks the program to end the session (any).
func (a *Arm) Halt() { a.driver.closing.Store(true) }

// AtRest reports whether there is no session that moves the robot, or the controller does not call any more (any).
func (a *Arm) AtRest() bool { return !a.leads() || !a.calls(a.clock.Unix(a.clock.Now())) }

// longestStop bounds how long joints may take to come to rest, and the program to end the session, when the device is closed.
const longestStop = 2 * time.Second

// leads reports whether there is a session that moves the robot.
func (a *Arm) leads() bool { return phase(a.driver.phase.Load()).is(of(ready, changing, leaving)) }

// calls reports whether the controller has called in the last cycles.
func (a *Arm) calls(now int64) bool {
	return now-a.driver.heard.Load() < goneAfter*int64(max(a.driver.measuredCycle(), a.cfg.Cycle))
}

// goneAfter is how many cycles without a telegram show that a controller ended its session as asked.
const goneAfter = 5

// take reserves external axes.
func (a *Arm) take(first, count int) (give func(), err error) {
	if a.driver.layout.CorrectionExt.N == 0 {
		return nil, errors.New("parameter correction_ext of the arm is empty: its answers have no external axes")
	}
	return a.beside.Take(first, count)
}

// External are axes beside an arm, which its controller moves.
type External struct {
	*group
	arm  *Arm
	give func() // axes back
}

func newExternal(lent *Arm, joints []kinematics.Joint, home []float64, first int) (*External, error) {
	g, err := newGroup(joints, home, first, &lent.cfg.wireConfig)
	if err != nil {
		return nil, err
	}
	give, err := lent.take(first, len(joints))
	if err != nil {
		return nil, err
	}
	if !lent.driver.attach(g) {
		give()
		return nil, fmt.Errorf("a controller has at most %d external axes", channels.Axes)
	}
	return &External{group: g, arm: lent, give: give}, nil
}

// Status returns the status of the axes; the arm knows what the controller does (any).
func (e *External) Status() device.Status {
	return e.finish(e.arm.state())
}

// Close returns the axes to the controller.
func (e *External) Close() error {
	e.arm.driver.detach(e.group)
	e.give()
	return nil
}
