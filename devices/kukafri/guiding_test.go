package kukafri_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// daemon is a core whose time and that of the wire go on together.
type daemon struct {
	*rcc.Core
	t   *testing.T
	sim *frisim.Wire
}

// serve makes a core with a robot over FRI, and the extension of the scenario about guiding.
func serve(t *testing.T) (d *daemon, net string) {
	t.Helper()
	folder := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "scenarios", "guiding.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "guiding"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == "guide.dio" {
			net = string(f.Data)
		}
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	extensions, err := extension.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Unix(1_700_000_000, 0)
	network := link.NewVirtual(begin)
	core, err := rcc.New(rcc.Config{
		Catalogue: catalogue, DeviceTypes: []device.Type{kukafri.Over(network.Open)}, Interfaces: primitives.Interfaces(),
		Clock: rt.NewVirtual(begin), Folder: extensions,
	})
	if err != nil {
		t.Fatal(err)
	}
	sim, err := frisim.New(frisim.Usual())
	if err != nil {
		t.Fatal(err)
	}
	d = &daemon{core, t, frisim.Connect(sim, network, robotAt, here)}
	t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		if err := core.Close(now); err != nil {
			t.Error(err)
		}
	})
	d.must(core.Extensions.Load("guiding"))
	d.must(core.Devices.Create("lwr", "kuka_lwr_fri", nil))
	return d, net
}

func (d *daemon) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// run lets both times go on, cycle by cycle: first nets, then the robot.
func (d *daemon) run(span time.Duration) {
	d.t.Helper()
	for range span / d.sim.Cycle() {
		d.must(d.Clock.Advance(d.t.Context(), d.sim.Cycle()))
		d.sim.Run(d.sim.Cycle())
	}
}

// TestGuiding leads a robot by hand over the wire: what is commanded follows within limits, and when it is let go it ends under
// position control, where it is, without a jump.
func TestGuiding(t *testing.T) {
	d, text := serve(t)
	d.run(2 * time.Second)
	n, err := d.Nets.Load(rcc.LoadRequest{Text: text, Period: 2 * time.Millisecond})
	d.must(err)
	if p := n.Problems(); len(p) > 0 {
		t.Fatal(p)
	}
	d.must(n.Start(t.Context()))
	d.run(2 * time.Second)
	if s := d.sim.Strategy(); s != device.JointCompliance {
		t.Fatalf("%v; %+v", s, d.Devices.All())
	}
	from, _ := d.sim.Joint(3)
	d.sim.Push(3, 2)
	for range 100 {
		d.run(10 * time.Millisecond)
		is, commanded := d.sim.Joint(3)
		if away := math.Abs(is - commanded); away > 0.5 {
			t.Fatalf("it is commanded %v and is at %v", commanded, is)
		}
	}
	d.must(n.Cancel(t.Context()))
	d.run(200 * time.Millisecond)
	if led, _ := d.sim.Joint(3); math.Abs(led-from) < 0.1 || d.sim.Strategy() != device.JointCompliance {
		t.Fatalf("pushed from %v it is at %v, under %v", from, led, d.sim.Strategy())
	}
	d.sim.Push(3, 0)
	d.run(4 * time.Second)
	rests, _ := d.sim.Joint(3)
	d.run(2 * time.Second)
	is, commanded := d.sim.Joint(3)
	if d.sim.Strategy() != device.PositionControl || d.sim.State() != wire.Command || math.Abs(is-rests) > 1e-3 || math.Abs(is-commanded) > 1e-3 {
		t.Errorf("let go it is at %v, then at %v, commanded %v, under %v; %v", rests, is, commanded, d.sim.Strategy(), d.sim.State())
	}
	if f := d.sim.Figures(); f.Violations != 0 || f.Fastest > 1 || f.Steepest > 1 {
		t.Errorf("%+v", f)
	}
}
