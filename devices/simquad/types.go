package simquad

import (
	"errors"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Types returns the device types of the package.
func Types() []device.Type {
	return []device.Type{device.Declare(device.Kind{
		Name: "quadcopter_sim", Extension: "quadcopter", Doc: "a simulated quadcopter that a tracking system sees", Simulated: true, Pages: []device.Page{script.Page},
	}, open)}
}

type config struct {
	Home       geom.Vector   `rcc:"home" default:"{x:0,y:0,z:0}" doc:"where it is at the start, m"`
	Yaw        float64       `rcc:"home_yaw" default:"0" unit:"rad" doc:"where it points to at the start"`
	Cycle      time.Duration `rcc:"cycle" default:"2ms" min:"500us" max:"20ms" doc:"of the vehicle and of the tracking system"`
	MaxTilt    float64       `rcc:"max_tilt" default:"0.6" min:"0.1" max:"1.2" unit:"rad" doc:"limit of roll and pitch"`
	MaxThrust  float64       `rcc:"max_thrust" default:"18" min:"11" max:"100" unit:"m/s²" doc:"what the propellers give at most, by the mass"`
	Drag       float64       `rcc:"drag" default:"0.4" min:"0" max:"10" unit:"1/s" doc:"deceleration for each m/s against the air"`
	Draft      geom.Vector   `rcc:"draft" default:"{x:0,y:0,z:0}" mutable:"true" doc:"how the air moves, m/s"`
	Resolution float64       `rcc:"resolution" default:"0.0005" min:"0" max:"0.1" unit:"m" doc:"of the tracking system"`
	Latency    time.Duration `rcc:"latency" default:"4ms" min:"0s" max:"100ms" doc:"of the tracking system, in whole cycles"`
	Power      bool          `rcc:"power" default:"true" mutable:"true" doc:"propellers are on"`
	Faults     string        `rcc:"faults" doc:"what goes wrong and when, such as 2s lost; 3s seen; 4s off; 5s on; 6s estop; 7s release"`
}

func open(env *device.Env, c *config) (device.Device, error) {
	c.begin(env.Original)
	happens, err := script.Parse(c.Faults, events)
	if err != nil {
		return nil, device.WrongParam("faults", "%w", err)
	}
	if !c.Home.Finite() || !c.Draft.Finite() {
		return nil, errors.New("parameters home and draft: coordinates must be numbers")
	}
	q := &Quadcopter{
		cfg: *c, stop: env.Stop, script: happens, given: device.NewLatest(commandWords), state: device.NewLatest(stateWords),
		late: make([]geom.Vector, int(math.Round(c.Latency.Seconds()/c.Cycle.Seconds()))),
	}
	q.now = flight{pos: c.Home, yaw: c.Yaw}
	if q.now.pos.Z = max(q.now.pos.Z, 0); q.now.pos.Z > 0 {
		q.now.thrust = gravity // it flies
	}
	for i := range q.late {
		q.late[i] = q.now.pos
	}
	q.draft = device.NewLatest(3) //nolint:mnd // coordinates
	q.blow(c.Draft)
	q.powered.Store(c.Power)
	q.publish(device.Attitude{})
	return q, nil
}

// begin makes a configuration that of a twin, which stands in the air where it is (load).
func (c *config) begin(as *device.Original) {
	if as == nil {
		return
	}
	c.Power, c.Faults = true, ""
	if from, is := as.Device.(device.Quadcopter); is {
		s := from.QuadcopterState()
		c.Home, c.Yaw = s.Pos, s.Yaw
	}
}

// Tune changes the draft, and switches the propellers (any).
func (q *Quadcopter) Tune(c *config) error {
	switch {
	case c.Power && q.stop.Pressed():
		return device.ParamError{Name: "power", Err: device.ErrStopped}
	case !c.Draft.Finite():
		return device.ParamError{Name: "draft", Err: errNumber}
	}
	q.blow(c.Draft)
	q.powered.Store(c.Power)
	return nil
}
