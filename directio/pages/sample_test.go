package pages

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// rack is a device of a fieldbus: inputs and outputs that have names and types.
type rack struct{ ports.Fed }

func (rack) Status() device.Status { return device.Status{State: device.Operational} }

func (r rack) Interfaces() []device.Interface {
	return []device.Interface{device.AnnounceIO(r.Ports()), device.AnnounceEntries()}
}

func (rack) Close() error { return nil }

var rackType = device.Declare(device.Kind{Name: "rack", Extension: "test", Doc: "a rack", Simulated: true}, func(env *device.Env, _ *struct{}) (device.Device, error) {
	fed, err := ports.NewFed(env.Name, []device.Entry{
		{Name: "status", Address: "0x6000:1", Type: "UINT", Bits: 16},
		{Name: "position", Address: "0x6010:1", Type: "DINT", Kind: device.EntrySigned, Bits: 32},
		{Name: "door", Address: "0x6020:1", Type: "BOOL", Bits: 1},
		{Name: "gate", Address: "0x6020:2", Type: "BOOL", Bits: 1},
		{Name: "lamp", Address: "0x7000:1", Type: "BOOL", Bits: 1, Output: true},
		{Name: "horn", Address: "0x7000:2", Type: "BOOL", Bits: 1, Output: true},
		{Name: "speed", Address: "0x7010:1", Type: "INT", Kind: device.EntrySigned, Bits: 16, Output: true},
		{Name: "exact", Address: "0x7020:1", Type: "LREAL", Kind: device.EntryReal, Bits: 64, Output: true},
	})
	return rack{fed}, err
})

// TestSamples loads the net to copy of every primitive and lets it run.
func TestSamples(t *testing.T) {
	c := newCellOf(t, Options{}, slices.Concat(primitives.All(), testdevice.Primitives()), func(cfg *rcc.Config) {
		cfg.DeviceTypes = append(devices.Types(), rackType, testdevice.Type)
	})
	for name, kind := range map[string]string{"test": testdevice.Type.Name, "io": rackType.Name, "arm": "staubli_tx90_sim", "lwr": "kuka_lwr_sim", "base": "robotbase_sim", "wsg": "schunk_wsg_sim", "jaws": "kuka_youbot_gripper_sim", "youbot": "kuka_youbot_arm_sim", "iiwa": "kuka_iiwa_sim", "crazyflie": "quadcopter_sim"} {
		if err := c.Devices.Create(name, kind, nil); err != nil {
			t.Fatal(err)
		}
	}
	site := &site{core: c.Core}
	samples := site.sampler()
	for _, p := range samples.all {
		view := samples.sample(p)
		if view.Partner != "" {
			continue
		}
		c.runSample(p.Name, view.Text)
	}
	for _, p := range samples.all {
		if view := samples.sample(p); view.Partner != "" {
			own := newCellOf(t, Options{}, slices.Concat(primitives.All(), testdevice.Primitives()))
			if partner := own.load(view.Partner, "", ""); partner.Name() != partnerName || partner.State() == rcc.Rejected {
				t.Errorf("%s: the partner: %v\n%s", p.Name, partner.Problems(), view.Partner)
			}
			own.runSample(p.Name, view.Text)
		}
	}
}

// runSample loads a net, which must not be refused, and runs some cycles of it.
func (c *cell) runSample(name, text string) {
	c.t.Helper()
	n, err := c.Nets.Load(rcc.LoadRequest{Text: text})
	if err != nil {
		c.t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	if n.State() == rcc.Rejected {
		c.t.Errorf("%s: %v\n%s", name, n.Problems(), text)
		return
	}
	if _, err := c.Nets.Eval(c.t.Context(), rcc.EvalRequest{Text: text}); err != nil {
		c.t.Errorf("%s: %v\n%s", name, err, text)
	}
	if err := n.Start(c.t.Context()); err != nil {
		c.t.Errorf("%s: %v", name, err)
	}
	c.advance(5 * n.Period())
	if n.State() != rcc.Running {
		c.t.Errorf("%s: %v", name, n.State())
	} else if err := n.Abort(c.t.Context()); err != nil {
		c.t.Errorf("%s: %v", name, err)
	}
	if err := n.Unload(c.t.Context()); err != nil {
		c.t.Errorf("%s: %v", name, err)
	}
}
