package rcc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	memory "runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc"
)

// remembering is a small net with a history of so many seconds.
func remembering(seconds int) string {
	return fmt.Sprintf(`{c=Core::Clock(),h=Core::DoubleAtTime(inValue=c.outValue,MaxAge='%d',Age='1'),`+
		`o=Core::DoubleNetcommOut(Key='then',inValue=h.outValue),outTerminate=Core::BooleanValue().outValue}`, seconds)
}

func within(bytes int64) func(*rcc.Config) {
	return func(cfg *rcc.Config) { cfg.Quotas.Memory = budget.New(bytes) }
}

// Small nets with large histories are refused when there is no memory left for them, and take none then. Whoever unloads one makes
// room.
func TestMemoryOfNetsIsBounded(t *testing.T) {
	c := newCell(t, within(60<<20))
	text := remembering(10_000) // 1,000,000 cycles, 16 bytes each
	var nets []*rcc.Net
	for range 4 {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: text, Period: 10 * time.Millisecond})
		if err != nil {
			break
		}
		nets = append(nets, n)
	}
	if len(nets) != 3 {
		t.Fatalf("%d nets are loaded", len(nets))
	}
	before := c.Memory.Usage()
	_, err := c.Nets.Load(rcc.LoadRequest{Text: text, Period: 10 * time.Millisecond})
	const want = `net "rpinet4": it needs 15 MiB more for arrays and histories, and 46 MiB of the 60 MiB for all clients are in use: ` +
		`rpinet0 uses 15 MiB, rpinet1 uses 15 MiB, rpinet2 uses 15 MiB`
	if !errors.Is(err, rcc.ErrMemory) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if after := c.Memory.Usage(); after.Used != before.Used {
		t.Errorf("the refused net has taken %d bytes", after.Used-before.Used)
	}
	c.must(nets[0].Unload(t.Context()))
	c.advance(20 * time.Millisecond)
	c.load(text)
}

// The memory of a history is there before the net runs: pages that are not would be waited for in its cycles.
func TestHistoriesAreThereBeforeCycles(t *testing.T) {
	c := newCell(t)
	const large = 60 << 20
	memory.FreeOSMemory()
	before := resident(t)
	var nets []*rcc.Net
	for range 4 {
		nets = append(nets, c.load(remembering(10_000)))
	}
	if grown := resident(t) - before; grown < large/10*9 {
		t.Errorf("histories of %d bytes have taken %d bytes of the machine", large, grown)
	}
	for _, n := range nets {
		if n.State() != rcc.Ready {
			t.Errorf("%s is %v", n.Name(), n.State())
		}
	}
}

// resident is how much memory the process has of the machine.
func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		t.Skipf("nobody says how much memory the process has: %v", err)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// Nets that are loaded take no more than is accounted, all that belongs to them included.
func TestLoadedNetsAreAccounted(t *testing.T) {
	const copies = 100
	for name, text := range map[string]string{
		"smallest":   `{outTerminate=Core::BooleanValue().outValue}`,
		"on request": onRequest,
		"history":    remembering(10),
		"long text":  `{a=Core::DoubleNetcommOut(Key='` + strings.Repeat("x", 20_000) + `'),outTerminate=Core::BooleanValue().outValue}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			c.load(text) // what comes into being with the first one
			var used int64
			live := alloc.Live(func() int64 { return used }, func() any {
				before := c.Memory.Usage().Used
				var nets [copies]*rcc.Net
				for i := range nets {
					nets[i] = c.load(strings.Clone(text))
				}
				used = c.Memory.Usage().Used - before
				return &nets
			})
			if live > used {
				t.Errorf("%d nets take %d bytes, of which %d are accounted", copies, live, used)
			}
		})
	}
}

// Whatever becomes of nets, in the end nothing is in use.
func TestMemoryIsGivenBack(t *testing.T) {
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		if checks++; checks > 40 {
			return
		}
		b := budget.New(40 << 20)
		c := newCellWithout(t, func(cfg *rcc.Config) {
			cfg.Quotas = rcc.Quotas{Memory: b, Session: 30 << 20, Connection: 20 << 20, Nets: 6}
			cfg.Debug.Level = rcc.DebugAll
		})
		var nets []*rcc.Net
		var sessions []string
		texts := []string{
			onRequest, remembering(1), remembering(10_000), "{}", "{a=", `{a=Core::NoSuch(),outTerminate=Core::BooleanValue().outValue}`,
			`{r=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='rpinet0',RemoteKey='then'),outTerminate=Core::BooleanValue().outValue}`,
			`{a=Test::Actuator(Device='none'),outTerminate=Core::BooleanValue().outValue}`,
		}
		ctx := context.Background()
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if len(nets) == 0 || rapid.Bool().Draw(rt, "load") {
				req := rcc.LoadRequest{
					Text: rapid.SampledFrom(texts).Draw(rt, "text"), Period: time.Duration(rapid.SampledFrom([]int{0, 1, 10}).Draw(rt, "period")) * time.Millisecond,
					Connection: rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "connection"),
				}
				if len(sessions) > 0 {
					req.Session = rapid.SampledFrom(sessions).Draw(rt, "session")
				}
				if n, err := c.Nets.Load(req); err == nil {
					nets = append(nets, n)
				}
				continue
			}
			n := rapid.SampledFrom(nets).Draw(rt, "net")
			switch rapid.IntRange(0, 8).Draw(rt, "what") {
			case 0:
				_ = n.Start(ctx)
			case 1:
				_ = n.Abort(ctx)
			case 2:
				_ = n.Unload(ctx)
			case 3:
				_ = c.Clock.Advance(ctx, 20*time.Millisecond)
			case 4:
				_ = n.KeepPhases()
			case 5:
				_, _ = c.Nets.Eval(ctx, rcc.EvalRequest{Text: rapid.SampledFrom(texts).Draw(rt, "evaluated")})
			case 6:
				if twin, err := c.Twin(rcc.TwinOptions{}); err == nil {
					_, _ = twin.Nets.Load(rcc.LoadRequest{Text: remembering(100)})
					_ = twin.Close(closed())
				}
			case 7:
				if s, err := c.Sessions.Open(""); err == nil {
					sessions = append(sessions, s.Name())
				}
			case 8:
				_ = n.WithTree(func(*grammar.Node) error { return nil })
			}
		}
		for _, n := range nets {
			_ = n.Abort(ctx)
			_ = n.Unload(ctx)
		}
		_ = c.Clock.Advance(ctx, 50*time.Millisecond)
		_ = c.Changes.Settle(ctx)
		if u := b.Usage(); u.Used != 0 {
			rt.Fatalf("%+v", u)
		}
		if err := c.Close(closed()); err != nil {
			rt.Fatal(err)
		}
	})
	leak.None(t)
}

// A rejected net keeps its reasons and the beginning of its text, nothing of what it was made of.
func TestRejectedNetsKeepLittle(t *testing.T) {
	c := newCell(t)
	const copies = 40
	large := `{a=Core::NoSuch(Value='` + strings.Repeat("x", 200_000) + `'),` + strings.Repeat("b=Core::DoubleAdd(),", 5000) + "outTerminate=b.outValue}"
	live := alloc.Live(func() int64 { return copies << 10 }, func() any {
		var nets [copies]*rcc.Net
		for i := range nets {
			n, err := c.Nets.Load(rcc.LoadRequest{Text: strings.Clone(large), Description: strings.Clone(large)[:100]})
			c.must(err)
			if nets[i] = n; n.State() != rcc.Rejected || len(n.Problems()) < 2 {
				t.Fatalf("%v: %v", n.State(), n.Problems())
			}
		}
		return &nets
	})
	const each = 100 << 10 // a hundred reasons, and the beginning of the text
	if live > copies*each {
		t.Errorf("%d rejected nets of %d bytes keep %d bytes", copies, len(large), live)
	}
	n, _ := c.Nets.Load(rcc.LoadRequest{Text: large})
	if text := n.Text(); !n.Cut() || !strings.HasPrefix(text, "{a=Core::NoSuch(Value='xxx") || len(text) > 20_000 {
		t.Errorf("%d bytes of its text are kept: %.50s", len(text), text)
	}
	if used := c.Memory.Usage().Used; used != 0 {
		t.Errorf("they use %d bytes", used)
	}
}

// Rejected nets with long reasons are forgotten before there are many of them.
func TestLongReasonsAreForgotten(t *testing.T) {
	c := newCell(t)
	name := strings.Repeat("f", 900)
	var wrong strings.Builder
	for i := range 90 {
		fmt.Fprintf(&wrong, "%s%d=Core::NoSuch%s(),", name, i, name)
	}
	text := "{" + wrong.String() + "outTerminate=Core::BooleanValue().outValue}"
	for range 100 {
		_, err := c.Nets.Load(rcc.LoadRequest{Text: text})
		c.must(err)
	}
	nets := c.Nets.All()
	if len(nets) < 10 || len(nets) > 60 || nets[len(nets)-1].Name() != "rpinet99" {
		t.Errorf("%d are kept, the last is %s", len(nets), nets[len(nets)-1].Name())
	}
}

// Few nets are loaded at a time, some wait, and more are told to come again.
func TestLoadsAreBounded(t *testing.T) {
	c := newCell(t)
	const all = 400
	begun, release := make(chan struct{}, all), make(chan struct{})
	slow := func(text string, lim grammar.Limits) (*grammar.Node, error) {
		begun <- struct{}{}
		<-release
		return grammar.ParseNet(text, lim)
	}
	results := make(chan error, all)
	var done sync.WaitGroup
	for range all {
		done.Go(func() {
			_, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Parse: slow})
			results <- err
		})
	}
	refused := 0
	for range all - 4 - 256 { // those for which there is no place to wait
		err := <-results
		if !errors.Is(err, rcc.ErrBusy) {
			t.Fatal(err)
		}
		refused++
	}
	for range 4 {
		<-begun
	}
	if n := len(begun); n != 0 {
		t.Errorf("%d more are loaded at the same time", n)
	}
	close(release)
	done.Wait()
	close(results)
	for err := range results {
		c.must(err)
	}
	if n := len(c.Nets.All()); n != all-refused {
		t.Errorf("%d nets are loaded", n)
	}
}

// One client cannot take everything.
func TestClientsHaveQuotas(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) {
		cfg.Quotas = rcc.Quotas{Memory: budget.New(100 << 20), Session: 40 << 20, Connection: 20 << 20, Nets: 3}
	})
	s, err := c.Sessions.Open("greedy")
	c.must(err)
	load := func(text, session, connection string) error {
		_, err := c.Nets.Load(rcc.LoadRequest{Text: text, Period: 10 * time.Millisecond, Session: session, Connection: connection})
		return err
	}
	large := remembering(10_000)
	c.must(load(large, s.Name(), "127.0.0.1:1"))
	c.must(load(large, s.Name(), "127.0.0.1:2"))
	const bySession = `net "rpinet2": it needs 15 MiB more for arrays and histories, and session "s1" uses 31 MiB of its 40 MiB`
	if err := load(large, s.Name(), "127.0.0.1:3"); err == nil || err.Error() != bySession {
		t.Errorf("%v\nwant %s", err, bySession)
	}
	c.must(load(large, "", "127.0.0.1:1"))
	if err := load(large, "", "127.0.0.1:1"); !errors.Is(err, rcc.ErrMemory) || !strings.Contains(err.Error(), `connection "127.0.0.1:1" uses 15 MiB of its 20 MiB`) {
		t.Error(err)
	}
	c.must(load(large, "", "127.0.0.1:2"))
	c.must(load(onRequest, s.Name(), ""))
	const byNumber = `net: session "s1" has 3 nets, limit 3 of 1024 for all clients`
	if err := load(onRequest, s.Name(), ""); !errors.Is(err, rcc.ErrTooMany) || err.Error() != byNumber {
		t.Errorf("%v\nwant %s", err, byNumber)
	}
	c.must(load(onRequest, "", ""))
	if u := c.Memory.Usage(); u.Most != 100<<20 || u.Used > math.MaxInt32 {
		t.Errorf("%+v", u)
	}
}

// Messages that are being received come from the same memory.
func TestMessagesAreAccounted(t *testing.T) {
	c := newCell(t, within(1<<20))
	r := c.Memory.Receive("127.0.0.1:1")
	c.must(r.Take(1 << 20))
	const want = `message of 127.0.0.1:2: it needs 1 bytes more for requests, and 1.0 MiB of the 1.0 MiB for all clients are in use: message of 127.0.0.1:1 uses 1.0 MiB`
	other := c.Memory.Receive("127.0.0.1:2")
	if err := other.Take(1); !errors.Is(err, rcc.ErrMemory) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	r.Done()
	c.must(other.Take(1))
	r.Close()
	other.Close()
	if used := c.Memory.Usage().Used; used != 0 {
		t.Errorf("%d bytes are left", used)
	}
}
