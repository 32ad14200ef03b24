package kukafri

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Type is the device type. Its twin is the simulated robot of devices/simarm.
var Type = Over(link.Open)

// Over returns the device type with another kind of wire (load).
func Over(open link.Opener) device.Type {
	return device.Declare(device.Kind{
		Name: "kuka_lwr_fri", Extension: "kuka_lwr_fri", Doc: "KUKA LWR4 or LWR4+ over its Fast Research Interface, seven axes",
		Pages: []device.Page{link.Page(), page},
	}, func(env *device.Env, cfg *config) (device.Device, error) { return newRobot(env, cfg, open) })
}

// config is the parameters. Those that applications send come first.
type config struct {
	Lengths []float64 `rcc:"link_lengths" unit:"m" doc:"from the base over the seven axes to the flange, eight of them; those of an LWR4+ if left out"`
	arm.Limits
	arm.Load
	IP            string `rcc:"ip" doc:"address of the controller, the only one that may call; without it only this machine may"`
	Port          int    `rcc:"port" default:"49938" min:"0" max:"65535" doc:"where the controller sends to; 0: any that is free"`
	Handshake     int    `rcc:"handshake" default:"15" min:"0" max:"15" doc:"variable by which the KRL program is asked, from 0"`
	Communication int    `rcc:"communication" default:"14" min:"0" max:"15" doc:"variable by which it gets values, from 0"`
	DigitalIn     int    `rcc:"iportsdig" default:"8" min:"0" max:"15" doc:"digital inputs: Booleans that the KRL program sets"`
	DigitalOut    int    `rcc:"oportsdig" default:"8" min:"0" max:"15" doc:"digital outputs: Booleans for the KRL program"`
	AnalogIn      int    `rcc:"iportsan" default:"8" min:"0" max:"16" doc:"analog inputs: reals that the KRL program sets"`
	AnalogOut     int    `rcc:"oportsan" default:"8" min:"0" max:"16" doc:"analog outputs: reals for the KRL program"`

	Listen   string        `rcc:"listen" doc:"address of this machine that telegrams come to; any if there is an ip, 127.0.0.1 otherwise"`
	Program  string        `rcc:"program" default:"values" enum:"values numbers request codes commands" doc:"hand-shake of the KRL program"`
	Cycle    time.Duration `rcc:"cycle" default:"2ms" min:"1ms" max:"100ms" doc:"of the interface, until the controller reports another one"`
	Loss     int           `rcc:"loss_limit" default:"50" min:"3" max:"100" doc:"cycles without telegram after which the robot is offline"`
	Lapse    int           `rcc:"lapse" default:"5" min:"1" max:"1000" doc:"cycles without set-point after which joints come to rest"`
	Margin   float64       `rcc:"margin" default:"0.01" min:"0.000001" max:"10" unit:"1" doc:"share by which set-points may be beyond limits"`
	Ahead    time.Duration `rcc:"ahead" default:"0s" min:"-1s" max:"1s" doc:"by how much later than their telegrams set-points are taken to be"`
	Smooth   int           `rcc:"smooth" default:"50" min:"1" max:"1000" doc:"telegrams over whose times the mean is taken"`
	Apart    float64       `rcc:"switch_apart" default:"0.05" min:"0.000001" max:"10" unit:"rad" doc:"distance of measured and commanded joints from which on neither command mode begins nor the strategy is switched"`
	Patience time.Duration `rcc:"switch_timeout" default:"15s" min:"100ms" max:"10m" doc:"how long the KRL program may need for what it is asked to do"`
	Resume   bool          `rcc:"resume" default:"false" doc:"ask for command mode again when it has ended by itself"`
}

// turns are the angles between the axes of these robots; their lengths may be others.
var turns = []float64{quarter, -quarter, -quarter, quarter, quarter, -quarter, 0}

const quarter = 1.5707963267948966

// arm makes the kinematics.
func (c *config) arm() (*arm.Described, error) {
	var rows []kinematics.Row
	if c.Lengths != nil {
		var err error
		if rows, err = arm.SevenAxes(c.Lengths, turns); err != nil {
			return nil, err
		}
	}
	return arm.Describe(robots.LWR4().Chain, nil, rows, &c.Limits)
}

// addresses returns the address for telegrams, and that of the permitted sender.
func (c *config) addresses() (listen netip.AddrPort, peer netip.Addr, err error) {
	at := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if c.IP != "" {
		if peer, err = netip.ParseAddr(c.IP); err != nil {
			return listen, peer, device.WrongParam("ip", "%w", err)
		}
		if !peer.IsLoopback() {
			at = netip.IPv4Unspecified()
		}
	}
	if c.Listen != "" {
		if at, err = netip.ParseAddr(c.Listen); err != nil {
			return listen, peer, device.WrongParam("listen", "%w", err)
		}
	}
	return netip.AddrPortFrom(at, uint16(c.Port)), peer, nil
}

// ports returns those of the interface, and the first Boolean that is one.
func (c *config) ports(name string, k krl.Kind) (device.Ports, int, error) {
	first, end := k.FirstPort(), 16
	if k == krl.Values {
		end = c.Handshake
	}
	switch most := max(c.DigitalIn, c.DigitalOut); {
	case k == krl.Values && c.Handshake == c.Communication:
		return device.Ports{}, 0, fmt.Errorf("parameters handshake and communication: both are variable %d", c.Handshake)
	case first+most > end:
		return device.Ports{}, 0, fmt.Errorf("parameters iportsdig and oportsdig: the hand-shake leaves Booleans %d to %d, not %d of them", first, end-1, most)
	case k == krl.Values && c.AnalogOut > c.Communication:
		return device.Ports{}, 0, device.WrongParam("oportsan", "the hand-shake leaves reals 0 to %d, not %d of them", c.Communication-1, c.AnalogOut)
	}
	return device.Ports{
		Device: name, DigitalIn: c.DigitalIn, DigitalOut: c.DigitalOut, AnalogIn: c.AnalogIn, AnalogOut: c.AnalogOut,
	}, first, nil
}

var errNumbers = errors.New("this machine does not store numbers as the controller does (little endian, IEEE 754)")

// check refuses machines that cannot read telegrams.
func check() error {
	if !wire.SelfCheck() {
		return errNumbers
	}
	return nil
}
