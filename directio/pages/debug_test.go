package pages

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// recorded is a net with recorded ports: a sum, kept for 10 ms, that is there from the second cycle on, a flag, and one that is
// connected to nothing.
const recorded = `{in=Core::DoubleNetcommIn(Key='Step',Value='0.5'),sum=Core::DoubleAdd(inFirst=in.outValue,inSecond=last.outValue),` +
	`pre=Core::DoublePre(inValue=sum.outValue),first=Core::DoubleIsNull(inValue[1]=pre.outValue),` +
	`last=Core::DoubleConditional(inCondition[0.01]=first.outValue,True='0',inFalse=pre.outValue),` +
	`f={more=Core::DoubleAdd(inFirst[1]=parent.inNone)}(),outTerminate=Core::BooleanValue(Value='false').outValue}`

// debugged returns a cell in which such a net has run seven cycles, one without recorded ports and a rejected one.
func debugged(t *testing.T) *cell {
	t.Helper()
	c := newCell(t, Options{Version: "1.2.3"})
	n := c.load(recorded, "", "")
	c.load(counting, "", "")
	c.load(hopeless, "", "")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(15 * time.Millisecond)
	return c
}

func TestDebugging(t *testing.T) {
	c := debugged(t)
	for name, r := range map[string]*http.Request{
		"table":        request("GET", "/nets/rpinet0/debug", ""),
		"table_file":   request("GET", "/nets/rpinet0/debug.tsv", "", "Accept", browser),
		"table_after":  request("GET", "/nets/rpinet0/debug?after=5", "", "Accept", forXML),
		"table_none":   request("GET", "/nets/rpinet0/debug?after=18446744073709551615", ""),
		"json":         request("GET", "/nets/rpinet0/debug", "", "Accept", forJSON),
		"json_after":   request("GET", "/nets/rpinet0/debug?after=6", "", "Accept", forJSON),
		"html":         request("GET", "/nets/rpinet0/debug", "", "Accept", browser),
		"plain":        request("GET", "/nets/rpinet1/debug", ""),
		"plain_json":   request("GET", "/nets/rpinet1/debug", "", "Accept", forJSON),
		"plain_html":   request("GET", "/nets/rpinet1/debug", "", "Accept", browser),
		"plain_stream": request("GET", "/nets/rpinet1/debugstream", ""),
		"rejected":     request("GET", "/nets/rpinet2/debug", ""),
		"unknown":      request("GET", "/nets/rpinet9/debug", "", "Accept", forJSON),
		"no_stream":    request("GET", "/nets/rpinet9/debugstream", "", "Accept", forJSON),
		"bad_after":    request("GET", "/nets/rpinet0/debug?after=-1", "", "Accept", forJSON),
		"words_after":  request("GET", "/nets/rpinet0/debug.tsv?after=<b>soon", "", "Accept", browser),
		"huge_after":   request("GET", "/nets/rpinet0/debugstream?after="+strings.Repeat("9", 1000), "", "Accept", forJSON),
		"post":         request("POST", "/nets/rpinet0/debug", "", "Accept", forJSON),
		"net":          request("GET", "/nets/rpinet0/", "", "Accept", browser),
	} {
		t.Run(name, func(t *testing.T) { checkGolden(t, "debug_"+name, c.answer(r)) })
	}
}

// TestDebuggingIsShortened says when memory does not suffice, and after the end of the net still has its log.
func TestDebuggingIsShortened(t *testing.T) {
	c := newCell(t, Options{Version: "1.2.3"}, func(cfg *rcc.Config) { cfg.Debug.NetBytes = 400 })
	n := c.load(recorded, "", "")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(15 * time.Millisecond)
	if err := n.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "debug_short_json", c.answer(request("GET", "/nets/rpinet0/debug", "", "Accept", forJSON)))
	checkGolden(t, "debug_short_html", c.answer(request("GET", "/nets/rpinet0/debug", "", "Accept", browser)))
	if err := n.Unload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := c.answer(request("GET", "/nets/rpinet0/debug", "")); a.StatusCode != http.StatusNotFound {
		t.Errorf("of an unloaded net: %s", a.Status)
	}
}

// TestDebugStream reads cycles as they come, until the net has ended.
func TestDebugStream(t *testing.T) {
	c := debugged(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = host
		c.pages.ServeHTTP(w, r)
	}))
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/nets/rpinet0/debugstream?after=4", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	lines := bufio.NewScanner(a.Body)
	next := func() string {
		if !lines.Scan() {
			t.Fatalf("the stream has ended: %v", lines.Err())
		}
		return lines.Text()
	}
	want := []string{
		"time\tcycle\tfirst.inValue\tlast.inCondition\tf.more.inFirst",
		"0.008\t5\t2\tfalse\t", "0.01\t6\t2.5\tfalse\t", "0.012\t7\t3\tfalse\t",
	}
	if diff := cmp.Diff(want, []string{next(), next(), next(), next()}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.advance(4 * time.Millisecond)
	if diff := cmp.Diff([]string{"0.014\t8\t3.5\tfalse\t", "0.016\t9\t4\tfalse\t"}, []string{next(), next()}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	n, err := c.Nets.Get("rpinet0")
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("behind the end: %q, %v", lines.Text(), lines.Err())
	}
}

// TestDebugStreamOfOneWhoGoes ends with its request.
func TestDebugStreamOfOneWhoGoes(t *testing.T) {
	c := debugged(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 * debugTables { // nobody keeps a place
		a := c.answer(request("GET", "/nets/rpinet0/debugstream", "").WithContext(ctx))
		if _, err := io.ReadAll(a.Body); err != nil {
			t.Fatal(err)
		}
	}
	if a := c.answer(request("HEAD", "/nets/rpinet0/debugstream", "")); a.StatusCode != http.StatusOK || a.text != "" {
		t.Errorf("%s %q", a.Status, a.text)
	}
	if a := c.answer(request("GET", "/nets/rpinet0/debug", "")); !strings.Contains(a.text, "\n0.012\t7\t") {
		t.Errorf("afterwards: %s", a.text)
	}
}

// TestDebugJSON is read as it is meant.
func TestDebugJSON(t *testing.T) {
	c := debugged(t)
	var got struct {
		Rows []struct {
			Time   float64
			Cycle  uint64
			Values []*string
		}
	}
	if err := json.Unmarshal([]byte(c.answer(request("GET", "/nets/rpinet0/debug", "", "Accept", forJSON)).text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 7 {
		t.Fatalf("%d rows", len(got.Rows))
	}
	for i, row := range got.Rows {
		if row.Cycle != uint64(i+1) || (row.Values[0] == nil) != (i == 0) || (row.Values[1] == nil) != (i < 2) || row.Values[2] != nil {
			t.Errorf("row %d: %+v", i, row)
		}
	}
}
