package krc

import (
	"encoding/binary"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// limber has axes that can do anything, for tests of everything but the limits.
func limber(o RSIOptions) RSIOptions {
	o.Vel, o.Acc = make([]float64, Axes), make([]float64, Axes)
	for i := range o.Vel {
		o.Vel[i], o.Acc[i] = 1e6, 1e9
	}
	return o
}

// drive lets a controller go through cycles with an answer of one correction of axis 1 in each, or without answer where that is
// NaN. It returns the telegrams.
func drive(c *RSI, now *int64, corrections ...float64) (telegrams []string) {
	for _, by := range corrections {
		telegrams = append(telegrams, string(c.Begin(*now)))
		if by == by {
			c.Take(sen(c.IPOC(), [Axes]float64{by}), *now+1)
		}
		*now = c.Due()
		c.End(*now)
	}
	return telegrams
}

var missing = math.NaN()

// TestHold: what becomes of corrections when answers are missing.
func TestHold(t *testing.T) {
	for _, tt := range []struct {
		name        string
		o           RSIOptions
		corrections []float64
		sum         float64
		drifts      uint64
	}{
		{"absolute, held", RSIOptions{}, []float64{1, 2, missing, missing}, 2, 0},
		{"absolute, dropped", RSIOptions{HoldOn: Hold0}, []float64{1, 2, missing, missing}, 0, 1},
		{"relative, not added", RSIOptions{Relative: true}, []float64{1, 2, missing, missing}, 3, 0},
		{"relative, added again", RSIOptions{Relative: true, HoldOn: Hold1}, []float64{1, 2, missing, missing}, 7, 2},
	} {
		c, now := NewRSI(limber(tt.o)), Start
		drive(c, &now, tt.corrections...)
		if sum, _ := c.Held(); sum[0] != tt.sum || c.Figures().Drifts != tt.drifts || c.Judge().Count() != 0 {
			t.Errorf("%s: %v, %d drifts, %v", tt.name, sum[0], c.Figures().Drifts, c.Violations())
		}
	}
}

// TestDropIsJump: without HOLDON silence makes an arm jump that is away from where RSI began.
func TestDropIsJump(t *testing.T) {
	c, now := NewRSI(RSIOptions{HoldOn: Hold0}), Start
	for by := range 40 {
		drive(c, &now, float64(by)*0.01)
	}
	if n := c.Judge().Count(); n != 0 {
		t.Fatal(c.Violations())
	}
	drive(c, &now, missing)
	if n := c.Judge().Count(); n != 1 {
		t.Errorf("%d violations", n)
	}
}

func TestDelayElement(t *testing.T) {
	answers := []float64{0, missing, missing, 0, missing, 0, 0}
	for _, tt := range []struct {
		of   Delay
		want []string
	}{
		{DelayTotal, []string{`"0"`, `"0"`, `"1"`, `"2"`, `"2"`, `"3"`, `"3"`}},
		{DelayInRow, []string{`"0"`, `"0"`, `"1"`, `"2"`, `"0"`, `"1"`, `"0"`}},
		{DelayZero, []string{`"0"`, `"0"`, `"0"`, `"0"`, `"0"`, `"0"`, `"0"`}},
	} {
		c, now := NewRSI(RSIOptions{Delay: tt.of}), Start
		for i, telegram := range drive(c, &now, answers...) {
			if !strings.Contains(telegram, "<Delay D="+tt.want[i]+"/>") {
				t.Errorf("kind %d, cycle %d: %s", tt.of, i, telegram)
			}
		}
	}
	c, now := NewRSI(RSIOptions{Delay: DelayAbsent}), Start
	if telegram := drive(c, &now, missing, missing)[1]; strings.Contains(telegram, "Delay") {
		t.Error(telegram)
	}
}

func TestTimeout(t *testing.T) {
	for _, tt := range []struct {
		o       RSIOptions
		answers []float64
		on      bool
	}{
		{RSIOptions{Timeout: 3}, []float64{missing, 0, missing, 0}, true},
		{RSIOptions{Timeout: 3}, []float64{missing, 0, missing, 0, missing}, false},
		{RSIOptions{Timeout: 3, TimeoutInRow: true}, []float64{missing, missing, 0, missing, missing}, true},
		{RSIOptions{Timeout: 3, TimeoutInRow: true}, []float64{missing, missing, missing}, false},
		{RSIOptions{Timeout: 2, Again: 2}, []float64{missing, missing, missing, missing}, false},
		{RSIOptions{Timeout: 2, Again: 2}, []float64{missing, missing, missing, missing, 0}, true},
	} {
		c, now := NewRSI(tt.o), Start
		drive(c, &now, tt.answers...)
		if c.On() != tt.on {
			t.Errorf("%+v after %v: on is %t, %s", tt.o, tt.answers, c.On(), c.Why())
		}
	}
}

// TestWindow: an answer to an earlier telegram, a second one, and one behind the window do nothing.
func TestWindow(t *testing.T) {
	c, now := NewRSI(limber(RSIOptions{Window: 3 * time.Millisecond})), Start
	c.Begin(now)
	first := c.IPOC()
	c.Take(sen(first, [Axes]float64{1}), now+3e6+1)
	c.End(c.Due())
	c.Begin(c.Due())
	c.Take(sen(first, [Axes]float64{2}), now+5e6)
	c.Take(sen(c.IPOC(), [Axes]float64{3}), now+7e6)
	c.Take(sen(c.IPOC(), [Axes]float64{4}), now+7e6)
	c.Take([]byte("<Sen"), now+7e6)
	c.Take([]byte(strings.Replace(string(sen(c.IPOC(), [Axes]float64{5})), "ImFree", "Other", 1)), now+7e6)
	c.End(c.Due())
	sum, _ := c.Held()
	if f := c.Figures(); sum[0] != 3 || f.Late != 2 || f.Repeated != 1 || f.Garbage != 2 || f.Accepted != 1 || f.Missed != 1 {
		t.Errorf("sum %v, %+v", sum[0], f)
	}
}

func TestIPOC(t *testing.T) {
	stamps := func(o RSIOptions) (list []uint64) {
		c, now := NewRSI(o), Start
		for range 2 {
			drive(c, &now, 0, missing)
			list = append(list, c.IPOC())
			c.Restart(5)
			drive(c, &now, missing, missing, missing, missing, missing)
		}
		return list
	}
	for _, tt := range []struct {
		o    RSIOptions
		want [2]uint64
	}{
		{RSIOptions{First: 100}, [2]uint64{108, 108}},
		{RSIOptions{First: 100, GoesOn: true}, [2]uint64{108, 136}},
		{RSIOptions{First: 100, Step: 1, GoesOn: true}, [2]uint64{102, 109}},
		{RSIOptions{First: 100, Cycle: 12 * time.Millisecond}, [2]uint64{124, 124}},
		{RSIOptions{First: 100, Step: 1, Exchange: time.Second}, [2]uint64{102, 102}},
		{RSIOptions{First: 100, Step: 1, Exchange: time.Second, Resend: true}, [2]uint64{101, 101}},
	} {
		if got := stamps(tt.o); [2]uint64(got) != tt.want {
			t.Errorf("%+v: %d, want %d", tt.o, got, tt.want)
		}
	}
}

// TestExchange: a simulator waits for the answer, in time that does not count.
func TestExchange(t *testing.T) {
	c := NewRSI(RSIOptions{Exchange: time.Second})
	c.Begin(Start)
	if due := c.Due(); due != Start+1e9 {
		t.Errorf("due %d ns later", due-Start)
	}
	c.Take(sen(c.IPOC(), [Axes]float64{}), Start+50e6)
	if due := c.Due(); due != Start+4e6 {
		t.Errorf("answered, due %d ns later", due-Start)
	}
	if c.Figures().Accepted != 1 {
		t.Errorf("%+v", c.Figures())
	}
}

func TestPositions(t *testing.T) {
	for _, tt := range []struct {
		o    RSIOptions
		has  []string
		hasn string
	}{
		{RSIOptions{Precision: 2}, []string{`<AIPos A1="3.00" A2="-90.00"`, `<ASPos A1="3.00" A2`}, "none"},
		{RSIOptions{Precision: 1, Lag: 2, Setpoint: SetpointProgrammed}, []string{`<AIPos A1="1.0"`, `<ASPos A1="0.0"`}, "none"},
		{RSIOptions{Setpoint: SetpointAbsent}, []string{`<AIPos A1="3.0000"`}, "ASPos"},
		{RSIOptions{NoActual: true}, []string{`<ASPos A1="3.0000"`}, "AIPos"},
	} {
		c, now := NewRSI(limber(tt.o)), Start
		telegram := drive(c, &now, 1, 2, 3, 3)[3]
		for _, part := range tt.has {
			if !strings.Contains(telegram, part) || strings.Contains(telegram, tt.hasn) {
				t.Errorf("%+v: %s", tt.o, telegram)
			}
		}
	}
}

// TestFreeze: nothing counts, and the axes do not see it.
func TestFreeze(t *testing.T) {
	c, now := NewRSI(RSIOptions{}), Start
	drive(c, &now, 0.01, 0.03)
	ipoc := c.IPOC()
	_, before := c.Held()
	c.Freeze(3)
	if got := strings.Join(drive(c, &now, missing, missing, missing), ""); got != "" {
		t.Errorf("frozen, and says %s", got)
	}
	if _, speed := c.Held(); speed != before || c.IPOC() != ipoc || c.Figures().Missed != 0 {
		t.Errorf("speed %v, IPOC %d instead of %d, %+v", speed, c.IPOC(), ipoc, c.Figures())
	}
}

// TestRestart: the arm stays where it is commanded, and corrections begin at 0.
func TestRestart(t *testing.T) {
	c, now := NewRSI(limber(RSIOptions{})), Start
	drive(c, &now, 5, 7)
	c.Restart(1)
	c.Jog([Axes]float64{0, 1})
	telegrams := drive(c, &now, missing, 0)
	if want := `<ASPos A1="7.0000" A2="-89.0000"`; telegrams[0] != "" || !strings.Contains(telegrams[1], want) {
		t.Errorf("%q", telegrams)
	}
	if sum, _ := c.Held(); sum[0] != 0 || c.Judge().Count() != 0 {
		t.Errorf("%v, %v", sum, c.Violations())
	}
}

// TestStopBit: the driver can end RSI; the answer that says so takes effect.
func TestStopBit(t *testing.T) {
	c, now := NewRSI(limber(RSIOptions{})), Start
	drive(c, &now, 1)
	c.Begin(now)
	c.Take([]byte(strings.Replace(string(sen(c.IPOC(), [Axes]float64{2})), "<IPOC>", "<Stop>1</Stop><IPOC>", 1)), now)
	c.End(c.Due())
	if c.On() || c.Why() != "stopped by the driver" || c.Commanded()[0] != 2 {
		t.Errorf("on %t, %s, at %v", c.On(), c.Why(), c.Commanded())
	}
}

// fri drives an interface: each answer moves joint 0 by so much, NaN is none.
func fri(k *FRI, now *int64, count *uint16, steps ...float64) {
	for _, by := range steps {
		k.Begin(*now)
		if by == by {
			at, _ := k.Held()
			at[0] += by
			k.Take(friAnswerOf(count, k.Sent(), 1, at), *now+1)
		}
		*now = k.Due()
		k.End(*now)
	}
}

func friAnswerOf(count *uint16, reflected uint16, flags uint32, joints [FRIJoints]float64) []byte {
	*count++
	b := make([]byte, friAnswerSize)
	for i, v := range [...]uint16{*count, reflected, friAnswerSize, friAnswerID} {
		binary.LittleEndian.PutUint16(b[2*i:], v)
	}
	binary.LittleEndian.PutUint32(b[140:], flags)
	for i, v := range joints {
		binary.LittleEndian.PutUint32(b[144+4*i:], math.Float32bits(float32(v)))
	}
	return b
}

// commanding returns an interface in command mode.
func commanding(t *testing.T, o FRIOptions) (k *FRI, now int64, count uint16) {
	t.Helper()
	k, now = NewFRI(o), Start
	for range 99 {
		fri(k, &now, &count, 0)
	}
	if !k.Command() || k.Quality() != Perfect {
		t.Fatalf("command %t, quality %d", k.Command(), k.Quality())
	}
	return k, now, count
}

// TestBridge: single missing answers are bridged, more of them end command mode.
func TestBridge(t *testing.T) {
	const step = 2e-5
	for _, tt := range []struct {
		o       FRIOptions
		missing int
		command bool
		moved   float64
	}{
		{FRIOptions{}, 3, true, 3 * step},
		{FRIOptions{}, 4, false, 3 * step},
		{FRIOptions{Holds: true}, 2, true, 0},
		{FRIOptions{Bridge: -1}, 1, false, 0},
	} {
		k, now, count := commanding(t, tt.o)
		fri(k, &now, &count, step)
		before, _ := k.Held()
		for range tt.missing {
			fri(k, &now, &count, missing)
		}
		if at, _ := k.Held(); math.Abs(at[0]-before[0]-tt.moved) > 1e-6 || k.Command() != tt.command || k.Judge().Count() != 0 {
			t.Errorf("%+v: moved by %v, command %t, %v", tt.o, at[0]-before[0], k.Command(), k.Violations())
		}
	}
}

// TestInterruption: the end of command mode in motion is counted, and is not a violation.
func TestInterruption(t *testing.T) {
	k, now, count := commanding(t, FRIOptions{})
	for i := range 20 {
		fri(k, &now, &count, 8e-5*float64(i))
	}
	fri(k, &now, &count, missing, missing, missing, missing)
	if f := k.Figures(); f.Interruptions != 1 || f.Fastest < 0.5 || k.Judge().Count() != 0 {
		t.Errorf("%+v, %v", f, k.Violations())
	}
}

// TestRefused: what else ends command mode, or is not heard.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name    string
		o       FRIOptions
		answer  func(k *FRI, count *uint16) []byte
		command bool
	}{
		{"a jump", FRIOptions{}, func(k *FRI, n *uint16) []byte {
			at, _ := k.Held()
			at[0] += 0.1
			return friAnswerOf(n, k.Sent(), 1, at)
		}, true},
		{"a jump, strictly", FRIOptions{Strict: true}, func(k *FRI, n *uint16) []byte {
			at, _ := k.Held()
			at[0] += 0.1
			return friAnswerOf(n, k.Sent(), 1, at)
		}, false},
		{"no position", FRIOptions{}, func(k *FRI, n *uint16) []byte { at, _ := k.Held(); return friAnswerOf(n, k.Sent(), 0, at) }, false},
		{"beyond", FRIOptions{}, func(k *FRI, n *uint16) []byte { at, _ := k.Held(); at[0] = 3; return friAnswerOf(n, k.Sent(), 1, at) }, false},
		{"late", FRIOptions{}, func(k *FRI, n *uint16) []byte {
			at, _ := k.Held()
			at[0]++
			return friAnswerOf(n, k.Sent()-1, 1, at)
		}, true},
		{"short", FRIOptions{}, func(k *FRI, n *uint16) []byte { return []byte{1, 2} }, true},
		{"old", FRIOptions{Ordered: true}, func(k *FRI, n *uint16) []byte {
			*n -= 3
			at, _ := k.Held()
			at[0]++
			return friAnswerOf(n, k.Sent(), 1, at)
		}, true},
	} {
		k, now, count := commanding(t, tt.o)
		k.Begin(now)
		k.Take(tt.answer(k, &count), now)
		k.End(k.Due())
		if want := strings.HasPrefix(tt.name, "a jump"); k.Command() != tt.command || (k.Judge().Count() > 0) != want {
			t.Errorf("%s: command %t, %v", tt.name, k.Command(), k.Violations())
		}
	}
}

// TestTold: telegrams say what is commanded, at once or a cycle late, and which answer was received last, also when it was late.
func TestTold(t *testing.T) {
	f32 := func(b []byte, at int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at:])))
	}
	for _, behind := range []bool{false, true} {
		k, now, count := commanding(t, FRIOptions{Behind: behind})
		start, _ := k.Held()
		fri(k, &now, &count, 2e-5, 3e-5)
		want := start[0] + 5e-5
		if behind {
			want = start[0] + 2e-5
		}
		b := k.Begin(now)
		if told := f32(b, 292) + f32(b, 320); math.Abs(told-want) > 3e-7 {
			t.Errorf("behind %t: %.7f, want %.7f", behind, told, want)
		}
		k.Take(friAnswerOf(&count, k.Sent()-1, 1, start), now)
		k.End(k.Due())
		if b = k.Begin(k.Due()); binary.LittleEndian.Uint16(b[2:]) != count || k.Figures().Late != 1 {
			t.Errorf("reflects %d, want %d; %+v", binary.LittleEndian.Uint16(b[2:]), count, k.Figures())
		}
	}
}

// TestProgram: KRL decides about command mode, and talks with the driver.
func TestProgram(t *testing.T) {
	n := int32(0)
	k, now, count := NewFRI(FRIOptions{Program: func(in *KRL, command bool, quality int) (out KRL, start, stop bool) {
		n++
		out.Ints[3] = n
		return out, quality == Perfect && n >= 150, n == 170
	}}), Start, uint16(0)
	for i := range 180 {
		fri(k, &now, &count, 0)
		if want := i >= 149 && i != 169; k.Command() != want {
			t.Fatalf("cycle %d: command %t", i, k.Command())
		}
	}
	if got := int32(binary.LittleEndian.Uint32(k.Begin(now)[84:])); got != n {
		t.Errorf("int 3 is %d, want %d", got, n)
	}
}

// TestPower: without power nothing moves, whatever is commanded.
func TestPower(t *testing.T) {
	k, now, count := commanding(t, FRIOptions{Power: func(cycle uint64) bool { return cycle < 100 }})
	before, _ := k.Held()
	fri(k, &now, &count, 1)
	if after, _ := k.Held(); after != before || k.Judge().Count() != 0 {
		t.Errorf("%v instead of %v", after, before)
	}
	if power := binary.LittleEndian.Uint16(k.Begin(now)[180:]); power != 0 {
		t.Errorf("power %#x", power)
	}
}

// TestNet: the network keeps its promises, and does the same again with the same seed.
func TestNet(t *testing.T) {
	from := netip.MustParseAddrPort("192.168.10.2:50000")
	send := func(n *Net) (got []byte, at []int64) {
		for i := range byte(100) {
			n.Send(Out, from, []byte{i}, int64(i)*1000)
		}
		for {
			due, ok := n.Next()
			if !ok {
				return got, at
			}
			p, _ := n.Pop(due)
			got, at = append(got, p.Data[0]), append(at, due)
		}
	}
	for _, o := range []NetOptions{{}, {Jitter: 20 * time.Microsecond}, {Jitter: 20 * time.Microsecond, Loss: 0.3, Duplicate: 0.3, Age: time.Millisecond, Overtake: true}} {
		a, _ := send(NewNet(3, o))
		b, _ := send(NewNet(3, o))
		if string(a) != string(b) {
			t.Errorf("%+v: not the same again", o)
		}
		if ordered := isSorted(a); ordered == o.Overtake || !o.Overtake && len(a) != 100 {
			t.Errorf("%+v: %d parcels, ordered %t", o, len(a), ordered)
		}
	}
	n := NewNet(1, NetOptions{})
	n.Lose(Out, 3)
	n.Hold(Out, 1e6)
	got, at := send(n)
	if len(got) != 97 || got[0] != 3 || at[0] != 1e6 || at[96] != 1e6 {
		t.Errorf("%d parcels from %d to %d", len(got), at[0], at[96])
	}
	n.Replay(Out, 10, 3, 2e6)
	if p, ok := n.Pop(2e6); !ok || p.Data[0] != 87 || !p.Copy {
		t.Errorf("%+v", p)
	}
}

func isSorted(b []byte) bool {
	for i := range b[1:] {
		if b[i+1] < b[i] {
			return false
		}
	}
	return true
}

// TestEvents: a driver that hangs takes telegrams later than they arrived; strangers have another address; what a killed driver
// misses is lost.
func TestEvents(t *testing.T) {
	var longest, kills, strangers, junk int64
	s := Scenario{Cycles: 400, Events: []Event{
		{Cycle: 100, What: Hang, For: 30 * time.Millisecond},
		{Cycle: 150, What: Kill, For: 20 * time.Millisecond},
		{Cycle: 200, What: Stranger, N: 2},
		{Cycle: 250, What: Junk, N: 3},
		{Cycle: 300, What: RestartAt, N: 3},
	}}
	ports := map[uint16]bool{}
	r := Run(t, s, Driver{
		Answer: func(from netip.AddrPort, telegram []byte, arrived, taken int64) []byte {
			longest = max(longest, taken-arrived)
			if from.Addr() != Home() {
				strangers++
				return nil
			}
			ports[from.Port()] = true
			if !ipocOf.Match(telegram) {
				junk++
			}
			return standing(from, telegram, arrived, taken)
		},
		Kill: func(int64) { kills++ },
	})
	f := r.RSI.Figures()
	if longest < 27e6 || kills != 1 || strangers != 2 || junk != 3 || len(ports) != 2 || f.Missed < 11 || f.Missed > 14 || f.Sessions != 2 {
		t.Errorf("%d ns, %d kills, %d strangers, %d junk, ports %v, %+v", longest, kills, strangers, junk, ports, f)
	}
}

// TestStory: a failure says how to see it again.
func TestStory(t *testing.T) {
	s := Random(ProtocolRSI, 7)
	if text := s.String(); !strings.Contains(text, "seed 7") || !strings.Contains(text, "Timeout") {
		t.Error(text)
	}
	wild := Driver{Answer: func(_ netip.AddrPort, telegram []byte, _, _ int64) []byte {
		if m := ipocOf.FindSubmatch(telegram); m != nil {
			return []byte(`<Sen Type="ImFree"><AK A1="30"/><IPOC>` + string(m[1]) + `</IPOC></Sen>`)
		}
		return nil
	}}
	r := Play(s, wild)
	if story := strings.Join(r.Story, "\n"); r.Violations == 0 || !strings.Contains(story, "VIOLATION") || !strings.Contains(story, `A1="30"`) {
		t.Errorf("%d violations\n%s", r.Violations, story)
	}
}
