package simbase

import (
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Types returns the device types of the package.
func Types() []device.Type {
	return []device.Type{
		device.Declare(device.Kind{
			Name: "robotbase_sim", Extension: "robotbase", Doc: "a simulated base that drives in all directions",
			Simulated: true, Pages: []device.Page{script.Page},
		}, func(env *device.Env, cfg *config) (device.Device, error) {
			cfg.begin(env.Original)
			return open(env.Stop, cfg)
		}),
		device.Declare(device.Kind{
			Name: "kuka_youbot_base_sim", Extension: "kuka_youbot", Doc: "the simulated base of a youBot",
			Simulated: true, Pages: []device.Page{script.Page},
		}, func(env *device.Env, cfg *youbot) (device.Device, error) {
			cfg.begin(env.Original)
			return openYoubot(env.Stop, cfg)
		}),
	}
}

// simulation has the parameters of all bases.
type simulation struct {
	Home   geom.Frame    `rcc:"home" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"where the base is at the start; only x, y and a count"`
	Cycle  time.Duration `rcc:"cycle" default:"2ms" min:"100us" max:"100ms" doc:"of the drives"`
	Power  bool          `rcc:"power" default:"true" mutable:"true" doc:"drives are on"`
	Faults string        `rcc:"faults" doc:"what goes wrong and when, such as 2s off; 3s on; 4s fail; 5s repair; 6s estop; 7s release"`
}

// begin makes a configuration that of a twin (load).
func (s *simulation) begin(as *device.Original) {
	if as == nil {
		return
	}
	s.Power, s.Faults = true, ""
	if from, is := as.Device.(device.Base); is {
		s.Home = from.BaseState().Pos
	}
}

// limits are those of one direction, and of turning.
type limits struct{ vel, acc float64 }

// shape is how the wheels stand.
type shape struct {
	radius float64 // of a wheel
	arm    float64 // half of the length plus half of the width between the wheels
}

type config struct {
	simulation
	Vel     float64 `rcc:"max_vel" default:"1" min:"0.001" unit:"m/s" doc:"limit of velocity in each direction"`
	Acc     float64 `rcc:"max_acc" default:"1" min:"0.001" unit:"m/s²" doc:"limit of acceleration in each direction"`
	Turn    float64 `rcc:"max_vel_yaw" default:"1" min:"0.001" unit:"rad/s" doc:"limit of turning"`
	TurnAcc float64 `rcc:"max_acc_yaw" default:"2" min:"0.001" unit:"rad/s²" doc:"limit of the acceleration of turning"`
	Radius  float64 `rcc:"wheel_radius" default:"0.1" min:"0.001" unit:"m" doc:"of the wheels"`
	Length  float64 `rcc:"wheel_base" default:"0.6" min:"0" unit:"m" doc:"between front and rear wheels"`
	Width   float64 `rcc:"track" default:"0.4" min:"0" unit:"m" doc:"between left and right wheels"`
}

func open(stop *device.Stop, c *config) (device.Device, error) {
	turn := limits{c.Turn, c.TurnAcc}
	b, err := newBase(stop, &c.simulation, limits{c.Vel, c.Acc}, turn, shape{c.Radius, (c.Length + c.Width) / 2})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// youbot is the configuration of a base whose shape is known.
type youbot struct{ simulation }

// What a youBot is: its wheels, 0.8 m/s, and accelerations that its wheels bear without slipping.
var (
	youbotShape = shape{radius: 0.0475, arm: (0.471 + 0.300) / 2}
	youbotDrive = limits{vel: 0.8, acc: 1}
	youbotTurn  = limits{vel: 1.24, acc: 2}
)

func openYoubot(stop *device.Stop, c *youbot) (device.Device, error) {
	b, err := newBase(stop, &c.simulation, youbotDrive, youbotTurn, youbotShape)
	if err != nil {
		return nil, err
	}
	return &tuned{b}, nil
}

// tuned is a base with the configuration of a youBot.
type tuned struct{ *Base }

// Tune switches the drives (any).
func (t *tuned) Tune(c *youbot) error { return t.power(c.Power) }

// Tune switches the drives (any).
func (b *Base) Tune(c *config) error { return b.power(c.Power) }

func (b *Base) power(on bool) error {
	if on && b.stopped.Load() {
		return device.ParamError{Name: "power", Err: device.ErrStopped}
	}
	b.powered.Store(on)
	return nil
}
