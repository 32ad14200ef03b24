package sched_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// swinging commands two channels, the second one at a speed that changes, and ends after 6 s: time that runs as fast as it can
// may run far ahead of the test, and the device forgets its first records then.
const swinging = `{
  time=Core::Clock(),
  angle=Core::DoubleMultiply(inFirst=time.outValue,Second='1.5707963267948966'),
  swing=Core::DoubleSin(inValue=angle.outValue),
  joint0=Core::DoubleMultiply(inFirst=swing.outValue,Second='1.2'),
  triangle=Core::DoubleAcos(inValue=Core::DoubleCos(inValue=angle.outValue).outValue),
  progress=Core::DoubleDivide(inFirst=triangle.outValue,Second='3.141592653589793'),
  ramp=Core::Rampify(inValue=progress.outValue,Constant='0.5'),
  joint1=Core::Lerp(inAmount=ramp.outValue,From='-1',To='1'),
  move0=Test::Actuator(inValue=joint0.outValue,Device='testarm',Channel='0'),
  move1=Test::Actuator(inValue=joint1.outValue,Device='testarm',Channel='1'),
  outTerminate=Core::DoubleGreater(inFirst=time.outValue,Second='6').outValue
}`

// demo is this net twice, with different periods, on one test device in virtual time.
type demo struct {
	device *testdevice.Device
	clock  *rt.Virtual
}

// Device implements spec.Host, as do Board and Inbox.
func (d *demo) Device(string) (device.Device, error) { return d.device, nil }

func (*demo) Board(name string) (*spec.Board, error) { return nil, fmt.Errorf("no net %q", name) }
func (*demo) Inbox(name string) (*spec.Inbox, error) { return nil, fmt.Errorf("no net %q", name) }

func newDemo(t *testing.T) *demo {
	t.Helper()
	d := &demo{clock: rt.NewVirtual(time.Unix(1_000_000, 0))}
	d.device = testdevice.New(8, 100_000)
	s, err := sched.New(sched.Config{Clock: d.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	other := strings.NewReplacer("Channel='0'", "Channel='2'", "Channel='1'", "Channel='3'").Replace(swinging)
	nets := []sched.Ref{d.admit(t, s, swinging, 2*time.Millisecond), d.admit(t, s, other, 3*time.Millisecond)}
	if err := s.Start(t.Context(), nets...); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *demo) admit(t *testing.T, s *sched.Scheduler, text string, period time.Duration) sched.Ref {
	t.Helper()
	tree, err := grammar.ParseNet(text, grammar.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.NewCatalogue(primitives.All(), testdevice.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	p, err := net.Compile(tree, net.Options{Name: "demo", Period: period, Catalogue: catalogue, Host: d})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Admit(p, sched.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// records are what the device has been commanded, to the last bit.
func (d *demo) records(n int) []string {
	var list []string
	for _, r := range d.device.Records(0)[:n] {
		list = append(list, fmt.Sprintf("%d %d %d %x", r.Channel, r.Time, r.Cycle, math.Float64bits(r.Value)))
	}
	return list
}

// Virtual time gives the same records however it goes by: at once, in portions of any length, or as fast as it can.
func TestDemoIsReproducible(t *testing.T) {
	const length = 4 * time.Second
	first := newDemo(t)
	if err := first.clock.Advance(t.Context(), length); err != nil {
		t.Fatal(err)
	}
	n := int(first.device.Recorded())
	want := first.records(n)
	if cycles := int(length / (6 * time.Millisecond)); n < 10*cycles-20 || n > 10*cycles+20 {
		t.Fatalf("%d records", n)
	}
	for seed := range uint64(5) {
		random, again := rand.New(rand.NewPCG(seed, 0)), newDemo(t)
		for left := length; left > 0; {
			step := min(left, time.Duration(random.Int64N(int64(50*time.Millisecond))))
			if err := again.clock.Advance(t.Context(), step); err != nil {
				t.Fatal(err)
			}
			left -= step
		}
		if diff := cmp.Diff(want, again.records(int(again.device.Recorded()))); diff != "" {
			t.Fatalf("in portions: %s", diff)
		}
	}
	for range 5 {
		fast := newDemo(t)
		fast.clock.SetSpeed(math.Inf(1))
		for int(fast.device.Recorded()) <= n { // the last one is complete when another one has begun
			runtime.Gosched()
		}
		fast.clock.SetSpeed(0)
		if diff := cmp.Diff(want, fast.records(n)); diff != "" {
			t.Fatalf("as fast as possible: %s", diff)
		}
	}
}
