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

// TestFaults: by a script a part comes and goes, and the gripper fails, is repaired, goes off and on.
func TestFaults(t *testing.T) {
	d := open(t, "schunk_wsg_sim", &device.Env{Name: "wsg"}, map[string]string{
		"cycle": "10ms", "faults": "0s part 0.05; 2s part 0; 3s fail; 4s repair; 5s off; 6s on",
	})
	w, now := d.(device.WSG), int64(1e18)
	until := func(ms int64) {
		for ; now < 1e18+ms*1e6; now += 1e7 {
			d.Tick(device.Tick{Time: now, Period: 0.01})
		}
	}
	grasp := device.GripperAction{Kind: device.GripperGrasp, Width: 0.05, Speed: 0.1}
	ticket := w.Begin(grasp)
	until(1900)
	if ended, code := w.Ended(ticket); !ended || code != device.GripperGood || w.Gripper().Grasping != device.GraspHolding {
		t.Errorf("the part has come: %v %v %+v", ended, code, w.Gripper())
	}
	until(2900)
	if s := w.Gripper(); s.Grasping != device.GraspPartLost || s.Force != 0 {
		t.Errorf("the part has gone: %+v", s)
	}
	for _, step := range []struct {
		ms     int64
		status device.Status
		code   device.GripperCode
	}{
		{3500, device.Status{State: device.SafeOperational, Cause: "the gripper has failed"}, device.GripperNotOperational},
		{4500, device.Status{State: device.Operational}, device.GripperGood},
		{5500, device.Status{State: device.SafeOperational, Cause: "the gripper is off"}, device.GripperNotOperational},
		{6500, device.Status{State: device.Operational}, device.GripperGood},
	} {
		until(step.ms)
		ticket := w.Begin(device.GripperAction{Kind: device.GripperForceLimit, Value: 30})
		until(step.ms + 100)
		if ended, code := w.Ended(ticket); !ended || code != step.code || d.(device.Device).Status() != step.status {
			t.Errorf("after %d ms: %v %v %+v", step.ms, ended, code, d.(device.Device).Status())
		}
	}
}

// TestJawsFail: jaws that have failed stand still, and go on when they are repaired.
func TestJawsFail(t *testing.T) {
	d := open(t, "kuka_youbot_gripper_sim", &device.Env{Name: "jaws"}, map[string]string{"faults": "200ms fail; 400ms repair"})
	j := d.(device.Jaws)
	j.Open(0.02)
	var at []float64
	for k := range int64(200) {
		d.Tick(device.Tick{Time: 1e18 + k*1e7, Period: 0.01})
		at = append(at, j.Distance())
		broken := k >= 20 && k < 40
		if s := d.(device.Device).Status(); (s.State == device.SafeOperational) != broken || broken && s.Cause != "the gripper has failed" {
			t.Fatalf("cycle %d: %+v", k, s)
		}
	}
	if !(at[19] > at[18]) || at[39] != at[19] || !(at[40] > at[39]) || at[199] != 0.02 {
		t.Errorf("%v %v %v %v", at[19], at[39], at[40], at[199])
	}
}
