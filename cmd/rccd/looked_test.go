//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
)

// Bounds of how much more there may be at the end than after the warm-up. Two hundred values at 20 Hz are 64 kB a second in numbers alone,
// 230 MB in an hour, and one object of 100 bytes for each message more than 7 MB: a page that keeps either is found. Without that the memory
// moves by some hundred kB: code that was compiled, tables that are as large as they get.
const (
	heapGrows       = 4 << 20 // bytes of a page
	buffersGrow     = 1 << 20 // rings are as large from the beginning
	daemonGrows     = 8 << 20 // bytes of the heap at which the daemon collects, twice of what lives
	goroutinesCome  = 10      // for connections of HTTP that a browser opens or leaves open
	looks           = 3       // at the memory, of which the least counts
	shownValues     = 200
	besideEachOther = 2 * time.Second // looks at the memory
)

// TestHourOfLooking lets two pages look at a daemon for as long as RCCD_LOOK says, such as 1h: one has 200 values of a net of 1 ms at 20 Hz, the
// other a scope that captures what a net of 1 ms does in every cycle. Neither page may take more memory the longer it looks, nor may the daemon.
func TestHourOfLooking(t *testing.T) {
	lasts := 5 * time.Second
	if text := os.Getenv("RCCD_LOOK"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal("RCCD_LOOK: ", err)
		}
	}
	first, second := browser.Start(t), browser.Start(t)
	p, err := begin(context.WithoutCancel(t.Context()), t.TempDir(), "--listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err, p.log.String())
		}
	})
	watched, captured := p.run(t, positions(shownValues/2)), p.run(t, sine)
	p.post(t, "/scope/", strings.ReplaceAll(sineSetup, "NET", captured))

	values := first.Open(p.url + "/pride/#/scope")
	if strings.Contains(values.Do(`document.body.textContent`), "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	showAll(values, watched)
	scope := second.Open(p.url + "/pride/#/scope/sine")
	flow := func() {
		t.Helper()
		for tab, seen := range map[*browser.Tab]string{
			values: `document.querySelectorAll(".readings tbody tr")[150].cells[1].textContent`,
			scope:  `/Capture \d+/.exec(document.querySelector(".phase").textContent)[0]`,
		} {
			tab.Until(seen + ` !== ""`)
			was := tab.Do(seen)
			tab.Until(fmt.Sprintf(`%s !== %q`, seen, was))
		}
	}
	flow()
	<-time.After(min(lasts/10, 2*time.Minute))
	before := lookedAt(t, p, values, scope)
	t.Logf("load %s: after the warm-up %s", loadOf(t), before)
	<-time.After(lasts)
	flow()
	after := lookedAt(t, p, values, scope)
	t.Logf("load %s: after %v %s", loadOf(t), lasts, after)
	t.Log(values.Do(`document.querySelector(".phase").textContent`), "; ", scope.Do(`document.querySelector(".phase").textContent`))
	for i, name := range []string{"values", "scope"} {
		if grown := after.heap[i] - before.heap[i]; grown > heapGrows {
			t.Errorf("%s: the heap of the page has grown by %.0f bytes", name, grown)
		}
		if grown := after.buffers[i] - before.buffers[i]; grown > buffersGrow {
			t.Errorf("%s: the buffers of the page have grown by %.0f bytes", name, grown)
		}
	}
	if grown := after.daemon - before.daemon; grown > daemonGrows {
		t.Errorf("the heap of the daemon has grown by %.0f bytes", grown)
	}
	if more := after.goroutines - before.goroutines; more > goroutinesCome {
		t.Errorf("the daemon has %.0f goroutines more", more)
	}
}

// showAll adds all values of the net to the scope.
func showAll(tab *browser.Tab, net string) {
	const find, of = `document.querySelector(".picker input[type=search]")`, `document.querySelector(".picker select")`
	tab.Until(of + `.options.length > 1`)
	tab.Do(`Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(` + of + `, "` + net + `"); ` + of + `.dispatchEvent(new Event("change", { bubbles: true })); ""`)
	shown := 0
	for _, word := range []string{"way", "position"} {
		tab.Do(find + `.focus(); ` + find + `.select(); ""`)
		tab.Write(word)
		tab.Until(`document.querySelector(".offered li").textContent.startsWith("+ ` + word + `")`)
		for range shownValues / 2 {
			tab.Press(browser.Enter)
			shown++
			tab.Until(fmt.Sprintf(`document.querySelectorAll(".channels .swatch").length === %d`, shown))
		}
	}
	tab.Until(fmt.Sprintf(`document.querySelector(".phase").dataset.phase === "live" && document.querySelectorAll(".readings tbody tr").length === %d`, shownValues))
	tab.Until(`[...document.querySelectorAll(".readings tbody tr")].every((r) => /\d/.test(r.cells[1].textContent))`)
}

// sine is a net whose value passes zero five times a second.
const sine = `{time=Core::Clock(),angle=Core::DoubleMultiply(inFirst=time.outValue,Second='31.41592653589793'),sine=Core::DoubleSin(inValue=angle.outValue),` +
	`end=Cancel(),outTerminate=end.outCancel}`

const sineSetup = `{"name":"sine","channels":[{"name":"sine","source":{"net":"NET","path":"sine","port":"outValue"}}],"before":0.1,"after":0.099,"mode":"normal",` +
	`"trigger":{"kind":"edge","channel":"sine","slope":"rising"}}`

// looked is what everybody has of memory.
type looked struct {
	heap, buffers      []float64 // by page
	daemon, goroutines float64
}

func (l looked) String() string {
	const mb = 1 << 20
	return fmt.Sprintf("pages: heap %.1f and %.1f MB, buffers %.1f and %.1f MB; daemon: heap goal %.1f MB, %.0f goroutines",
		l.heap[0]/mb, l.heap[1]/mb, l.buffers[0]/mb, l.buffers[1]/mb, l.daemon/mb, l.goroutines)
}

// lookedAt looks several times, and takes the least of each.
func lookedAt(t *testing.T, p *process, tabs ...*browser.Tab) (least looked) {
	t.Helper()
	least = looked{heap: slices.Repeat([]float64{math.Inf(1)}, len(tabs)), buffers: slices.Repeat([]float64{math.Inf(1)}, len(tabs)), daemon: math.Inf(1), goroutines: math.Inf(1)}
	for range looks {
		for i, tab := range tabs {
			heap, buffers := tab.Memory()
			least.heap[i], least.buffers[i] = min(least.heap[i], heap), min(least.buffers[i], buffers)
		}
		least.daemon = min(least.daemon, p.metric(t, "go_gc_heap_goal_bytes"))
		least.goroutines = min(least.goroutines, p.metric(t, "go_goroutines"))
		<-time.After(besideEachOther)
	}
	return least
}

// run loads a net with a cycle of 1 ms, starts it and returns its name.
func (p *process) run(t *testing.T, text string) (name string) {
	t.Helper()
	a, err := http.Post(p.url+"/nets/?cycle=1ms", "text/plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	name = regexp.MustCompile(`rpinet\d+`).FindString(a.Header.Get("Location"))
	if name == "" {
		t.Fatal(a.Status, a.Header)
	}
	p.do(t, "/nets/"+name+"/start")
	return name
}

// metric reads a figure of the daemon.
func (p *process) metric(t *testing.T, name string) float64 {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s", name)
	}
	v, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// loadOf returns how many threads have wanted a CPU in the last minute.
func loadOf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	load, _, _ := strings.Cut(string(text), " ")
	return load
}
