package conform

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Fingers are a gripper with what a suite must know of it.
type Fingers struct {
	device.WSG
	Step   func()              // lets a cycle of the gripper pass
	Part   func(width float64) // puts a part between the fingers; 0: takes it away
	Stroke float64             // greatest width
}

// until is how many cycles an action may take.
const until = 100_000

// Do begins an action and waits for its end.
func (f *Fingers) Do(t *testing.T, a device.GripperAction) device.GripperCode {
	t.Helper()
	return f.await(t, f.Begin(a))
}

func (f *Fingers) await(t *testing.T, ticket uint64) device.GripperCode {
	t.Helper()
	for range until {
		if ended, code := f.Ended(ticket); ended {
			return code
		}
		f.Step()
	}
	t.Fatal("an action does not end")
	return 0
}

// WSG checks a gripper that is homed, open, and has nothing between its fingers.
func WSG(t *testing.T, open func(t *testing.T) Fingers) {
	t.Helper()
	for _, part := range []struct {
		name string
		test func(t *testing.T, f *Fingers)
	}{
		{"moves", wsgMoves},
		{"range", wsgRange},
		{"grasps", wsgGrasps},
		{"busy", wsgBusy},
		{"allocations", wsgAllocations},
	} {
		t.Run(part.name, func(t *testing.T) {
			f := open(t)
			part.test(t, &f)
		})
	}
}

func (f *Fingers) at(t *testing.T, width float64) {
	t.Helper()
	f.Step()
	if s := f.Gripper(); math.Abs(s.Width-width) > 1e-6 || s.Speed != 0 {
		t.Errorf("the fingers are at %v with %v, not %v", s.Width, s.Speed, width)
	}
}

func wsgMoves(t *testing.T, f *Fingers) {
	t.Helper()
	const speed = 0.1
	for _, tt := range []struct {
		a    device.GripperAction
		want float64
	}{
		{device.GripperAction{Kind: device.GripperMove, Width: f.Stroke / 2, Speed: speed}, f.Stroke / 2},
		{device.GripperAction{Kind: device.GripperMove, Width: -f.Stroke / 4, Speed: speed, Relative: true}, f.Stroke / 4},
		{device.GripperAction{Kind: device.GripperRelease, Width: f.Stroke, Speed: speed}, f.Stroke},
		{device.GripperAction{Kind: device.GripperHome}, 0},
		{device.GripperAction{Kind: device.GripperHome, Outwards: true}, f.Stroke},
	} {
		if code := f.Do(t, tt.a); code != device.GripperGood {
			t.Errorf("%+v: %v", tt.a, code)
		}
		f.at(t, tt.want)
	}
	last := f.Gripper().Width
	ticket := f.Begin(device.GripperAction{Kind: device.GripperMove, Width: 0, Speed: speed})
	for range until {
		f.Step()
		s := f.Gripper()
		if s.Width > last+1e-12 || math.Abs(s.Speed) > speed*(1+1e-9) {
			t.Fatalf("from %v to %v with %v", last, s.Width, s.Speed)
		}
		last = s.Width
		if ended, _ := f.Ended(ticket); ended {
			return
		}
	}
	t.Error("the motion does not end")
}

func wsgRange(t *testing.T, f *Fingers) {
	t.Helper()
	const speed = 0.1
	nan := math.NaN()
	for _, a := range []device.GripperAction{
		{Kind: device.GripperMove, Width: f.Stroke + 0.001, Speed: speed},
		{Kind: device.GripperMove, Width: 0.001, Speed: speed, Relative: true},
		{Kind: device.GripperMove, Width: nan, Speed: speed},
		{Kind: device.GripperMove, Width: 0, Speed: nan},
		{Kind: device.GripperGrasp, Width: -0.001, Speed: speed},
		{Kind: device.GripperRelease, Width: f.Stroke, Speed: 100},
		{Kind: device.GripperRelease, Width: f.Stroke},
		{Kind: device.GripperAcceleration},
		{Kind: device.GripperAcceleration, Value: nan},
		{Kind: device.GripperForceLimit, Value: 1e6},
		{Kind: device.GripperSoftLimits, Value: 0.05, Outer: 0.04},
		{Kind: device.GripperSoftLimits, Value: nan, Outer: 0.04},
	} {
		if code := f.Do(t, a); code != device.GripperRange {
			t.Errorf("%+v: %v", a, code)
		}
	}
	f.at(t, f.Stroke)
	within := device.GripperAction{Kind: device.GripperSoftLimits, Value: f.Stroke / 4, Outer: f.Stroke}
	inner := device.GripperAction{Kind: device.GripperMove, Width: f.Stroke / 8, Speed: speed}
	for _, step := range []struct {
		a    device.GripperAction
		want device.GripperCode
	}{
		{within, device.GripperGood},
		{inner, device.GripperRange},
		{device.GripperAction{Kind: device.GripperClearSoftLimits}, device.GripperGood},
		{inner, device.GripperGood},
	} {
		if code := f.Do(t, step.a); code != step.want {
			t.Errorf("%+v: %v, not %v", step.a, code, step.want)
		}
	}
}

func wsgGrasps(t *testing.T, f *Fingers) {
	t.Helper()
	const speed = 0.1
	width := f.Stroke / 2
	grasp := device.GripperAction{Kind: device.GripperGrasp, Width: width, Speed: speed}
	open := device.GripperAction{Kind: device.GripperRelease, Width: f.Stroke, Speed: speed}
	if code := f.Do(t, grasp); code != device.GripperFailed || f.Gripper().Grasping != device.GraspNoPart {
		t.Errorf("nothing to grasp: %v, %+v", code, f.Gripper())
	}
	if code := f.Do(t, open); code != device.GripperGood {
		t.Error(code)
	}
	force := device.GripperAction{Kind: device.GripperForceLimit, Value: 20}
	if code := f.Do(t, force); code != device.GripperGood {
		t.Error(code)
	}
	f.Part(width)
	if code := f.Do(t, grasp); code != device.GripperGood {
		t.Errorf("a part to grasp: %v", code)
	}
	f.at(t, width)
	if s := f.Gripper(); s.Grasping != device.GraspHolding || s.Force != 20 {
		t.Errorf("it holds a part: %+v", s)
	}
	f.Part(0)
	f.Step()
	if s := f.Gripper(); s.Grasping != device.GraspPartLost || s.Force != 0 {
		t.Errorf("the part is lost: %+v", s)
	}
	if code := f.Do(t, open); code != device.GripperGood {
		t.Error(code)
	}
	f.Part(width)
	for _, stop := range []bool{true, false} {
		code := f.Do(t, device.GripperAction{Kind: device.GripperMove, Width: 0, Speed: speed, StopOnBlock: stop})
		if s := f.Gripper(); code != device.GripperBlocked || s.Force > 0 == stop || s.Width != width {
			t.Errorf("something in the way, stop %v: %v, %+v", stop, code, s)
		}
	}
}

func wsgBusy(t *testing.T, f *Fingers) {
	t.Helper()
	move := device.GripperAction{Kind: device.GripperMove, Width: 0, Speed: 0.1}
	first := f.Begin(move)
	f.Step()
	if code := f.Do(t, device.GripperAction{Kind: device.GripperHome}); code != device.GripperBusy {
		t.Errorf("another action: %v", code)
	}
	f.Step()
	if ended, _ := f.Ended(first); ended {
		t.Error("it has ended another action")
	}
	if code := f.Do(t, device.GripperAction{Kind: device.GripperStop}); code != device.GripperGood {
		t.Errorf("a stop: %v", code)
	}
	if code := f.await(t, first); code != device.GripperAborted {
		t.Errorf("what was stopped: %v", code)
	}
	at := f.Gripper().Width
	f.at(t, at)
	if code := f.Do(t, move); code != device.GripperGood {
		t.Errorf("after a stop: %v", code)
	}
	f.at(t, 0)
}

func wsgAllocations(t *testing.T, f *Fingers) {
	t.Helper()
	n := alloc.Least(func() {
		ticket := f.Begin(device.GripperAction{Kind: device.GripperMove, Width: f.Stroke / 3, Speed: 0.1})
		for range 10 {
			f.Step()
		}
		_, _ = f.Ended(ticket)
		_ = f.Gripper()
		f.Begin(device.GripperAction{Kind: device.GripperStop})
		f.Step()
	})
	if n != 0 {
		t.Errorf("%d allocations in a cycle", n)
	}
}
