package robotics_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics"
)

func TestMain(m *testing.M) { leak.Main(m) }

// cell is a daemon with simulated devices, whose time passes as fast as it can be computed unless it is told to stand still.
type cell struct {
	t     testing.TB
	core  *rcc.Core
	clock *rt.Virtual
	url   string
}

const period = 2 * time.Millisecond

func newCell(t testing.TB) *cell {
	t.Helper()
	core, clock, err := openCell(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(core) })
	return &cell{t: t, core: core, clock: clock}
}

// openCell makes a core with simulated devices, of which some have other parameters.
func openCell(params map[string]map[string]string) (*rcc.Core, *rt.Virtual, error) {
	clock := rt.NewVirtual(time.Unix(1_000_000_000, 0))
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		return nil, nil, err
	}
	core, err := rcc.New(rcc.Config{Catalogue: catalogue, Clock: clock, DeviceTypes: devices.Types(), DefaultCycle: period})
	if err != nil {
		return nil, nil, err
	}
	for _, d := range []struct{ name, kind string }{
		{"kr16", "kuka_kr_arm_sim"},
		{"tx90", "staubli_tx90_sim"},
		{"lwr", "kuka_lwr_sim"},
		{"io", "io_sim"},
		{"gripper", "schunk_wsg_sim"},
		{"base", "robotbase_sim"},
	} {
		with := params[d.name]
		if d.name == "io" {
			with = map[string]string{"loopback": "true"}
		}
		err = errors.Join(err, core.CreateDevice(d.name, d.kind, with))
	}
	return core, clock, err
}

// shut ends a core. What still runs is aborted.
func shut(core *rcc.Core) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = core.Close(ctx)
}

// free lets time pass as fast as it can.
func (c *cell) free() *cell {
	c.clock.SetSpeed(math.Inf(1))
	return c
}

// serve opens the door for applications.
func (c *cell) serve() *cell {
	c.t.Helper()
	url, closed, err := openDoor(c.core)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		if err := closed(); err != nil {
			c.t.Error(err)
		}
	})
	c.url = url
	return c
}

func openDoor(core *rcc.Core) (url string, closed func() error, err error) {
	server, err := directio.Listen(core, http.NotFoundHandler(), directio.Config{Listen: "127.0.0.1:0", Log: zap.NewNop()})
	if err != nil {
		return "", nil, err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	return "http://" + server.Addr().String(), func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		return errors.Join(server.Close(ctx), <-served)
	}, nil
}

func (c *cell) connect(options ...robotics.Option) *robotics.Runtime {
	c.t.Helper()
	r, err := robotics.Connect(c.t.Context(), c.url, options...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(r.Close)
	return r
}
