package pages

import (
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/devices/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestSamples loads the net to copy of every primitive and lets it run.
func TestSamples(t *testing.T) {
	c := newCellOf(t, Options{}, slices.Concat(primitives.All(), testdevice.Primitives()), func(cfg *rcc.Config) {
		cfg.DeviceTypes = devices.Types()
	})
	for name, kind := range map[string]string{"test": testdevice.Type.Name, "io": simio.Type.Name, "arm": "staubli_tx90_sim", "lwr": "kuka_lwr_sim", "base": "robotbase_sim", "wsg": "schunk_wsg_sim", "jaws": "kuka_youbot_gripper_sim", "youbot": "kuka_youbot_arm_sim", "iiwa": "kuka_iiwa_sim", "crazyflie": "quadcopter_sim"} {
		if err := c.CreateDevice(name, kind, nil); err != nil {
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
	n, err := c.Load(rcc.LoadRequest{Text: text})
	if err != nil {
		c.t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	if n.State() == rcc.Rejected {
		c.t.Errorf("%s: %v\n%s", name, n.Problems(), text)
		return
	}
	if _, err := c.Eval(c.t.Context(), rcc.EvalRequest{Text: text}); err != nil {
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
