package simgripper_test

import (
	"errors"
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/simgripper"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/conform"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

func typeOf(t *testing.T, name string) *device.Type {
	t.Helper()
	for _, kind := range simgripper.Types() {
		if kind.Name == name {
			return &kind
		}
	}
	t.Fatalf("no type %s", name)
	return nil
}

func open(t *testing.T, name string, env *device.Env, params map[string]string) device.Cyclic {
	t.Helper()
	d, err := typeOf(t, name).Open(env, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d.(device.Cyclic)
}

func step(d device.Cyclic) { d.Tick(device.Tick{Period: d.Period().Seconds()}) }

func openWSG(t *testing.T, params map[string]string) conform.Fingers {
	t.Helper()
	kind := typeOf(t, "schunk_wsg_sim")
	d := open(t, kind.Name, &device.Env{Name: "wsg"}, params)
	return conform.Fingers{
		WSG: d.(device.WSG), Step: func() { step(d) }, Stroke: 0.11,
		Part: func(width float64) {
			t.Helper()
			if _, err := kind.Tune(d, nil, map[string]string{"object": strconv.FormatFloat(width, 'g', -1, 64)}); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func TestConformance(t *testing.T) {
	for _, cycle := range []string{"1ms", "10ms", "100ms"} {
		t.Run(cycle, func(t *testing.T) {
			conform.WSG(t, func(t *testing.T) conform.Fingers { t.Helper(); return openWSG(t, map[string]string{"cycle": cycle}) })
		})
	}
}

// TestHoming: before it has been homed a gripper does not know where to go.
func TestHoming(t *testing.T) {
	f := openWSG(t, map[string]string{"homed": "false", "width": "0.05"})
	move := device.GripperAction{Kind: device.GripperMove, Width: 0.03, Speed: 0.1}
	for _, tt := range []struct {
		a    device.GripperAction
		want device.GripperCode
	}{
		{move, device.GripperNotReferenced},
		{device.GripperAction{Kind: device.GripperHome, Outwards: true}, device.GripperGood},
		{move, device.GripperGood},
	} {
		if code := f.Do(t, tt.a); code != tt.want {
			t.Errorf("%+v: %v, not %v", tt.a, code, tt.want)
		}
	}
}

// TestPower: without power nothing begins, and what takes place ends.
func TestPower(t *testing.T) {
	f := openWSG(t, nil)
	kind := typeOf(t, "schunk_wsg_sim")
	move := device.GripperAction{Kind: device.GripperMove, Width: 0.03, Speed: 0.1}
	ticket := f.Begin(move)
	f.Step()
	params, err := kind.Tune(f.WSG, nil, map[string]string{"power": "false"})
	if err != nil {
		t.Fatal(err)
	}
	f.Step()
	if ended, code := f.Ended(ticket); !ended || code != device.GripperNotOperational {
		t.Errorf("ended %v: %v", ended, code)
	}
	if code := f.Do(t, move); code != device.GripperNotOperational || f.Status().State != device.SafeOperational {
		t.Errorf("%v, %+v", code, f.Status())
	}
	if _, err := kind.Tune(f.WSG, params, map[string]string{"power": "true"}); err != nil {
		t.Fatal(err)
	}
	if code := f.Do(t, move); code != device.GripperGood || f.Status().State != device.Operational {
		t.Errorf("%v, %+v", code, f.Status())
	}
}

// TestActionsHammer begins actions from many threads: each one ends, and of those at the same time one is done.
func TestActionsHammer(t *testing.T) {
	f := openWSG(t, nil)
	const actions = 500
	stop, stepping := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stepping)
		for {
			select {
			case <-stop:
				return
			default:
				f.Step()
			}
		}
	}()
	kinds := []device.GripperKind{device.GripperClearSoftLimits, device.GripperStop, device.GripperMove}
	counts := make([]map[device.GripperCode]int, len(kinds))
	var all sync.WaitGroup
	for k, kind := range kinds {
		counts[k] = map[device.GripperCode]int{}
		all.Go(func() {
			for n := range actions {
				ticket := f.Begin(device.GripperAction{Kind: kind, Width: 0.05 + 0.01*float64(n%2), Speed: 0.4})
				for {
					if ended, code := f.Ended(ticket); ended {
						counts[k][code]++
						break
					}
				}
			}
		})
	}
	all.Wait()
	close(stop)
	<-stepping
	for k, of := range counts {
		sum := 0
		for code, n := range of {
			sum += n
			if code != device.GripperGood && code != device.GripperBusy && code != device.GripperAborted {
				t.Errorf("action %d: %v", kinds[k], code)
			}
		}
		if sum != actions {
			t.Errorf("action %d: %d have ended", kinds[k], sum)
		}
	}
}

// arm is a device that carries a gripper.
type arm struct {
	device.Device
	status device.Status
}

func (a *arm) Status() device.Status { return a.status }

func TestJaws(t *testing.T) {
	carrier := &arm{status: device.Status{State: device.SafeOperational, Cause: "drives are off"}}
	env := &device.Env{Name: "jaws", Device: func(name string) (device.Device, error) {
		if name != "arm" {
			return nil, errors.New("no such device")
		}
		return carrier, nil
	}}
	d := open(t, "kuka_youbot_gripper_sim", env, map[string]string{"arm": "arm", "max_vel": "0.01"})
	jaws := d.(device.Jaws)
	if jaws.Status() != carrier.status {
		t.Errorf("status %+v, not that of the arm", jaws.Status())
	}
	for _, tt := range []struct{ open, want float64 }{{0.02, 0.02}, {0.005, 0.005}, {1, 0.023}, {-1, 0}, {math.NaN(), 0}, {0.01, 0.01}} {
		jaws.Open(tt.open)
		for last := jaws.Distance(); ; last = jaws.Distance() {
			step(d)
			if way := math.Abs(jaws.Distance() - last); way == 0 {
				break
			} else if way > 0.0001+1e-12 {
				t.Fatalf("the jaws have moved by %v in 10 ms", way)
			}
		}
		if jaws.Distance() != tt.want {
			t.Errorf("open to %v: %v, not %v", tt.open, jaws.Distance(), tt.want)
		}
	}
	if n := alloc.Least(func() { jaws.Open(0.02); step(d) }); n != 0 {
		t.Errorf("%d allocations in a tick", n)
	}
	if s := open(t, "kuka_youbot_gripper_sim", env, nil).Status(); s.State != device.Operational {
		t.Errorf("status without an arm %+v", s)
	}
	if _, err := typeOf(t, "kuka_youbot_gripper_sim").Open(env, map[string]string{"arm": "leg"}); err == nil {
		t.Error("it is at an arm that is not there")
	}
}
