package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/pages"
)

// endlessNet runs until it is cancelled, and records a port.
const endlessNet = `{end=Cancel(),same=Core::BooleanAnd(inFirst[1.0]=end.outCancel,inSecond=end.outCancel),outTerminate=same.outValue}`

// serveEmpty returns a daemon with that net, which is READY.
func serveEmpty(t *testing.T) *process {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte("realtime: {mode: off}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := begin(t.Context(), folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p.post(t, "/nets/", endlessNet)
	return p
}

// call sends a request with headers, and returns the answer with its body. It follows nothing.
func (p *process) call(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// instance returns the one that answers.
func (p *process) instance(t *testing.T) string {
	t.Helper()
	answer, _ := p.call(t, http.MethodGet, "/healthz", "")
	return answer.Header.Get(pages.InstanceName)
}

// actions returns the addresses of the forms of a page.
func (p *process) actions(t *testing.T, path string) (list []string) {
	t.Helper()
	_, text := p.call(t, http.MethodGet, path, "", "Accept", "text/html")
	for _, form := range regexp.MustCompile(`<form[^>]* method="post" action="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		list = append(list, form[1])
	}
	return list
}

// isReady fails unless the net is READY.
func (p *process) isReady(t *testing.T, after string) {
	t.Helper()
	var net struct{ State string }
	if p.ask(t, "/nets/rpinet0/", &net); net.State != "READY" {
		t.Errorf("%s: the net of the daemon that was started again is %s", after, net.State)
	}
}

// TestPageOfBefore: a page, a script, a WebSocket and rccctl that are meant for a daemon do nothing in the one that was started again, although that has a net of the
// same name. Requests that name no daemon are served.
func TestPageOfBefore(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	before := serveEmpty(t)
	old, forms := before.instance(t), before.actions(t, "/nets/rpinet0/")
	if old == "" || len(forms) == 0 {
		t.Fatalf("instance %q, forms %q", old, forms)
	}
	_ = before.end(syscall.SIGKILL)
	after := serveEmpty(t)
	if is := after.instance(t); is == old {
		t.Fatal("the daemon that was started again is the same")
	}
	for _, action := range forms {
		for _, word := range []string{"START", "UNLOAD"} {
			answer, text := after.call(t, http.MethodPost, action, "action="+word, "Content-Type", form, "Accept", "text/html")
			if answer.StatusCode != http.StatusPreconditionFailed || !strings.Contains(text, "reload the page") {
				t.Errorf("%s by the old page: %s\n%s", word, answer.Status, text)
			}
			after.isReady(t, word)
		}
	}
	if answer, _ := after.call(t, http.MethodPost, "/nets/rpinet0/start", "", pages.InstanceName, old); answer.StatusCode != http.StatusPreconditionFailed {
		t.Error("START by a script:", answer.Status)
	}
	after.isReady(t, "script")
	socket := "ws" + strings.TrimPrefix(after.url, "http") + "/DirectIO/"
	if _, answer, err := websocket.DefaultDialer.Dial(socket+"?"+pages.InstanceName+"="+old, nil); err == nil || answer.StatusCode != http.StatusPreconditionFailed {
		t.Error("a WebSocket:", err)
	}
	rccctl := clients.path(t, "rccctl")
	ctl := func(env []string, args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), rccctl, append([]string{"--url", after.url}, args...)...)
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	for name, run := range map[string]func() (string, int){
		"flag":  func() (string, int) { return ctl(nil, "--instance", old, "start", "rpinet0") },
		"env":   func() (string, int) { return ctl([]string{"RCCD_INSTANCE=" + old}, "start", "rpinet0") },
		"watch": func() (string, int) { return ctl(nil, "watch", "rpinet0", "--instance", old) },
	} {
		if out, code := run(); code != 1 || !strings.Contains(out, "was started again") {
			t.Errorf("rccctl by %s: %d %s", name, code, out)
		}
		after.isReady(t, "rccctl")
	}
	out, code := ctl(nil, "instance")
	if now := strings.TrimSpace(out); code != 0 || now != after.instance(t) {
		t.Error("rccctl instance:", out)
	} else if out, code := ctl([]string{"RCCD_INSTANCE=" + now}, "start", "rpinet0"); code != 0 {
		t.Error("rccctl for the daemon that is there:", out)
	}
	for _, action := range after.actions(t, "/nets/rpinet0/") {
		if answer, text := after.call(t, http.MethodPost, action, "action=ABORT", "Content-Type", form); answer.StatusCode != http.StatusOK {
			t.Error("by a page that was loaded again:", answer.Status, text)
		}
	}
	if err := after.end(syscall.SIGTERM); err != nil {
		t.Error(err, after.log.String())
	}
}

// TestInstanceEverywhere: every answer of the daemon names it: pages, files, errors, streams, WebSockets.
func TestInstanceEverywhere(t *testing.T) {
	t.Parallel()
	p := serveEmpty(t)
	is := p.instance(t)
	var start struct{ Addresses []struct{ URI string } }
	p.ask(t, "/", &start)
	paths := []string{
		"/assets/live.js", "/assets/none.js", "/nowhere", "/nets", "/nets/rpinet9/", "/nets/rpinet0/debug.tsv", "/nets/rpinet0/debugstream", "/DirectIO", "/DirectIO/",
		"/devices/none/", "//nets//",
	}
	for _, a := range start.Addresses {
		paths = append(paths, a.URI)
	}
	if len(paths) < 20 {
		t.Error("addresses:", paths)
	}
	for _, path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodDelete} {
			if answer, _ := p.call(t, method, path, ""); answer.Header.Get(pages.InstanceName) != is {
				t.Errorf("%s %s: %s by %q", method, path, answer.Status, answer.Header.Get(pages.InstanceName))
			}
		}
	}
	if answer, _ := p.call(t, http.MethodGet, "/", "", "Origin", "https://evil.example", "Upgrade", "websocket"); answer.Header.Get(pages.InstanceName) != is {
		t.Error("a foreign page:", answer.Status)
	}
	ws, answer, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+"/DirectIO/?"+pages.InstanceName+"="+is, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if answer.Header.Get(pages.InstanceName) != is {
		t.Error("a WebSocket:", answer.Header)
	}
	if err := play(p.url, "< a=ver(\"2.0\")\n> a=ok(...)\n< b=ins()\n> b=ok(\""+is+"\")\n< c=ins(\""+is+"\")\n> c=ok(\""+is+"\")\n< d=ins(\"other\")\n> d=err(...started again...)"); err != nil {
		t.Error(err)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err, p.log.String())
	}
}

// TestOpenDaemon: the log warns of a daemon that others can command.
func TestOpenDaemon(t *testing.T) {
	t.Parallel()
	for access, warned := range map[string]bool{
		"server: {listen: \"127.0.0.1:0\", directio-tcp: \"127.0.0.1:0\"}": false, "auth: {mode: none}\nserver: {listen: \"0.0.0.0:0\"}": true,
		"auth: {mode: none}\nserver: {listen: \"127.0.0.1:0\", directio-tcp: \"0.0.0.0:0\"}": true,
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte("realtime: {mode: off}\n"+access+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := begin(t.Context(), folder, "--config", "cell.yaml")
		if err != nil {
			t.Fatal(err)
		}
		_, page := p.call(t, http.MethodGet, "/cell/", "", "Accept", "text/html")
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if told := strings.Contains(p.log.String(), "any client that reaches this daemon can command it"); told != warned {
			t.Errorf("%s: the log warns: %t\n%s", access, told, p.log.String())
		}
		if told := strings.Contains(page, "Any client that reaches"); told != warned {
			t.Errorf("%s: the page warns: %t", access, told)
		}
	}
}

// TestMakeDemo: the demonstration can be made to listen elsewhere.
func TestMakeDemo(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("skip: no make")
	}
	for listen, want := range map[string]string{"LISTEN=127.0.0.1:0": "bin/rccd demo --listen '127.0.0.1:0'\n", "LISTEN=": "bin/rccd demo \n"} {
		plan := exec.CommandContext(t.Context(), "make", "-n", "demo", listen)
		plan.Dir = top
		plan.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=0")
		if out, err := plan.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("make demo %s: %v\n%s", listen, err, out)
		}
	}
}

// TestMakeNightly: everything that random tests do at night begins with one seed, and all of it has one time limit.
func TestMakeNightly(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("skip: no make")
	}
	plan := exec.CommandContext(t.Context(), "make", "-n", "nightly", "SEED=7", "NIGHT=3h")
	plan.Dir = top
	plan.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=0")
	out, err := plan.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "RCCD_SEED=7 timeout 3h ") {
		t.Errorf("no seed, or no limit\n%s", out)
	}
	tests := 0
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, " test ") {
			continue
		}
		tests++
		if !strings.Contains(line, " -timeout 3h ") {
			t.Errorf("a limit of its own: %s", line)
		}
		if strings.Contains(line, "-rapid.") && !strings.Contains(line, "-rapid.seed=7") || strings.Contains(line, "RCCD_SEED=") {
			t.Errorf("a seed of its own: %s", line)
		}
	}
	if tests < 10 {
		t.Errorf("%d tests only\n%s", tests, out)
	}
}
