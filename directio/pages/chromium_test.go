package pages_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// browser is a Chromium without window, spoken to by its remote debugging protocol.
type browser struct {
	t       testing.TB
	address string // host and port of the protocol
}

// openBrowser starts Chromium, or skips the test where there is none.
func openBrowser(t testing.TB) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("skip: no chromium: the live pages are not looked at")
	}
	//nolint:usetesting // helpers of the browser may write there a moment longer, which t.TempDir would mind
	profile, err := os.MkdirTemp("", "rccd-browser")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--user-data-dir="+profile, "--window-size=1200,1400", "about:blank")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("skip: chromium does not start: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(profile)
	})
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	address := listening(stderr)
	if address == "" {
		t.Skip("skip: chromium does not run here")
	}
	return &browser{t: t, address: address}
}

// listening reads what the browser says until it tells its address.
func listening(stderr io.Reader) string {
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			if u, err := url.Parse(address); err == nil {
				return u.Host
			}
		}
	}
	return ""
}

// tab is a page of the browser.
type tab struct {
	t     testing.TB
	conn  *websocket.Conn
	count int
}

// patience bounds how long a test waits for a page that will never be as expected.
const patience = 2 * time.Minute

// open opens a page and waits until its scripts have run.
func (b *browser) open(address string) *tab {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://"+b.address+"/json/new?about:blank", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	var target struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(a.Body).Decode(&target); err != nil {
		b.t.Fatal(err)
	}
	conn, upgraded, err := websocket.DefaultDialer.DialContext(ctx, target.WebSocketDebuggerURL, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = upgraded.Body.Close()
	b.t.Cleanup(func() { _ = conn.Close() })
	p := &tab{t: b.t, conn: conn}
	p.call("Log.enable", nil)
	p.call("Runtime.enable", nil)
	p.call("Page.navigate", map[string]any{"url": address})
	p.until(`location.href !== "about:blank" && document.readyState === "complete"`)
	return p
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Params json.RawMessage `json:"params"`
}

// call makes the browser do something and returns its answer.
func (p *tab) call(method string, params map[string]any) json.RawMessage {
	p.t.Helper()
	result, err := p.ask(method, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

// ask is call with the refusal of the browser as an error. A complaint of the page in that time fails the test: a violated
// policy, an exception.
func (p *tab) ask(method string, params map[string]any) (json.RawMessage, error) {
	p.t.Helper()
	p.count++
	_ = p.conn.SetReadDeadline(time.Now().Add(patience))
	if err := p.conn.WriteJSON(map[string]any{"id": p.count, "method": method, "params": params}); err != nil {
		p.t.Fatal(err)
	}
	for {
		var m message
		if err := p.conn.ReadJSON(&m); err != nil {
			p.t.Fatalf("%s %v: %v", method, params["expression"], err)
		}
		switch {
		case m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && !expected(m.Params):
			p.t.Errorf("the page complains: %s", m.Params)
		case m.ID == p.count && m.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, m.Error)
		case m.ID == p.count:
			return m.Result, nil
		}
	}
}

// expected tells a refused request, which browsers log too, from a complaint.
func expected(entry json.RawMessage) bool {
	return strings.Contains(string(entry), `"source":"network"`)
}

// do evaluates an expression in the page and returns its value as text.
func (p *tab) do(expression string) string {
	p.t.Helper()
	var got struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	answer := p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if err := json.Unmarshal(answer, &got); err != nil {
		p.t.Fatal(err)
	}
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, got.ExceptionDetails)
	}
	text, _ := got.Result.Value.(string)
	return text
}

// until waits for a condition: the page looks again with each frame. A page that is being left cannot answer; the next
// one is asked again.
func (p *tab) until(condition string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		answer, err := p.ask("Runtime.evaluate", map[string]any{"awaitPromise": true, "returnByValue": true, "expression": `
			new Promise((resolve) => {
				let frames = 0;
				const look = () => {
					let holds = false;
					try { holds = ` + condition + `; } catch {}
					if (holds || frames++ > 100) resolve(Boolean(holds));
					else setTimeout(look, 20);
				};
				look();
			})`})
		if err == nil && strings.Contains(string(answer), `"value":true`) {
			return
		}
	}
	p.t.Fatalf("never: %s", condition)
}

// screenshot keeps a picture of the page in the folder RCCD_SCREENSHOTS, if that is set.
func (p *tab) screenshot(name string) {
	p.t.Helper()
	folder := os.Getenv("RCCD_SCREENSHOTS")
	if folder == "" {
		return
	}
	p.until(`performance.now() > 8000 || !document.querySelector("#plot")`) // long enough for a curve
	var picture struct {
		Data string `json:"data"`
	}
	for _, scheme := range []string{"light", "dark"} {
		p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
		if err := json.Unmarshal(p.call("Page.captureScreenshot", map[string]any{"format": "png"}), &picture); err != nil {
			p.t.Fatal(err)
		}
		data, err := base64.StdEncoding.DecodeString(picture.Data)
		if err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+"-"+scheme+".png"), data, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}
