// Package browser lets tests use pages as people do, in a Chromium without a window. Where there is none, they skip themselves.
//
// A page that complains fails the test: an exception, an error in its console, a violated policy. So does a page that asks another
// host than the one that it came from: whatever the daemon shows must work on a machine without internet.
package browser

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// patience bounds how long a test waits for a page that will never be as expected.
const patience = time.Minute

// names are those under which Chromium is installed.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// Browser is a Chromium that ends with its test.
type Browser struct {
	t   testing.TB
	ctx context.Context //nolint:containedctx // the handle by which the protocol knows a browser
}

// Start starts Chromium, or skips the test where it is missing.
func Start(t testing.TB) *Browser {
	t.Helper()
	program := installed()
	if program == "" {
		t.Skip("skip: no chromium: pages are not looked at")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1200, 1400))
	all, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, closing := chromedp.NewContext(all)
	t.Cleanup(closing)
	if err := chromedp.Do(ctx); err != nil {
		t.Skipf("skip: chromium does not run here: %v", err)
	}
	return &Browser{t: t, ctx: ctx}
}

func installed() string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// CPU is how many seconds the processes of the browser have run together, for benchmarks.
func (b *Browser) CPU() (seconds float64) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	got, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, p := range got.ProcessInfo {
		seconds += p.CPUTime
	}
	return seconds
}

// Tab is a page of the browser.
type Tab struct {
	t    testing.TB
	ctx  context.Context //nolint:containedctx // the handle by which the protocol knows a tab
	host string

	pressed bool // the left button of the mouse

	mu         sync.Mutex
	complaints []string
}

// Open opens a page and waits until its scripts have run.
func (b *Browser) Open(address string) *Tab {
	b.t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, closing := chromedp.NewContext(b.ctx)
	p := &Tab{t: b.t, ctx: ctx, host: at.Host}
	b.t.Cleanup(func() {
		closing()
		p.report()
	})
	if err := chromedp.Do(ctx); err != nil {
		b.t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		b.t.Fatal(err)
	}
	p.Go(address)
	return p
}

// Go opens another page in the tab.
func (p *Tab) Go(address string) {
	p.t.Helper()
	call(p, page.Navigate, page.NavigateParams{URL: address})
	p.Until(`location.href !== "about:blank" && document.readyState === "complete"`)
}

// hear takes what the browser says about the page, on the goroutine that reads it.
func (p *Tab) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request != nil {
			p.asked(e.Request.URL)
		}
	case *network.EventWebSocketCreated:
		p.asked(e.URL)
	case *runtime.EventExceptionThrown:
		p.complain(fmt.Sprintf("exception: %s", marshal(e.ExceptionDetails)))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			p.complain(fmt.Sprintf("console: %s", marshal(e.Args)))
		}
	default:
		p.hearLog(event)
	}
}

// asked remembers a request to another host as a complaint.
func (p *Tab) asked(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host != p.host && u.Host != "" {
		p.complain("asks another host: " + address)
	}
}

func (p *Tab) complain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, text)
}

// Complaints returns what the page has complained about, and forgets it.
func (p *Tab) Complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.complaints
	p.complaints = nil
	return list
}

// report fails the test when the page has complained.
func (p *Tab) report() {
	p.t.Helper()
	for _, text := range p.Complaints() {
		p.t.Errorf("the page complains: %s", text)
	}
}

// ask sends a command of the protocol and returns its answer.
func ask[P, R any](p *Tab, command cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Call(ctx, command, params)
}

// call is ask for commands that must succeed.
func call[P, R any](p *Tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	answer, err := ask(p, command, params)
	p.report()
	if err != nil {
		p.t.Fatalf("%s: %v", command.Method, err)
	}
	return answer
}

// Do evaluates an expression in the page and returns its value as text, which is empty for values that are not.
func (p *Tab) Do(expression string) string {
	p.t.Helper()
	yes := true
	got := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes, AwaitPromise: &yes})
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, marshal(got.ExceptionDetails))
	}
	return text(got.Result)
}

// looks is how often a page looks at a condition before it answers that it does not hold.
const looks = 100

// Until waits for a condition: the page looks again and again. A page that is being left cannot answer; the next one is asked again.
func (p *Tab) Until(condition string) {
	p.t.Helper()
	yes := true
	expression := fmt.Sprintf(`new Promise((resolve) => {
		let times = 0;
		const look = () => {
			let holds = false;
			try { holds = %s; } catch {}
			if (holds || times++ > %d) resolve(Boolean(holds));
			else setTimeout(look, 20);
		};
		look();
	})`, condition, looks)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for ctx.Err() == nil {
		got, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes, AwaitPromise: &yes})
		p.report()
		switch {
		case err != nil:
		case got.ExceptionDetails != nil:
			p.t.Fatalf("%s: %s", condition, marshal(got.ExceptionDetails))
		case got.Result != nil && string(got.Result.Value) == "true":
			return
		}
	}
	p.t.Fatalf("never: %s\n%s", condition, p.sight())
}

// sight is what a person would read on the page, for the message of a test that fails.
func (p *Tab) sight() string {
	yes := true
	got, err := ask(p, runtime.Evaluate, runtime.EvaluateParams{Expression: `location.href + "\n" + document.body.innerText`, ReturnByValue: &yes})
	if err != nil {
		return err.Error()
	}
	seen := text(got.Result)
	const most = 2000
	if len(seen) > most {
		seen = strings.ToValidUTF8(seen[:most], "") + "…"
	}
	return seen
}
