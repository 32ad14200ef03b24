package kukafri

import (
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
)

const seven = wire.Joints

// Robot is a lightweight robot at the end of a wire.
type Robot struct {
	*ports.Driven
	*multijoint.Group
	*yielding.Springs
	*yielding.Loads
	*yielding.Felt

	image   *ports.Image
	config  config
	kind    krl.Kind
	port    int // first Boolean that is one of the inputs and outputs
	arm     *kinematics.Arm
	limits  [seven]kinematics.Joint
	axes    *setpoint.Axes
	link    *link.Link
	stop    *device.Stop // of the cell
	session session      // of the thread of the wire

	strategy  atomic.Int32
	switching yielding.Request
	shown     shown
	wish      atomic.Int32 // of people, to arm or to disarm
	clock     rt.Clock
	closing   atomic.Bool
}

var (
	_ device.Compliant = (*Robot)(nil)
	_ device.Rated     = (*Robot)(nil)
	_ device.IO        = (*Robot)(nil)
	_ link.Linked      = (*Robot)(nil)
	_ link.Driver      = (*Robot)(nil)
	_ device.Diary     = (*Robot)(nil)
)

func newRobot(env *device.Env, cfg *config, open link.Opener) (*Robot, error) {
	if err := check(); err != nil {
		return nil, err
	}
	kind, err := krl.KindOf(cfg.Program)
	if err != nil {
		return nil, err
	}
	count, first, err := cfg.ports(env.Name, kind)
	if err != nil {
		return nil, err
	}
	of, err := cfg.arm()
	if err != nil {
		return nil, err
	}
	axes, err := setpoint.New(of.Joints, of.Start, setpoint.Options{
		Cycle: cfg.Cycle, Ahead: cfg.Ahead, Lapse: cfg.Lapse, Margin: cfg.Margin, Slack: slack,
	})
	if err != nil {
		return nil, err
	}
	image := ports.New(count)
	r := &Robot{
		Driven: image.Driven(), image: image, Springs: yielding.NewSprings(), Felt: yielding.NewFelt(),
		Loads:  yielding.NewLoads(device.Payload{Mass: cfg.Mass, COM: cfg.COM, Inertia: cfg.MOI, TCP: cfg.TCP}),
		config: *cfg, clock: env.Clock, stop: env.Stop, kind: kind, port: first, arm: of.Arm, axes: axes, Group: multijoint.New(axes),
	}
	for i := range r.limits {
		r.limits[i] = of.Joints[i]
	}
	r.strategy.Store(int32(device.PositionControl))
	r.switching.Open(1)
	r.session.open(r)
	listen, peer, err := cfg.addresses()
	if err != nil {
		return nil, err
	}
	r.link, err = open(link.Options{
		Name: env.Name, Listen: listen, Peer: peer, Cycle: cfg.Cycle, Lapse: cfg.Loss, Size: wire.MeasurementSize, Causes: endings,
		Clock: env.Clock, Thread: env.Thread, Claims: env.Claims,
	}, r)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// slack is how many times the limit of acceleration lines through set-points may need. The controller allows commands about 2.4
// times of what the data sheet says.
const slack = 2

// Close brings joints to rest and asks for monitor mode, as long as the controller calls. Otherwise, or when that takes too long, the
// controller notices that answers are missing, and stops the robot.
func (r *Robot) Close() error {
	r.Halt()
	if clock, ok := r.clock.(*rt.Real); ok {
		var alarm rt.Alarm
		now := clock.Now()
		for until := now + int64(longestStop); !r.AtRest() && now < until; now = clock.Now() {
			clock.SleepUntil(now+int64(r.link.Cycle()), &alarm)
		}
	}
	return r.link.Close()
}

// Halt brings joints to rest and then asks for monitor mode (any).
func (r *Robot) Halt() { r.closing.Store(true) }

// AtRest reports whether the answers do not move the robot, or it does not call any more (any).
func (r *Robot) AtRest() bool { return !r.commands() }

// longestStop bounds how long joints may take to come to rest, and the KRL program to leave command mode, when the device is closed.
const longestStop = 2 * time.Second

// commands reports whether answers move the robot.
func (r *Robot) commands() bool {
	if now, ok := r.clock.(*rt.Real); ok && now.Unix(now.Now())-r.shown.heard.Load() > gone*int64(r.link.Cycle()) {
		return false
	}
	p := phase(r.shown.phase.Load())
	return inLead.has(p) || p == stopping
}

// gone is how many cycles without a telegram mean that the robot does not call.
const gone = 5

// Link returns the wire (any).
func (r *Robot) Link() *link.Link { return r.link }

// Arm returns the kinematics (any).
func (r *Robot) Arm() *kinematics.Arm { return r.arm }

// Interfaces returns what applications look for (any).
func (r *Robot) Interfaces() []device.Interface {
	return multijoint.Announce(r)
}

// SetTool sets what is attached to a joint. The controller knows loads of the flange only (cycle).
func (r *Robot) SetTool(joint int, is device.Tool) (ticket uint64) {
	if joint != seven-1 {
		return 0
	}
	return r.Attach(is)
}

// ToolDone reports whether the tool is in use (cycle).
func (r *Robot) ToolDone(joint int, ticket uint64) (done bool, fault int32) {
	if joint != seven-1 {
		return false, int32(device.PayloadFailed)
	}
	done, why := r.PayloadDone(ticket)
	return done, int32(why)
}

// Strategy returns the one in force (cycle).
func (r *Robot) Strategy() device.Strategy { return device.Strategy(r.strategy.Load()) }

// SetStrategy asks for another one (cycle).
func (r *Robot) SetStrategy(s device.Strategy) (ticket uint64) {
	words := [2]uint64{0, uint64(uint32(s))}
	return r.switching.Ask(words[:])
}

// StrategyDone reports its outcome (cycle).
func (r *Robot) StrategyDone(ticket uint64) (done bool, fault device.StrategyFault) {
	done, f := r.switching.Done(ticket)
	return done, device.StrategyFault(f)
}

// publish makes the state of the joints visible to all threads (cycle).
func (r *Robot) publish() {
	for i, measured := range r.session.measured {
		r.Report(i, device.JointState{Commanded: r.axes.Commanded(i), Measured: measured, Fault: r.axes.Fault(i)})
	}
}

// Metrics returns the figures of the wire, and the rating that the controller gives (any).
func (r *Robot) Metrics() []device.Metric {
	return append(r.link.Metrics(), device.Metric{
		Name: "fri_quality", Help: "How the controller rates answers, from 0 to 3.", Value: float64(r.shown.quality.Load()),
	})
}
