//go:build linux

package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The benchmarks of this file run one net at 1 ms, for some seconds alone and then beside many clients, again and again:
// what changes between the two, the clients have done to the cycle. The clients are programs of the same machine, so that
// their own work counts, too.

const (
	besideRounds = 6
	besideLasts  = 5 * time.Second
)

// spread are the times of an executor, by the classes of its histogram.
type spread struct {
	Histogram []struct {
		From, To float64 // ms
		Count    uint64
	}
}

// ticking is what an executor has done in some phases.
type ticking struct {
	ticks, late, missed uint64
	wakeup, busy        map[float64]uint64 // by the end of the class
}

func (m *subject) ticking(period time.Duration) ticking {
	var page struct {
		Executors []struct {
			Period              string
			Ticks, Late, Missed uint64
			Wakeup, Busy        spread
		}
	}
	m.get("/realtime/", &page)
	for _, e := range page.Executors {
		if e.Period == period.String() {
			return ticking{e.Ticks, e.Late, e.Missed, e.Wakeup.classes(), e.Busy.classes()}
		}
	}
	m.Fatalf("no executor of %v", period)
	return ticking{}
}

func (s spread) classes() map[float64]uint64 {
	counts := map[float64]uint64{}
	for _, c := range s.Histogram {
		counts[c.To] = c.Count
	}
	return counts
}

// add adds what has happened between two looks.
func (t *ticking) add(before, after ticking) {
	t.ticks += after.ticks - before.ticks
	t.late += after.late - before.late
	t.missed += after.missed - before.missed
	if t.wakeup == nil {
		t.wakeup, t.busy = map[float64]uint64{}, map[float64]uint64{}
	}
	for to, count := range after.wakeup {
		t.wakeup[to] += count - before.wakeup[to]
	}
	for to, count := range after.busy {
		t.busy[to] += count - before.busy[to]
	}
}

// below returns the time in µs below which a part of the values is.
func below(classes map[float64]uint64, part float64) float64 {
	var total, seen uint64
	ends := []float64{}
	for to, count := range classes {
		total += count
		ends = append(ends, to)
	}
	slices.Sort(ends)
	for _, to := range ends {
		if seen += classes[to]; float64(seen) >= part*float64(total) {
			return 1000 * to
		}
	}
	return 0
}

func (t *ticking) report(b *testing.B, name string) {
	b.ReportMetric(float64(t.ticks), name+"-ticks")
	b.ReportMetric(float64(t.late), name+"-late")
	b.ReportMetric(float64(t.missed), name+"-missed")
	for _, p := range []struct {
		unit string
		part float64
	}{{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}} {
		b.ReportMetric(below(t.wakeup, p.part), name+"-wakeup-"+p.unit+"-µs")
		b.ReportMetric(below(t.busy, p.part), name+"-busy-"+p.unit+"-µs")
	}
}

// beside alternates between phases without and with clients.
func (m *subject) beside(net string, clients func(ctx context.Context, name string)) (alone, busy ticking) {
	const period = time.Millisecond
	name := m.call().run(net, period)
	<-time.After(time.Second)
	for m.Loop() {
		for range besideRounds {
			before := m.ticking(period)
			<-time.After(besideLasts)
			between := m.ticking(period)
			alone.add(before, between)
			ctx, cancel := context.WithTimeout(context.Background(), besideLasts)
			clients(ctx, name)
			cancel()
			busy.add(between, m.ticking(period))
		}
	}
	m.ReportMetric(0, "ns/op")
	alone.report(m.B, "alone")
	busy.report(m.B, "busy")
	m.tell()
	return alone, busy
}

// BenchmarkEvalBeside has 1,000 evaluations a second of a net of ten primitives that reads the running one.
func BenchmarkEvalBeside(b *testing.B) {
	const connections, each = 4, 250
	m := newSubject(b, "")
	var mu sync.Mutex
	var times []float64
	m.beside(fifty(), func(ctx context.Context, name string) {
		var done sync.WaitGroup
		for range connections {
			done.Go(func() {
				took := m.evaluate(ctx, evalNet(name), time.Second/each)
				mu.Lock()
				defer mu.Unlock()
				times = append(times, took...)
			})
		}
		done.Wait()
	})
	slices.Sort(times)
	b.ReportMetric(float64(len(times))/(besideRounds*besideLasts.Seconds()), "evals/s")
	b.ReportMetric(times[len(times)/2], "eval-p50-µs")
	b.ReportMetric(times[len(times)*99/100], "eval-p99-µs")
}

// evaluate sends a net over one connection again and again, and returns how long the answers took, in µs.
func (m *subject) evaluate(ctx context.Context, net string, every time.Duration) (times []float64) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport}
	body := "dionet=" + url.QueryEscape(net)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return times
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+"/eval/", strings.NewReader(body))
		if err != nil {
			m.Error(err)
			return times
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		at := time.Now()
		answer, err := client.Do(request)
		if err != nil {
			return times // the time is over
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			return times
		}
		if !strings.Contains(string(text), `key="outSum"`) {
			m.Errorf("%s", text)
			return times
		}
		times = append(times, float64(time.Since(at).Nanoseconds())/1000)
	}
}

// evalNet returns a net of ten primitives that asks for values of another one.
func evalNet(other string) string {
	from := "(RemoteRCC='',RemoteNet='" + other + "',RemoteKey='position%s')"
	read := func(key string) string { return "Core::DoubleInterNetcommIn" + strings.Replace(from, "%s", key, 1) }
	return "{a=" + read("0") + ",b=" + read("1") + ",c=" + read("2") + ",ab=Core::DoubleAdd(inFirst=a.outValue,inSecond=b.outValue)," +
		"sum=Core::DoubleAdd(inFirst=ab.outValue,inSecond=c.outValue),half=Core::DoubleMultiply(inFirst=sum.outValue,Second='0.5')," +
		"high=Core::DoubleGreater(inFirst=half.outValue,Second='10'),turned=Core::DoubleSin(inValue=half.outValue)," +
		"on=Core::BooleanNot(inValue=high.outValue),chosen=Core::DoubleConditional(inCondition=on.outValue,inTrue=turned.outValue,inFalse=half.outValue)," +
		"outSum=chosen.outValue,outOn=on.outValue}"
}

// BenchmarkWatchesBeside has 100 browsers on the running net: each watches its values over a connection, and looks at the
// page for the figures every two seconds.
func BenchmarkWatchesBeside(b *testing.B) {
	const browsers = 100
	m := newSubject(b, "")
	var heard, looked atomic.Int64
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: browsers}}
	defer client.CloseIdleConnections()
	m.beside(fifty(), func(ctx context.Context, name string) {
		var looking sync.WaitGroup
		for range browsers {
			c := m.call()
			c.ask("gne(%q,0.05)", name)
			go c.listen(func() { heard.Add(1) })
			defer func() { _ = c.ws.Close() }()
			looking.Go(func() {
				for m.look(ctx, &client, name) {
					looked.Add(1)
					select {
					case <-time.After(2 * time.Second):
					case <-ctx.Done():
					}
				}
			})
		}
		<-ctx.Done()
		looking.Wait()
	})
	b.ReportMetric(float64(heard.Load())/(besideRounds*besideLasts.Seconds()), "messages/s")
	b.ReportMetric(float64(looked.Load())/(besideRounds*besideLasts.Seconds()), "pages/s")
}

// look reads the page of a net as a browser does, as long as there is time.
func (m *subject) look(ctx context.Context, client *http.Client, name string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url+"/nets/"+name+"/", nil)
	if err != nil {
		m.Error(err)
		return false
	}
	request.Header.Set("Accept", "text/html")
	answer, err := client.Do(request)
	if err != nil {
		return false // the time is over
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK
}
