package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// serve answers each path with a page.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><meta name=viewport content=width=device-width><title>a page</title><main><h1>A page</h1>"+pages[r.URL.Path]+"</main></html>")
	}))
	t.Cleanup(s.Close)
	return s
}

// TestComplaints: what a page does that it must not is noticed.
func TestComplaints(t *testing.T) {
	b := Start(t)
	s := serve(t, map[string]string{"/quiet": "<p>quiet</p>"})
	p := b.Open(s.URL + "/quiet")
	for _, tc := range []struct{ name, script, want string }{
		{"console", `console.error("oh", "no"); document.title = "console"`, "oh"},
		{"exception", `setTimeout(() => { document.title = "exception"; throw new Error("broken"); })`, "broken"},
		{"another host", `fetch("http://127.0.0.2:1/x").catch(() => 0).then(() => { document.title = "another host"; })`, "http://127.0.0.2:1/x"},
		{"another host by WebSocket", `new WebSocket("ws://127.0.0.2:1/x").onerror = () => { document.title = "another host by WebSocket"; }`, "ws://127.0.0.2:1/x"},
		{"own host", `fetch("/y").then(() => { document.title = "own host"; })`, ""},
	} {
		got := heard(p, tc.script, tc.name)
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: complaints %q", tc.name, got)
		}
	}
}

// heard runs a script until it has set the title, and returns what was heard. Nothing is reported on the way.
func heard(p *Tab, script, title string) string {
	quiet := &Tab{t: p.t, ctx: p.ctx, host: p.host}
	quiet.Do(`{ ` + script + ` } ""`)
	quiet.Until(fmt.Sprintf("document.title === %q", title))
	return strings.Join(p.Complaints(), "\n")
}

// TestRules: the rules of axe-core find what is wrong, and nothing where all is right.
func TestRules(t *testing.T) {
	b := Start(t)
	s := serve(t, map[string]string{"/right": "<p>right</p>", "/wrong": "<img src=/x><p style='color:#ccc;background:#fff'>pale</p>"})
	p := b.Open(s.URL + "/right")
	p.Accessible()
	p.Go(s.URL + "/wrong")
	if p.Do(`typeof axe`) == "object" {
		t.Fatal("rules of the page before are still there")
	}
	if !p.rules() {
		return
	}
	got := strings.Join(p.violations(), "\n")
	for _, want := range []string{"image-alt", "color-contrast"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// TestPerson uses keys, mouse and a narrow window.
func TestPerson(t *testing.T) {
	b := Start(t)
	s := serve(t, map[string]string{"/": `<button onclick="document.title='clicked'">x</button><input aria-label=x
		onkeydown="if (event.key === 'k' && event.ctrlKey) document.title = 'control'; if (event.key === '/') event.preventDefault()">`})
	before := b.CPU()
	p := b.Open(s.URL + "/")
	if after := b.CPU(); before <= 0 || after <= before {
		t.Errorf("to open a page took the browser from %v s to %v s", before, after)
	}
	p.Click("button")
	p.Until(`document.title === "clicked"`)
	p.Click("input")
	p.Press("a")
	p.Press("/")
	p.Press("k", Ctrl)
	p.Write("bc")
	p.Until(`document.title === "control" && document.querySelector("input").value === "abc"`)
	p.Press(Home)
	p.Press("x")
	p.Until(`document.querySelector("input").value === "xabc"`)
	p.Narrow("person")
}

// TestLine cuts a line to a server and mends it.
func TestLine(t *testing.T) {
	s := serve(t, nil)
	l := NewLine(t, s.Listener.Addr().String())
	get := func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		_ = a.Body.Close()
		return a.StatusCode == http.StatusOK
	}
	for i, want := range []bool{true, false, true} {
		if got := get(); got != want {
			t.Errorf("step %d: %t", i, got)
		}
		if i == 0 {
			l.Cut()
		} else {
			l.Mend()
		}
	}
}
