package directio

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/rcc"
)

const switchable = `{end=Core::BooleanNetcommIn(Key='end'),out=Core::BooleanNetcommOut(inValue=end.outValue,Key='end'),outTerminate=end.outValue}`

// largeNet has the size of the largest nets that are known: 1,350 primitives in 250 KB of text.
func largeNet() string {
	var b strings.Builder
	b.WriteString("{a_rather_long_name_of_a_primitive_0000=Core::DoubleValue(Value='0.5')")
	const primitives = 1350
	for i := 1; i < primitives; i++ {
		fmt.Fprintf(&b, ",a_rather_long_name_of_a_primitive_%04d=Core::DoubleAdd(inFirst=a_rather_long_name_of_a_primitive_%04d.outValue,"+
			"First='0.12345678901234567890123456789',Second='1234567890.12345678901234')", i, i-1)
	}
	b.WriteString(",outTerminate=Core::BooleanValue(Value='false').outValue}")
	return b.String()
}

// BenchmarkLoad measures from nene to READY over WebSocket.
func BenchmarkLoad(b *testing.B) { benchmarkLoad(b, largeNet()) }

// BenchmarkLoadLarge is the same with 50,000 primitives that are linked at random, of 3 MB.
func BenchmarkLoadLarge(b *testing.B) { benchmarkLoad(b, linkedNet(50_000)) }

func benchmarkLoad(b *testing.B, text string) {
	s, _ := serve(b, Config{})
	c := dial(b, s)
	defer c.leave()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		name := c.name(`nene("` + text + `")`)
		b.StopTimer()
		if n, err := s.core.Nets.Get(name); err != nil || n.State() != rcc.Ready {
			b.Fatal(err, n.Problems())
		}
		c.ask(fmt.Sprintf("gne(%q,1.0)", name))
		c.ask(fmt.Sprintf("neun(%q)", name))
		c.await(func(m string) bool { return strings.HasSuffix(m, `ns("UNLOADED")`) })
		b.StartTimer()
	}
}

// linkedNet has n primitives of several kinds, each of which needs some before it, in any order.
func linkedNet(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	entries := []string{"p0=Core::Clock()"}
	for i := 1; i < n; i++ {
		one, other := random.IntN(i), random.IntN(i)
		switch {
		case i%4 == 1:
			entries = append(entries, fmt.Sprintf("p%d=Core::DoubleMultiply(inFirst=p%d.outValue,Second='0.5')", i, one))
		case i%16 == 2:
			entries = append(entries, fmt.Sprintf("p%d=Core::DoublePre(inValue=p%d.outValue)", i, one))
		default:
			entries = append(entries, fmt.Sprintf("p%d=Core::DoubleAdd(inFirst=p%d.outValue,inSecond=p%d.outValue)", i, one, other))
		}
	}
	random.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return "{" + strings.Join(entries, ",") + ",outTerminate=Core::BooleanValue(Value='false').outValue}"
}

// BenchmarkLoadXML measures the same 1,350 primitives as BenchmarkLoad in XML, from the request to the answer over a connection that is
// kept alive.
func BenchmarkLoadXML(b *testing.B) {
	tree, err := grammar.ParseNet(largeNet(), grammar.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	document, err := xmlnet.Append(nil, tree)
	if err != nil {
		b.Fatal(err)
	}
	s, _ := serveBeside(b, Config{}, func(c *rcc.Core) http.Handler { return pages.Handler(c, pages.Options{}) })
	client := http.Client{Transport: &http.Transport{}}
	b.Cleanup(client.CloseIdleConnections)
	at := "http://" + s.Addr().String()
	post := func(to, media string, body []byte, status int) (location string) {
		answer, err := client.Post(at+to, media, bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != status {
			b.Fatal(err, string(text))
		}
		return answer.Header.Get("Location")
	}
	b.SetBytes(int64(len(document)))
	for b.Loop() {
		net := post("/nets/", "application/xml", document, http.StatusCreated)
		b.StopTimer()
		post(net+"unload", "", nil, http.StatusOK)
		b.StartTimer()
	}
}

func TestLargeNetLoads(t *testing.T) {
	s, _ := serve(t, Config{})
	c := dial(t, s)
	defer c.leave()
	text := largeNet()
	if len(text) < 240_000 || len(text) > 260_000 {
		t.Errorf("%d bytes", len(text))
	}
	n, err := s.core.Nets.Get(c.name(`nene("` + text + `")`))
	if err != nil {
		t.Fatal(err)
	}
	if n.State().String() != "READY" {
		t.Errorf("%s: %v", n.State(), n.Problems())
	}
}

// TestNetsLeaveNothingBehind takes nets through their lives over one connection.
func TestNetsLeaveNothingBehind(t *testing.T) {
	lives := 10_000
	switch {
	case runtime.GOMAXPROCS(0) == 1:
		lives = 300 // virtual time as fast as possible leaves others a hundredth of a second now and then
	case testing.Short():
		lives = 1_000
	}
	s, _ := serve(t, Config{})
	c := dial(t, s)
	defer c.leave()
	life := func() {
		net := c.name(`nene("` + switchable + `")`)
		c.ask(fmt.Sprintf("gne(%q,0.0)", net))
		c.ask(fmt.Sprintf("nest(%q)", net))
		c.ask(fmt.Sprintf("neab(%q)", net))
		if answer := c.ask(fmt.Sprintf("neun(%q)", net)); answer != "ok()" {
			t.Fatal(answer)
		}
		c.await(func(m string) bool { return strings.HasSuffix(m, `ns("UNLOADED")`) })
	}
	for range lives / 10 {
		life()
	}
	before := takeStock(t)
	for range lives {
		life()
	}
	after := takeStock(t)
	for late := time.Now().Add(patience); after.exceeds(before) && time.Now().Before(late); {
		after = takeStock(t) // what is about to go may take its time
	}
	if after.exceeds(before) {
		t.Errorf("before %+v, after %d nets %+v", before, lives, after)
	}
	if left := len(s.core.Nets.All()); left > 0 {
		t.Errorf("%d nets are left", left)
	}
}

// runtimeThreads is how many threads the runtime may start for its own needs; a leak would be one for each net.
const runtimeThreads = 10

type stock struct {
	goroutines, threads, files int
	heap                       int64
}

func (s stock) exceeds(before stock) bool {
	return s.goroutines > before.goroutines || s.files > before.files || s.threads > before.threads+runtimeThreads ||
		s.heap > before.heap+1<<20
}

func takeStock(t *testing.T) stock {
	runtime.GC()
	runtime.GC() // what finalizers have let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("descriptors cannot be counted: %v", err)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skipf("threads cannot be counted: %v", err)
	}
	return stock{runtime.NumGoroutine(), len(threads), len(files), int64(m.HeapAlloc)}
}
