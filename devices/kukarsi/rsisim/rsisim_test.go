package rsisim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
)

// pc answers a station as a test says. It is a network without delay: an answer arrives at once.
type pc struct {
	t       *testing.T
	now     int64
	ports   int
	newest  string
	answer  func(ipoc string, n int) string
	n       int
	waiting []byte
}

func (p *pc) Now() int64 { return p.now }

func (p *pc) Send(text []byte, foreign bool) {
	if foreign {
		return
	}
	p.newest = string(text)
	_, rest, found := strings.Cut(p.newest, "<IPOC>")
	if !found {
		return // garbage
	}
	ipoc, _, _ := strings.Cut(rest, "</IPOC>")
	p.n++
	if a := p.answer(ipoc, p.n); a != "" {
		p.waiting = []byte(a)
	}
}

func (p *pc) Wait(until int64) []byte {
	if a := p.waiting; a != nil {
		p.waiting = nil
		return a
	}
	p.now = max(p.now, until)
	return nil
}

func (p *pc) Renew() { p.ports++ }

// correct returns an answer that moves the first axis.
func correct(ipoc string, by float64) string {
	return fmt.Sprintf(`<Sen Type="ImFree"><AK A1="%.4f"/><IPOC>%s</IPOC></Sen>`, by, ipoc)
}

type bench struct {
	*rsisim.Station
	*pc
	events []string
}

func stand(t *testing.T, change func(o *rsisim.Options), answer func(ipoc string, n int) string) *bench {
	t.Helper()
	o := rsisim.Usual()
	o.ReadFirst = false
	if change != nil {
		change(&o)
	}
	b := &bench{pc: &pc{t: t, now: 1e18, answer: answer}}
	var err error
	b.Station, err = rsisim.NewStation(o, rsisim.Line{}, func(e rsisim.Event) { b.events = append(b.events, e.Event) })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) run(n int) *bench {
	for range n {
		b.Cycle(b.pc)
	}
	return b
}

func (b *bench) happened(event string) bool {
	for _, e := range b.events {
		if e == event {
			return true
		}
	}
	return false
}

// TestJudgement is what a real controller does not bear.
func TestJudgement(t *testing.T) {
	steady := func(speed float64) func(string, int) string { // degrees per cycle, begun slowly
		return func(ipoc string, n int) string {
			at, v := 0.0, 0.0
			for range n {
				v = min(v+0.01, speed)
				at += v
			}
			return correct(ipoc, at)
		}
	}
	for _, tt := range []struct {
		name   string
		change func(o *rsisim.Options)
		answer func(ipoc string, n int) string
		want   string
	}{
		{"good", nil, steady(0.3), ""},
		{"too fast", nil, steady(0.7), "KSS01102"},
		{"a jump", nil, func(ipoc string, n int) string { return correct(ipoc, float64(n/100)) }, "KSS01102"},
		{"a corner", nil, func(ipoc string, n int) string { return correct(ipoc, 0.5*float64(n/100)) }, "KSS01073"},
		{"beyond AXISCORRMON", func(o *rsisim.Options) { o.Most = []float64{5} }, steady(0.3), "AXISCORRMON"},
		{"beyond AXISCORR", func(o *rsisim.Options) { o.Upper = []float64{5} }, steady(0.3), "limited"},
		{"while positions are read", func(o *rsisim.Options) { o.ReadFirst = true }, steady(0.3), "moved"},
		{"an axis that is not there", nil, func(ipoc string, _ int) string {
			return `<Sen Type="ImFree"><EK E1="0.001"/><IPOC>` + ipoc + `</IPOC></Sen>`
		}, "no such axis"},
		{"another type", nil, func(ipoc string, _ int) string { return `<Sen Type="X"><IPOC>` + ipoc + `</IPOC></Sen>` }, "RSITimeout"},
		{"no XML", nil, func(string, int) string { return "<Sen" }, "RSITimeout"},
		{"another time", nil, func(string, int) string { return correct("1", 0) }, "RSITimeout"},
		{"nothing", nil, func(string, int) string { return "" }, "RSITimeout"},
		{"zero in between", func(o *rsisim.Options) { o.Hold = false }, func(ipoc string, n int) string {
			if n == 300 {
				return ""
			}
			return correct(ipoc, math.Min(0.01*float64(n), 2))
		}, "KSS01102"},
		{"held in between", nil, func(ipoc string, n int) string {
			if n%50 == 0 {
				return ""
			}
			return correct(ipoc, math.Min(0.01*float64(n), 2))
		}, ""},
		{"the end", nil, func(ipoc string, n int) string {
			return `<Sen Type="ImFree"><Stop>1</Stop><IPOC>` + ipoc + `</IPOC></Sen>`
		}, "stopped"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := stand(t, tt.change, tt.answer).run(400)
			if tt.want != "" && !b.happened(tt.want) || tt.want == "" && b.Phase() != rsisim.Moving {
				t.Errorf("%v, %+v", b.events, b.Status())
			}
		})
	}
}

// TestRelative: corrections add up, and a missing one is held or not.
func TestRelative(t *testing.T) {
	answer := func(ipoc string, n int) string {
		if n == 200 {
			return ""
		}
		return correct(ipoc, 0.01)
	}
	for hold, want := range map[bool]float64{false: 2.99, true: 3} {
		b := stand(t, func(o *rsisim.Options) { o.Relative, o.Hold = true, hold }, answer).run(300)
		if at := b.Status().Commands[0]; math.Abs(at-want) > 0.011 {
			t.Errorf("held %t: at %v, not %v", hold, at, want)
		}
	}
}

// TestLag: the whole loop takes about as long as measured at a real one, and can be made faster.
func TestLag(t *testing.T) {
	slow := func(ipoc string, n int) string { return correct(ipoc, 0.02*float64(n)) } // 5 degrees a second
	for lag, change := range map[time.Duration]func(o *rsisim.Options){
		120 * time.Millisecond: nil,
		20 * time.Millisecond:  func(o *rsisim.Options) { o.Bandwidth, o.Lag = 1/(math.Pi*0.02), 0 },
	} {
		b := stand(t, change, slow).run(600)
		fields, err := telegram.ParseFields("AIPos.A1 ASPos.A1", telegram.Double)
		if err != nil {
			t.Fatal(err)
		}
		r, err := telegram.NewReader("Rob", fields)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]telegram.Value, 2)
		if _, f := r.Read([]byte(b.newest), values); f != telegram.Good {
			t.Fatal(f)
		}
		if got := (values[1].Num - values[0].Num) / 5; math.Abs(got-lag.Seconds()) > 0.006 {
			t.Errorf("a lag of %v s, not %v", got, lag)
		}
	}
}

// TestSpellings: telegrams say the same however they are written.
func TestSpellings(t *testing.T) {
	fields, err := telegram.ParseFields("RIst.X AIPos.A2 EIPos.E6 Delay.D:LONG ProgStatus:LONG Digin.i4:BOOL", telegram.Double)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 20 {
		b := stand(t, func(o *rsisim.Options) {
			o.Seed, o.Shuffled, o.Spaced, o.Capitals = seed, seed%2 == 1, seed%3 == 1, seed%5 == 1
		}, func(ipoc string, _ int) string { return correct(ipoc, 0) })
		if err := b.Command("input 3 1"); err != nil {
			t.Fatal(err)
		}
		b.run(3)
		r, err := telegram.NewReader("Rob", fields)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]telegram.Value, len(fields))
		if _, f := r.Read([]byte(b.newest), values); f != telegram.Good {
			t.Fatalf("%v: %s", f, b.newest)
		}
		for i, want := range []float64{1088, -90, 0, 0, 2, 1} {
			if !values[i].Seen || values[i].Num != want {
				t.Errorf("%s is %+v, not %v", fields[i].Name(), values[i], want)
			}
		}
	}
}

// TestCommands: all of them are known by their usage, and wrong ones change nothing.
func TestCommands(t *testing.T) {
	b := stand(t, nil, func(ipoc string, _ int) string { return correct(ipoc, 0) }).run(10)
	for _, c := range rsisim.Commands() {
		if c[1] == "" || strings.ToLower(c[0][:1]) != c[0][:1] {
			t.Errorf("%q", c)
		}
	}
	for _, line := range []string{
		"", "lose 0", "lose-answers 2", "repeat 3", "late 5ms 1", "delay 1ms", "jitter 1ms", "loss 0.5", "answer-loss 0", "duplicate 1",
		"type X", "input 0 1", "pause 2", "garbage 3 2", "foreign 1 1", "power off", "power on", "start", "halt", "restart", "estop", "release",
	} {
		if err := b.Command(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		b.run(3)
	}
	for _, line := range []string{
		"loose 5", "lose", "lose -1", "lose x", "late 5", "late x 1", "delay -1s", "jitter 2h", "loss 2", "loss x", "power", "power perhaps",
		"input 9 1", "input x 1", "input 0 2", "analog 0 1", "start", "garbage 1",
	} {
		if err := b.Command(line); err == nil {
			t.Errorf("%s is taken", line)
		}
	}
}

// TestLines that cannot be.
func TestLines(t *testing.T) {
	for name, l := range map[string]rsisim.Line{
		"loss": {Loss: 2}, "lost answers": {AnswerLoss: -0.1}, "repetition": {Repeat: math.NaN()}, "delay": {Delay: -1}, "jitter": {Jitter: -1},
	} {
		if _, err := rsisim.NewStation(rsisim.Usual(), l, nil); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestOptions that cannot be.
func TestOptions(t *testing.T) {
	for name, change := range map[string]func(o *rsisim.Options){
		"cycle":     func(o *rsisim.Options) { o.Cycle = 0 },
		"axes":      func(o *rsisim.Options) { o.External = 7 },
		"start":     func(o *rsisim.Options) { o.Start = make([]float64, 13) },
		"timeout":   func(o *rsisim.Options) { o.Timeout = 0 },
		"step":      func(o *rsisim.Options) { o.Step = 0 },
		"precision": func(o *rsisim.Options) { o.Precision = 10 },
		"names":     func(o *rsisim.Options) { o.Actual = "" },
		"counting":  func(o *rsisim.Options) { o.Counting = "some" },
		"window":    func(o *rsisim.Options) { o.Window = -1 },
	} {
		o := rsisim.Usual()
		change(&o)
		if _, err := rsisim.New(o, nil); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestJitterAndLoss: of what is sent on a bad line some is late, some is lost, and the next session has another port.
func TestJitterAndLoss(t *testing.T) {
	b := stand(t, func(o *rsisim.Options) { o.Timeout = 1e6 }, func(ipoc string, _ int) string { return correct(ipoc, 0) })
	b.Loss, b.AnswerLoss, b.Repeat, b.Jitter = 0.1, 0.1, 0.1, 6*time.Millisecond
	b.run(2000)
	s := b.Status()
	if s.Late < 400 || s.Late > 1600 || s.Answers+s.Late != 2000 || !b.happened("late") || !b.happened("repeated") && !b.happened("late") {
		t.Errorf("%+v", s)
	}
	ports := b.ports
	if err := b.Restart(); err != nil {
		t.Fatal(err)
	}
	if b.run(3); b.ports != ports+1 {
		t.Errorf("%d ports", b.ports)
	}
}

// TestJumps: what an answer asks of an axis that it cannot do is counted, whatever the controller makes of it.
func TestJumps(t *testing.T) {
	b := stand(t, func(o *rsisim.Options) { o.Upper = []float64{0.01} }, func(ipoc string, n int) string {
		if n == 100 {
			return correct(ipoc, 20) // AXISCORR limits it to 0.01
		}
		return correct(ipoc, 0)
	}).run(200)
	if s := b.Status(); s.Jumps != 1 || !strings.Contains(s.Jump, "+20") || !b.happened("jump") || len(b.Jumps()) != 1 {
		t.Errorf("%d jumps, %q, %v", s.Jumps, s.Jump, b.events)
	}
	b = stand(t, func(o *rsisim.Options) { o.Hold = false }, func(ipoc string, n int) string {
		if n == 300 {
			return ""
		}
		return correct(ipoc, math.Min(0.01*float64(n), 2))
	}).run(400)
	if s := b.Status(); s.Jumps != 1 {
		t.Errorf("without HOLDON: %d jumps, %q", s.Jumps, s.Jump)
	}
	b = stand(t, nil, func(ipoc string, n int) string {
		if n%7 == 0 {
			return ""
		}
		return correct(ipoc, 0.01*float64(n))
	}).run(90)
	if s := b.Status(); s.Jumps != 0 || s.Late < 10 {
		t.Errorf("slowly, with losses: %d jumps, %q, %d late", s.Jumps, s.Jump, s.Late)
	}
}

// TestCounting: what telegrams say of late answers, and of commanded positions.
func TestCounting(t *testing.T) {
	missing := map[int]bool{3: true, 4: true, 6: true}
	for counting, want := range map[rsisim.Counting]string{
		rsisim.CountTotal: "0 0 0 1 2 2 3 3", rsisim.CountRow: "0 0 0 1 2 0 1 0", rsisim.CountZero: "0 0 0 0 0 0 0 0", rsisim.CountAbsent: "- - - - - - - -",
	} {
		var said []string
		var b *bench
		b = stand(t, func(o *rsisim.Options) { o.Counting, o.Programmed = counting, true }, func(ipoc string, n int) string {
			_, text, found := strings.Cut(b.newest, `<Delay D="`)
			if text, _, _ = strings.Cut(text, `"`); !found {
				text = "-"
			}
			said = append(said, text)
			if !strings.Contains(b.newest, `<ASPos A1="0.0000"`) {
				t.Errorf("%s", b.newest)
			}
			if missing[n] {
				return ""
			}
			return correct(ipoc, 0.01*float64(n))
		})
		if b.run(8); strings.Join(said, " ") != want {
			t.Errorf("%s: %v, want %s", counting, said, want)
		}
	}
}

// TestExchange: a controller that counts exchanges waits for answers, one with a window does not take late ones, and one that
// is paused says nothing and counts nothing.
func TestExchange(t *testing.T) {
	answer := func(ipoc string, _ int) string { return correct(ipoc, 0) }
	b := stand(t, func(o *rsisim.Options) { o.Exchange = time.Second }, answer)
	b.Delay = 50 * time.Millisecond
	begin := b.now
	if s := b.run(10).Status(); s.Answers != 10 || s.Late != 0 || b.now-begin != 500e6 {
		t.Errorf("%d answers, %d late, after %d ns", s.Answers, s.Late, b.now-begin)
	}
	b.LoseAnswers = 1
	begin = b.now
	if s := b.run(1).Status(); s.Late != 1 || b.now-begin != 1e9 {
		t.Errorf("%d late after %d ns", s.Late, b.now-begin)
	}

	b = stand(t, func(o *rsisim.Options) { o.Window = 2 * time.Millisecond }, answer)
	b.Delay = time.Millisecond
	b.run(5)
	b.Delay = 3 * time.Millisecond
	if s := b.run(5).Status(); s.Answers != 5 || s.Late != 5 || !b.happened("late") {
		t.Errorf("%d answers, %d late", s.Answers, s.Late)
	}

	b = stand(t, nil, answer).run(5)
	before := b.Status()
	if err := b.Command("pause 7"); err != nil {
		t.Fatal(err)
	}
	begin = b.now
	if s := b.run(7).Status(); s.IPOC != before.IPOC || s.Late != 0 || b.n != 5 || b.now-begin != 28e6 {
		t.Errorf("IPOC %d, %d late, %d telegrams, %d ns", s.IPOC, s.Late, b.n, b.now-begin)
	}
	if b.run(1); b.n != 6 {
		t.Errorf("%d telegrams", b.n)
	}
}
