package pages

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/golden"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

var update = flag.Bool("update", false, "write the golden answers")

const (
	// counting adds its input to a sum in every cycle, and never ends.
	counting = `{in=Core::DoubleNetcommIn(Key='Step',Value='0.5'),sum=Core::DoubleAdd(inFirst=in.outValue,inSecond=last.outValue),` +
		`pre=Core::DoublePre(inValue=sum.outValue),first=Core::DoubleIsNull(inValue=pre.outValue),` +
		`last=Core::DoubleConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),out=Core::DoubleNetcommOut(inValue=sum.outValue,Key='Sum'),` +
		`outTerminate=Core::BooleanValue(Value='false').outValue}`
	hopeless = `{a=Core::NoSuch(),b=Core::DoubleAdd(inFirst=c.outValue)}`
	broken   = "{a=Core::DoubleAdd(\n  inFirst=)}"
)

// cell is a core on a paused virtual clock with its pages.
type cell struct {
	*rcc.Core
	t     *testing.T
	clock *rt.Virtual
	pages http.Handler
}

// wanted are the primitives that the tests need.
var wanted = []string{
	"Core::BooleanValue", "Core::DoubleAdd", "Core::DoubleNetcommIn", "Core::DoubleNetcommOut", "Core::DoublePre",
	"Core::DoubleIsNull", "Core::DoubleConditional",
}

func newCell(t *testing.T, opt Options, change ...func(*rcc.Config)) *cell {
	t.Helper()
	list := slices.DeleteFunc(core.Primitives(), func(p *spec.Primitive) bool { return !slices.Contains(wanted, p.Name) })
	return newCellOf(t, opt, list, change...)
}

func newCellOf(t *testing.T, opt Options, list []*spec.Primitive, change ...func(*rcc.Config)) *cell {
	t.Helper()
	catalogue, err := spec.NewCatalogue(list)
	if err != nil {
		t.Fatal(err)
	}
	c := &cell{t: t, clock: rt.NewVirtual(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))}
	cfg := rcc.Config{Catalogue: catalogue, Clock: c.clock, DeviceTypes: []device.Type{testdevice.Type}}
	for _, f := range change {
		f(&cfg)
	}
	if c.Core, err = rcc.New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	c.pages = Handler(c.Core, opt)
	return c
}

func (c *cell) close() {
	for _, n := range c.Nets.All() {
		if n.State().Active() {
			if err := n.Abort(context.Background()); err != nil {
				c.t.Error(err)
			}
		}
	}
	if err := c.Close(context.Background()); err != nil {
		c.t.Error(err)
	}
}

func (c *cell) load(text, description, session string) *rcc.Net {
	c.t.Helper()
	n, err := c.Nets.Load(rcc.LoadRequest{Text: text, Description: description, Session: session})
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

func (c *cell) advance(d time.Duration) {
	c.t.Helper()
	if err := c.Clock.Advance(c.t.Context(), d); err != nil {
		c.t.Fatal(err)
	}
}

// clamp is a primitive with one of everything that the catalogue tells.
type clamp struct {
	In     spec.In[float64]    `rcc:"inValue" required:"true" doc:"value"`
	Max    spec.In[float64]    `rcc:"inMax" or:"Max=1" doc:"upper limit"`
	Report spec.Param[string]  `rcc:"Name" doc:"name in <messages>"`
	Min    spec.Param[float64] `rcc:"Min" default:"-1" doc:"lower limit"`
	Out    spec.Out[float64]   `rcc:"outValue" doc:"value within the limits"`
}

// described returns a cell whose catalogue has only the clamp.
func described(t *testing.T) *cell {
	t.Helper()
	return newCellOf(t, Options{}, []*spec.Primitive{spec.Declare(spec.Decl{
		Name: "Test::Clamp", Doc: "keeps a value within limits", Extension: "test",
		Examples: []spec.Example{
			{
				Doc: "both limits", Cycle: "5ms", Params: map[string]string{"Name": "a"},
				In: map[string][]string{"inValue": {"-3", "0.5", "3"}}, Out: map[string][]string{"outValue": {"-1", "0.5", "1"}},
			},
			{Doc: "without name", Reject: "parameter Name is missing"},
		},
	}, spec.Kernels[clamp]{Run: func([]clamp, *spec.Cycle) {}})})
}

// threeFacts are the three, of which all are as they should be or not.
func threeFacts(fit, clean bool) []Fact {
	return []Fact{
		{"rights", fit, map[bool]string{true: "granted", false: "missing"}[fit], "no right to priorities " + hostile},
		{"machine", fit, map[bool]string{true: "fit", false: "unfit"}[fit], "kernel PREEMPT_RT"},
		{"record", clean, map[bool]string{true: "clean", false: "late"}[clean], "last minute 1 late, 2 missed, 3 overruns; since the start 4 late, 5 missed, 6 overruns"},
	}
}

func degraded() State {
	return State{Word: "degraded", Reason: "no rights", Facts: threeFacts(false, false), Notes: []Note{{What: "priorities", Command: "grant them"}}}
}

// furnished returns a cell with something at every address.
func furnished(t *testing.T) *cell {
	c := newCell(t, Options{Version: "1.2.3", Realtime: degraded})
	session, err := c.Sessions.Open("demo@host")
	if err != nil {
		t.Fatal(err)
	}
	running := c.load(counting, `counts "up" <b>&</b>`, session.Name())
	c.load(hopeless, "", "")
	c.load(counting, "", session.Name())
	if _, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: "t", Start: []string{running.Name()}, Description: "go"}); err != nil {
		t.Fatal(err)
	}
	c.advance(9 * time.Millisecond)
	return c
}

const host = "127.0.0.1:8080"

const (
	browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
	forJSON = "application/json"
	forXML  = "application/xml"
)

// request makes a request from method, path, body and pairs of header names and values.
func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Host = host
	if h := r.Header.Get("Host"); h != "" {
		r.Host = h
	}
	return r
}

// response is an answer that has been read.
type response struct {
	*http.Response
	text  string
	asked string // what it answers
}

func (c *cell) answer(r *http.Request) response {
	c.t.Helper()
	w := httptest.NewRecorder()
	asked := question(c.t, r)
	c.pages.ServeHTTP(w, r)
	a := read(c.t, w.Result())
	a.asked = strings.ReplaceAll(asked, c.Instance(), "INSTANCE")
	if a.Header.Get(InstanceName) != c.Instance() {
		c.t.Errorf("%s %s: the answer does not say which instance gives it", r.Method, r.URL)
	}
	a.text = strings.ReplaceAll(a.text, c.Instance(), "INSTANCE")
	return a
}

func read(t *testing.T, a *http.Response) response {
	t.Helper()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response{Response: a, text: string(body)}
}

// question is a request as it is kept beside its answer: method, address, headers and body, or the beginning of a long one.
func question(t *testing.T, r *http.Request) string {
	t.Helper()
	const most = 2000
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil {
		t.Fatal(err)
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	var asked strings.Builder
	fmt.Fprintf(&asked, "%s %s\n", r.Method, r.URL.RequestURI())
	if r.Host != host {
		fmt.Fprintf(&asked, "Host: %s\n", r.Host)
	}
	for _, h := range slices.Sorted(maps.Keys(r.Header)) {
		for _, v := range r.Header[h] {
			fmt.Fprintf(&asked, "%s: %s\n", h, v)
		}
	}
	switch {
	case len(body) > most:
		fmt.Fprintf(&asked, "\n%s…", body[:most])
	case len(body) > 0:
		fmt.Fprintf(&asked, "\n%s", body)
	}
	return asked.String()
}

// figures are what the machine has measured; they differ each time.
var figures = regexp.MustCompile(`(?s)<div class="panes"><figure>.*?</table>|<execution .*?</execution>|"execution":\{.*?\]\}`)

// overruns are those of this run: a busy machine may keep a cycle from its CPU for longer than its period.
var overruns = regexp.MustCompile(`("overruns":|overruns="|"incidents":)\d+`)

// incidents are the same in all their words.
var incidents = regexp.MustCompile(`(?s)<section aria-labelledby="h-incidents">.*?</section>\n|  <incident .*?</incident>\n|,"incidents":\[.*?\]`)

// checkGolden compares an answer with the file of that name, except for values that depend on the machine.
func checkGolden(t *testing.T, name string, a response) {
	t.Helper()
	a.text = incidents.ReplaceAllString(a.text, "")
	a.text = overruns.ReplaceAllString(figures.ReplaceAllString(a.text, "FIGURES"), "${1}0")
	checkExactly(t, name, a)
}

// checkExactly compares an answer with the one of that name.
func checkExactly(t *testing.T, name string, a response) {
	t.Helper()
	var got bytes.Buffer
	got.WriteString(a.Status + "\n")
	for _, h := range []string{"Content-Type", "Location", "Allow"} {
		if v := a.Header.Get(h); v != "" {
			got.WriteString(h + ": " + v + "\n")
		}
	}
	got.WriteString("\n" + a.text)
	golden.Check(t, *update, filepath.Join("testdata", subject(name)+".txtar"), name, a.asked, got.String())
}

// subject is the file that has an answer: answers to GET by the first part of the address, others by the first word of their name.
func subject(name string) string {
	first, rest, _ := strings.Cut(name, "_")
	if first != "get" {
		return first
	}
	if end := strings.IndexAny(rest, "_.?"); end >= 0 {
		rest = rest[:end]
	}
	return "get-" + cmp.Or(rest, "start")
}

// newWholeCell has all primitives.
func newWholeCell(t *testing.T) *cell {
	t.Helper()
	return newCellOf(t, Options{}, primitives.All())
}
