package scopes

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

func (c *cell) do(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	c.scopes.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

const kept = `{"name":"my scope","channels":[{"name":"c","source":{"net":"n1","port":"outValue"}}],"before":1,"after":1,"mode":"auto","trigger":{"kind":"none"}}`

func TestSetups(t *testing.T) {
	c := newCell(t)
	for _, step := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/scope/", "", 200, `{"setups":[]}`},
		{"POST", "/scope/", kept, 201, `"name":"my scope"`},
		{"POST", "/scope/", kept, 200, `"name":"my scope"`},
		{"GET", "/scope/", "", 200, `{"setups":[{"name":"my scope","uri":"/scope/my%20scope/"}]}`},
		{"GET", "/scope/my%20scope/", "", 200, `"mode":"auto"`},
		{"HEAD", "/scope/my%20scope/", "", 200, ``},
		{"POST", "/scope/my%20scope/", strings.Replace(kept, "auto", "single", 1), 200, `"mode":"single"`},
		{"GET", "/scope/my%20scope/", "", 200, `"mode":"single"`},
		{"POST", "/scope/other/", kept, 400, `"code":"scope","where":"setup /name"`},
		{"POST", "/scope/", `{"name":"a"}`, 400, `"where":"setup /channels"`},
		{"POST", "/scope/", `{"name":"../a"}`, 400, `"where":"setup /name"`},
		{"POST", "/scope/", strings.Repeat(" ", 70000), 413, `"code":"too-large"`},
		{"GET", "/scope/nope/", "", 404, `"message":"setup \"nope\": no setup has this name"`},
		{"GET", "/scope/my%20scope/capture.csv", "", 404, `it has not caught anything that is still kept`},
		{"GET", "/scope/my%20scope/capture", "", 404, `it has not caught anything that is still kept`},
		{"GET", "/scope/my%20scope/nothing", "", 404, `"code":"not-found"`},
		{"GET", "/scope/my%20scope/measures?of=1", "", 400, `this address takes from, to`},
		{"GET", "/scope/my%20scope/measures?from=x", "", 400, `is not a number of seconds`},
		{"PUT", "/scope/my%20scope/", kept, 405, `"code":"method"`},
		{"POST", "/scope/open", "nothing", 400, `mcap: byte`},
		{"DELETE", "/scope/my%20scope/", "", 204, ``},
		{"DELETE", "/scope/my%20scope/", "", 404, `no setup has this name`},
	} {
		w := c.do(step.method, step.path, step.body)
		if w.Code != step.status || !strings.Contains(w.Body.String(), step.want) {
			t.Errorf("%s %s: %d %s", step.method, step.path, w.Code, w.Body)
		}
	}
	if w := c.do("PATCH", "/scope/a/", ""); w.Header().Get("Allow") != "DELETE, GET, POST" {
		t.Error(w.Header())
	}
}

// caught is what a message of bytes has, read from its description alone.
type caught struct {
	id     uint32
	facts  scope.Capture
	ticks  []float64
	values [][][]float64
	marks  [][]scope.Mark
}

func decode(t *testing.T, b []byte) (c caught) {
	t.Helper()
	if b[0] != 2 || b[1] != 1 {
		t.Fatalf("kind %d, version %d", b[0], b[1])
	}
	channels, ticks, facts := binary.LittleEndian.Uint16(b[2:]), int(binary.LittleEndian.Uint32(b[8:])), int(binary.LittleEndian.Uint32(b[12:]))
	c.id = binary.LittleEndian.Uint32(b[4:])
	if err := json.Unmarshal(b[16:16+facts], &c.facts); err != nil {
		t.Fatal(err)
	}
	at := (16 + facts + 7) / 8 * 8
	doubles := func() (list []float64) {
		for range ticks {
			list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(b[at:])))
			at += 8
		}
		return list
	}
	c.ticks = doubles()
	for range channels {
		components := binary.LittleEndian.Uint32(b[at:])
		at += 8
		var values [][]float64
		for range components {
			values = append(values, doubles())
		}
		var marks []scope.Mark
		for range ticks {
			marks = append(marks, scope.Mark(b[at]))
			at++
		}
		at = (at + 7) / 8 * 8
		c.values, c.marks = append(c.values, values), append(c.marks, marks)
	}
	if at != len(b) {
		t.Fatalf("%d of %d bytes have been read", at, len(b))
	}
	return c
}

// TestExport: the newest capture as a table, as a file and as bytes; the file opens again as the same capture.
func TestExport(t *testing.T) {
	c := newCell(t)
	n, slow := c.load(time.Millisecond), c.load(4*time.Millisecond)
	r := c.run(&scope.Setup{
		Name: "my scope", Before: 0.05, After: 0.05, Mode: scope.Single,
		Channels: []scope.Channel{port("count", n, "sum", "outValue"), port("v", n, "v", "outValue"), port("slow", slow, "hit", "outValue")},
		Trigger:  scope.Trigger{Kind: scope.Level, Channel: "count", Level: 100, Above: true},
	})
	c.must(n.Start(t.Context()))
	c.must(slow.Start(t.Context()))
	c.pass(r, 300*time.Millisecond)
	if r.Capture(0) == nil {
		t.Fatal("no capture")
	}
	bytesOf := func(path string) []byte {
		t.Helper()
		w := c.do("GET", path, "")
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	shown := decode(t, bytesOf("/scope/my%20scope/capture"))
	if len(shown.ticks) != 101 || shown.values[0][0][0] != 50 || shown.values[1][2][100] != 150 || shown.facts.Number != 1 || len(shown.facts.Channels) != 3 {
		t.Errorf("%d ticks, %+v", len(shown.ticks), shown.facts)
	}
	file := bytesOf("/scope/my%20scope/capture.mcap")
	again := c.do("POST", "/scope/open", string(file))
	if again.Code != http.StatusOK || !bytes.Equal(again.Body.Bytes(), bytesOf("/scope/my%20scope/capture")) {
		t.Errorf("%d: the file is another capture", again.Code)
	}
	read, err := scope.ReadMCAP(bytes.NewReader(file))
	c.must(err)
	if diff := cmp.Diff(r.Capture(0), read); diff != "" {
		t.Error(diff)
	}
	lines := strings.Split(string(bytesOf("/scope/my%20scope/capture.csv")), "\n")
	if lines[0] != "tick (ns),time (s),count,v.x,v.y,v.z,slow" || len(lines) != 103 || !strings.HasPrefix(lines[51], fmt.Sprintf("%d,0.000000000,100,100,100,100,", r.Capture(0).Trigger)) {
		t.Errorf("%d lines: %s, %s", len(lines), lines[0], lines[51])
	}
	if w := c.do("GET", "/scope/my%20scope/capture.csv", ""); w.Header().Get("Content-Disposition") != "attachment; filename*=UTF-8''my%20scope-1.csv" {
		t.Error(w.Header())
	}
	var measured struct {
		Capture  int
		Measures []Measured
	}
	c.must(json.Unmarshal(bytesOf("/scope/my%20scope/measures?from=-0.01&to=0.01"), &measured))
	if m := measured.Measures; len(m) != 5 || m[0].Channel != "count" || *m[0].Minimum != 90 || *m[0].Maximum != 110 || *m[2].Mean != 100 || m[1].Component != "x" {
		t.Errorf("%+v", m)
	}
	var spectrum scope.Spectrum
	c.must(json.Unmarshal(bytesOf("/scope/my%20scope/spectrum?channel=v&component=y&window=flat-top"), &spectrum))
	if spectrum.Samples != 100 || math.Abs(spectrum.Step-10) > 1e-9 || spectrum.Window != scope.FlatTop {
		t.Errorf("%+v", spectrum)
	}
	for query, want := range map[string]string{"channel=w": "has no channel", "channel=v&component=q": "has no component", "channel=v&window=x": "is not one of rectangular", "channel=v&channel=v": "it is given twice"} {
		if w := c.do("GET", "/scope/my%20scope/spectrum?"+query, ""); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	if w := c.do("GET", "/scope/", ""); !strings.Contains(w.Body.String(), `{"setups":[]}`) {
		t.Error("a capture has become a setup")
	}
	if w := c.do("GET", "/scope/figures", ""); !strings.Contains(w.Body.String(), `"busy/mean"`) {
		t.Error(w.Body)
	}
}

// TestCatch waits for a capture, and gives up after a while.
func TestCatch(t *testing.T) {
	c := newCell(t)
	n := c.load(time.Millisecond)
	setup := strings.NewReplacer(`"n1"`, `"`+n.Name()+`","path":"sum"`, `"before":1,"after":1`, `"before":0.01,"after":0.01`).Replace(kept)
	if w := c.do("POST", "/scope/", setup); w.Code != http.StatusCreated {
		t.Fatal(w.Body)
	}
	for query, want := range map[string]string{
		"wait=0.001": `"code":"nothing"`, "wait=0": "is not a number of seconds up to 50", "wait=1e9": "is not a number", "of=1": "this address takes wait",
	} {
		if w := c.do("POST", "/scope/my%20scope/catch?"+query, ""); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	if w := c.do("POST", "/scope/nope/catch", ""); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
	// Time passes while the request waits.
	c.must(n.Start(t.Context()))
	c.must(c.core.Clock.SetSpeed(1))
	defer func() { c.must(c.core.Clock.SetSpeed(0)) }()
	w := c.do("POST", "/scope/my%20scope/catch?wait=50", "")
	var got Caught
	c.must(json.Unmarshal(w.Body.Bytes(), &got))
	if got.Capture == nil || got.Capture.Number != 1 || len(got.Measures) != 1 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	c.scopes.mu.Lock()
	defer c.scopes.mu.Unlock()
	if c.scopes.running != 0 {
		t.Errorf("%d scopes still run", c.scopes.running)
	}
}

// TestOpenAtOnce: so many files are opened at a time.
func TestOpenAtOnce(t *testing.T) {
	c := newCell(t)
	for range openAtOnce {
		c.scopes.opening <- struct{}{}
	}
	if w := c.do("POST", "/scope/open", "x"); w.Code != http.StatusTooManyRequests {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	<-c.scopes.opening
	if w := c.do("POST", "/scope/open", "x"); w.Code != http.StatusBadRequest {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if len(c.scopes.opening) != openAtOnce-1 {
		t.Error("a place is not given back")
	}
}
