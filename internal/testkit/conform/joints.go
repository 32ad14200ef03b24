package conform

import (
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Mechanism is a device with joints that a test moves.
type Mechanism struct {
	device.MultiJoint
	// Cycle lets the next cycle of the device pass, in which it sees what has been commanded for Now. Joints are powered.
	Cycle func()
	// Now is the instant of the net whose cycle comes before that of the device.
	Now func() device.Instant
	// Follows is how many cycles measured values are behind commanded ones at most.
	Follows int
}

// Simulated is a device with joints that lives in the time of the cell.
type Simulated interface {
	device.MultiJoint
	device.Cyclic
}

// Ticking makes a mechanism of one.
func Ticking(d Simulated) *Mechanism {
	period := d.Period()
	t := device.Tick{Time: tick, Period: period.Seconds()}
	return &Mechanism{
		MultiJoint: d, Follows: 500,
		Now: func() device.Instant { return device.Instant{Time: t.Time, Period: t.Period, Cycle: t.N + 1} },
		Cycle: func() {
			t.N++
			t.Time += int64(period)
			d.Tick(t)
		},
	}
}

// Joints checks joints that may be moved by a few hundredths of a rad or m from where they are, with a velocity of 0.05/s.
func Joints(t *testing.T, open func(t *testing.T) *Mechanism) {
	t.Helper()
	t.Run("announced", func(t *testing.T) { jointsAnnounced(t, open(t)) })
	t.Run("positions", func(t *testing.T) { jointsPositions(t, open(t)) })
	t.Run("follow", func(t *testing.T) { jointsFollow(t, open(t)) })
	t.Run("aborted", func(t *testing.T) { jointsAborted(t, open(t)) })
	t.Run("refused", func(t *testing.T) { jointsRefused(t, open(t)) })
	t.Run("beyond", func(t *testing.T) { jointsBeyond(t, open(t)) })
	t.Run("tools", func(t *testing.T) { jointsTools(t, open(t)) })
	t.Run("allocations", func(t *testing.T) { jointsAllocations(t, open(t)) })
	t.Run("together", func(t *testing.T) { jointsTogether(t, open(t)) })
}

func jointsAnnounced(t *testing.T, m *Mechanism) {
	t.Helper()
	want := strconv.Itoa(m.Joints())
	for _, name := range []string{device.RobotArm, device.MultiJointAlias} {
		found := false
		for _, i := range m.Interfaces() {
			found = found || i.Name == name && i.Params["jointcount"] == want
		}
		if !found {
			t.Errorf("%v does not announce %s with jointcount %s, without which clients refuse to work", m.Interfaces(), name, want)
		}
	}
}

func jointsPositions(t *testing.T, m *Mechanism) {
	t.Helper()
	for j := range m.Joints() {
		for position, want := range map[float64]device.PositionFault{
			m.Joint(j).Commanded.Pos: device.PositionGood, 1e9: device.PositionOutOfRange, -1e9: device.PositionOutOfRange,
			math.Inf(1): device.PositionNotANumber, math.Inf(-1): device.PositionNotANumber,
		} {
			if got := m.CheckPosition(j, position); got != want {
				t.Errorf("joint %d at %v: %v, not %v", j, position, got, want)
			}
		}
		if got := m.CheckPosition(j, math.NaN()); got != device.PositionNotANumber {
			t.Errorf("joint %d at NaN: %v", j, got)
		}
	}
}

// way is a motion of a hundredth within a second, without a jump of velocity or acceleration, that comes back.
const way = 0.01

func swing(from float64, k int, period float64) float64 {
	s := float64(k) * period
	if s >= 1 {
		return from
	}
	return from + way*math.Pow(math.Sin(math.Pi*s), 4)
}

// inward returns the direction in which a joint has room.
func inward(m *Mechanism, j int, from float64) float64 {
	if m.CheckPosition(j, from+2*way) == device.PositionGood {
		return 1
	}
	return -1
}

func jointsFollow(t *testing.T, m *Mechanism) {
	t.Helper()
	for j := range m.Joints() {
		from := m.Joint(j).Commanded.Pos
		side, period := inward(m, j, from), m.Now().Period
		farthest := 0.0
		for k := 0; float64(k)*period < 1.1; k++ {
			to := from + side*swing(0, k, period)
			m.CommandPosition(j, to, m.Now())
			m.Cycle()
			s := m.Joint(j)
			if s.Fault != device.JointGood {
				t.Fatalf("joint %d at %v: %v", j, to, s.Fault)
			}
			if away := math.Abs(s.Commanded.Pos - to); away > way/10 {
				t.Fatalf("joint %d is commanded %v instead of %v", j, s.Commanded.Pos, to)
			}
			farthest = max(farthest, math.Abs(s.Measured.Pos-from))
		}
		if farthest < way/3 || farthest > 2*way {
			t.Errorf("joint %d has moved by %v instead of %v", j, farthest, way)
		}
		for range m.Follows {
			m.Cycle()
		}
		if s := m.Joint(j); math.Abs(s.Commanded.Pos-from) > 1e-9 || math.Abs(s.Measured.Pos-from) > way/10 || s.Commanded.Vel != 0 {
			t.Errorf("joint %d is not back at %v: %+v", j, from, s)
		}
	}
}

// jointsAborted lets the net go away in full motion.
func jointsAborted(t *testing.T, m *Mechanism) {
	t.Helper()
	from, period := m.Joint(0).Commanded.Pos, m.Now().Period
	side := inward(m, 0, from)
	var last, vel float64
	for k := 0; float64(k)*period < 0.3; k++ {
		m.CommandPosition(0, from+side*swing(0, k, period), m.Now())
		m.Cycle()
		c := m.Joint(0).Commanded
		last, vel = c.Pos, c.Vel
	}
	if vel == 0 {
		t.Fatal("it does not move")
	}
	start, fastest := last, math.Abs(vel)
	for range m.Follows {
		m.Cycle()
		at := m.Joint(0).Commanded.Pos
		if step := math.Abs(at - last); step > fastest*period*1.2 {
			t.Fatalf("it goes from %v to %v in one cycle", last, at)
		}
		last = at
	}
	if c := m.Joint(0); c.Commanded.Vel != 0 || c.Fault != device.JointGood || math.Abs(last-start) > 3*way {
		t.Errorf("%+v after an abort at %v", c, start)
	}
}

// jointsRefused commands what is not allowed: nothing jumps, the joint reports why, and obeys the next net.
func jointsRefused(t *testing.T, m *Mechanism) {
	t.Helper()
	for name, bad := range map[string]float64{"a jump": 0.3, "out of range": 1e9, "no number": math.NaN(), "infinite": math.Inf(-1)} {
		from, period := m.Joint(0).Commanded.Pos, m.Now().Period
		side := inward(m, 0, from)
		last := from
		for k := range 40 {
			to := from + side*swing(0, k, period)
			if k >= 20 {
				to = from + side*bad
			}
			m.CommandPosition(0, to, m.Now())
			m.Cycle()
			c := m.Joint(0)
			if step := math.Abs(c.Commanded.Pos - last); !(step < 0.1*period+1e-9) {
				t.Fatalf("%s: it goes from %v to %v", name, last, c.Commanded.Pos)
			}
			last = c.Commanded.Pos
			if k > 22 && c.Fault == device.JointGood {
				t.Fatalf("%s: no fault in cycle %d", name, k)
			}
		}
		for range m.Follows {
			m.Cycle()
		}
		c := m.Joint(0)
		if c.Fault != device.JointGood || c.Commanded.Vel != 0 {
			t.Fatalf("%s: %+v when nobody commands any more", name, c)
		}
		m.CommandPosition(0, c.Commanded.Pos, m.Now())
		m.Cycle()
		if f := m.Joint(0).Fault; f != device.JointGood {
			t.Errorf("%s: the next net hears of %v", name, f)
		}
	}
}

// jointsBeyond uses joints that are not there.
func jointsBeyond(t *testing.T, m *Mechanism) {
	t.Helper()
	for _, j := range []int{-1, m.Joints(), math.MaxInt, math.MinInt} {
		m.CommandPosition(j, 0, m.Now())
		m.SetTool(j, device.Tool{})
		if done, fault := m.ToolDone(j, 1); done || fault == 0 {
			t.Errorf("joint %d has a tool", j)
		}
		if m.CheckPosition(j, 0) == device.PositionGood || m.Joint(j).Fault == device.JointGood {
			t.Errorf("joint %d is there", j)
		}
	}
}

func jointsTools(t *testing.T, m *Mechanism) {
	t.Helper()
	j := m.Joints() - 1
	ticket := m.SetTool(j, device.Tool{Mass: 0.1})
	for k := 0; ; k++ {
		done, fault := m.ToolDone(j, ticket)
		if fault != 0 || k > 100*m.Follows {
			t.Fatalf("tool: fault %d", fault)
		}
		if done {
			break
		}
		m.Cycle()
	}
	ticket = m.SetTool(j, device.Tool{Mass: math.NaN()})
	for range m.Follows {
		m.Cycle()
	}
	if done, fault := m.ToolDone(j, ticket); done || fault == 0 {
		t.Error("a mass that is not a number was accepted")
	}
}

func jointsAllocations(t *testing.T, m *Mechanism) {
	t.Helper()
	at := m.Joint(0).Commanded.Pos
	if n := alloc.Least(func() {
		for j := range m.Joints() {
			_ = m.CheckPosition(j, at)
			_ = m.Joint(j)
		}
		m.CommandPosition(0, at, m.Now())
		_, _ = m.ToolDone(0, m.SetTool(0, device.Tool{}))
		m.Cycle()
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// jointsTogether looks at joints from everywhere while they move.
func jointsTogether(t *testing.T, m *Mechanism) {
	t.Helper()
	from, period := m.Joint(0).Commanded.Pos, m.Now().Period
	side := inward(m, 0, from)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := m.Joint(0)
				if math.Abs(s.Commanded.Pos-from) > 2*way || math.Abs(s.Measured.Pos-from) > 3*way || m.Status().State == device.Offline {
					t.Errorf("seen beside: %+v", s)
					return
				}
			}
		})
	}
	for k := range 1000 {
		m.CommandPosition(0, from+side*swing(0, k, period), m.Now())
		m.Cycle()
	}
	close(stop)
	readers.Wait()
}
