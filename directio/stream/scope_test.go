package stream

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// ticking counts its cycles; hit is true in each fiftieth one.
const ticking = `{sum=Core::IntAdd(inFirst=last.outValue,Second='1'),pre=Core::IntPre(inValue=sum.outValue),first=Core::IntIsNull(inValue=pre.outValue),` +
	`last=Core::IntConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),part=Core::IntDivide(inFirst=sum.outValue,Second='50'),` +
	`whole=Core::IntMultiply(inFirst=part.outValue,Second='50'),hit=Core::IntEquals(inFirst=sum.outValue,inSecond=whole.outValue),` +
	`outTerminate=Core::BooleanNetcommIn(Key='end').outValue}`

const setupOf = `{"name":"a","channels":[{"name":"hit","source":{"net":"NET","path":"hit","port":"outValue"}},{"name":"n","source":{"net":"NET","path":"sum","port":"outValue"}}],` +
	`"before":0.01,"after":0.01,"mode":"single","trigger":{"kind":"edge","channel":"hit"}}`

// answer is any message about a scope.
type answer struct {
	ID       uint32
	Phase    scope.Phase
	Left     int
	Scope    *Channels
	Measures []struct{ Maximum *float64 }
	Spectrum *scope.Spectrum
	Ended    string
	Error    *struct{ Code, Where, Message string }
	capture  *scope.Capture
	size     int
}

// hear reads on until a message is as wanted.
func (c *client) hear(wanted func(a answer) bool) answer {
	c.t.Helper()
	for {
		_ = c.ws.SetReadDeadline(time.Now().Add(patience))
		kind, b, err := c.ws.ReadMessage()
		if err != nil {
			c.t.Fatal(err)
		}
		var a answer
		if kind == websocket.BinaryMessage {
			if b[0] != 2 {
				continue
			}
			a.ID, a.capture, a.size = binary.LittleEndian.Uint32(b[4:]), &scope.Capture{}, len(b)
			b = b[16 : 16+binary.LittleEndian.Uint32(b[12:])]
			err = json.Unmarshal(b, a.capture)
		} else {
			err = json.Unmarshal(b, &a)
		}
		if err != nil {
			c.t.Fatalf("%s: %v", b, err)
		}
		if wanted(a) {
			return a
		}
	}
}

func ofRequest(id uint32) func(a answer) bool { return func(a answer) bool { return a.ID == id } }

// TestScope: a client gives a setup, is told of the channels, waits, gets a capture, asks about it, arms again, changes the
// setup.
func TestScope(t *testing.T) {
	c := newCell(t, Config{})
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: ticking, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	setup := strings.ReplaceAll(setupOf, "NET", n.Name())
	client := c.greeted()
	client.say(`{"id":4,"scope":` + setup + `}`)
	if a := client.hear(ofRequest(4)); a.Scope == nil || len(a.Scope.Channels) != 2 || a.Scope.Channels[0].Type != "bool" || a.Scope.Channels[1].Period != 1e6 {
		t.Fatalf("%+v", a)
	}
	client.hear(func(a answer) bool { return a.Phase == scope.Armed })
	c.advance(120 * time.Millisecond)
	first := client.hear(func(a answer) bool { return a.capture != nil })
	if first.ID != 4 || first.capture.Number != 1 || len(first.capture.Channels) != 2 || first.capture.Why != "edge" || first.size < 21*(8+9+9) {
		t.Fatalf("%+v", first)
	}
	client.say(`{"id":5,"measure":{"scope":4,"capture":1,"from":0,"to":0}}`)
	if a := client.hear(ofRequest(5)); len(a.Measures) != 2 || *a.Measures[0].Maximum != 1 || *a.Measures[1].Maximum != 50 {
		t.Errorf("%+v", a)
	}
	client.say(`{"id":6,"spectrum":{"scope":4,"channel":"n","window":"hann"}}`)
	if a := client.hear(ofRequest(6)); a.Spectrum == nil || a.Spectrum.Samples != 20 || a.Spectrum.Step != 50 {
		t.Errorf("%+v", a)
	}
	// Nothing more is caught before it is armed.
	c.advance(120 * time.Millisecond)
	client.say(`{"id":7,"arm":4}`)
	client.hear(ofRequest(7))
	c.advance(120 * time.Millisecond)
	if a := client.hear(func(a answer) bool { return a.capture != nil }); a.capture.Number != 2 || a.capture.Trigger <= first.capture.Trigger+99e6 {
		t.Errorf("%+v", a.capture)
	}
	client.say(`{"id":8,"change":4,"scope":` + strings.Replace(strings.Replace(setup, `"single"`, `"auto"`, 1), `"kind":"edge","channel":"hit"`, `"kind":"none"`, 1) + `}`)
	if a := client.hear(ofRequest(8)); a.Scope == nil {
		t.Fatalf("%+v", a)
	}
	// Many captures at once: those that are no longer kept are told as left out.
	c.advance(time.Second)
	a := client.hear(func(a answer) bool { return a.Left > 0 || a.capture != nil })
	if a.Left == 0 {
		a = client.hear(func(a answer) bool { return a.Left > 0 })
	}
	client.say(`{"id":9,"end":4}`)
	client.hear(func(a answer) bool { return a.Ended != "" })

	for i, tt := range []struct{ request, code, where string }{
		{`"scope":{"name":"a"}`, "scope", "setup /channels"},
		{`"scope":` + strings.Replace(setup, n.Name(), "n77", 1), "no-net", `net "n77"`},
		{`"scope":` + strings.Replace(setup, `"hit","port":"outValue"`, `"hit","port":"q"`, 1), "no-such-name", "net"},
		{`"change":4`, "request", "message"},
		{`"change":4,"watch":"nets"`, "request", "change"},
		{`"change":4,"scope":` + setup, "request", "change"},
		{`"arm":4`, "request", "arm"},
		{`"measure":{"scope":4}`, "request", "measure.scope"},
		{`"spectrum":{"scope":4,"channel":"x"}`, "request", "spectrum.scope"},
		{`"arm":4,"end":4`, "request", "message"},
	} {
		id := uint32(20 + i)
		client.say(fmt.Sprintf(`{"id":%d,%s}`, id, tt.request))
		if a := client.hear(ofRequest(id)); a.Error == nil || a.Error.Code != tt.code || !strings.HasPrefix(a.Error.Where, tt.where) {
			t.Errorf("%s: %+v", tt.request, a.Error)
		}
	}
	client.say(`{"id":40,"scope":` + setup + `}`)
	client.hear(ofRequest(40))
	client.say(`{"id":41,"measure":{"scope":40}}`)
	if a := client.hear(ofRequest(41)); a.Error == nil || a.Error.Where != "measure.capture" {
		t.Errorf("%+v", a)
	}
}
