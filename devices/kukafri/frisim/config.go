package frisim

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
)

// Config describes the robot, its controller and the network between.
type Config struct {
	Cycle  time.Duration // 1 ms to 100 ms, whole milliseconds
	Home   []float64     // where the joints are at the start, rad; a posture that is not singular if left out
	Limits float64       // share of the limits of the robot that commands may use
	Bridge int           // missing answers in a row that are bridged
	Power  bool          // drives are on at the start

	Program       krl.Kind // hand-shake
	Handshake     int      // its index of the bool and the int, of values
	Communication int      // its index of the int and the real, of values
	Switching     time.Duration
	Fails         int  // number of the switch of strategy that fails, from 1; 0: none
	AutoStart     bool // the program goes to command mode by itself, as soon as it may

	Loss, Duplicate float64       // share of the datagrams of each direction
	Delay, Jitter   time.Duration // of each datagram; jitter is the greatest of random ones that are added
	Seed            uint64

	Chain *kinematics.Chain // of the robot; an LWR4+ if left out
	Tell  func(Event)       // receives what happens, if it is not nil
}

// Usual returns the default configuration.
func Usual() Config {
	return Config{
		Cycle: 2 * time.Millisecond, Limits: 1, Bridge: 3, Power: true,
		Handshake: 15, Communication: 14, Switching: 200 * time.Millisecond, Seed: 1,
	}
}

// Event is something that has happened.
type Event struct {
	At   float64 `json:"at"` // s since the start
	What string  `json:"event"`
	Why  string  `json:"why,omitempty"`
}

// bent is a posture that is not singular.
var bent = []float64{0.3, 0.6, -0.2, 1.2, 0.1, 0.8, 0.4}

func (c *Config) complete() error {
	if c.Chain == nil {
		c.Chain = robots.LWR4().Chain
	}
	if c.Home == nil {
		c.Home = bent
	}
	switch ms := c.Cycle / time.Millisecond; {
	case ms < 1 || ms > 100 || c.Cycle%time.Millisecond != 0:
		return fmt.Errorf("cycle %v must be 1ms to 100ms in whole milliseconds", c.Cycle)
	case len(c.Home) != wire.Joints || c.Chain.Len() != wire.Joints:
		return fmt.Errorf("%d positions, and a chain of %d joints, instead of %d", len(c.Home), c.Chain.Len(), wire.Joints)
	case !(c.Limits > 0 && c.Limits <= 1):
		return fmt.Errorf("limits of %v, a share above 0 and up to 1", c.Limits)
	case !(c.Loss >= 0 && c.Loss <= 1 && c.Duplicate >= 0 && c.Duplicate <= 1):
		return fmt.Errorf("loss %v and duplicates %v must be shares from 0 to 1", c.Loss, c.Duplicate)
	case c.Delay < 0 || c.Jitter < 0 || c.Bridge < 0:
		return fmt.Errorf("delay %v, jitter %v and bridge %d must be 0 or more", c.Delay, c.Jitter, c.Bridge)
	case uint(c.Handshake) > 15 || uint(c.Communication) > 15 || c.Handshake == c.Communication:
		return fmt.Errorf("hand-shake %d and communication %d must be two indexes from 0 to 15", c.Handshake, c.Communication)
	}
	return nil
}

// Limits that the controller supervises, as a program that limits commands on the other side quotes it from its files.
var (
	fastest  = [wire.Joints]float64{rad(120), rad(120), rad(160), rad(160), rad(250), rad(220), rad(220)}
	steepest = [wire.Joints]float64{rad(1200), rad(1200), rad(1600), rad(1600), rad(2500), rad(4400), rad(4400)}
)

func rad(degrees float64) float64 { return degrees * math.Pi / 180 }
