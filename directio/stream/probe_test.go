package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/rcc"
)

// spiking has an input, a vector made of it, and a constant.
const spiking = `{in=Core::DoubleNetcommIn(Key='v'),v=World::VectorFromXYZ(inX=in.outValue,inY=in.outValue,inZ=in.outValue),` +
	`xyz=World::VectorToXYZ(inValue=v.outValue),out=Core::DoubleNetcommOut(inValue=xyz.outX,Key='v'),c=Core::DoubleValue(Value='2.5'),` +
	`o=Core::DoubleNetcommOut(inValue=c.outValue,Key='c'),outTerminate=Core::BooleanNetcommIn(Key='end').outValue}`

// block reads on until there is a message with samples, or another one about the request.
func (c *client) block() (list []pixelRow, lost uint32, other *told) {
	c.t.Helper()
	_ = c.ws.SetReadDeadline(time.Now().Add(patience))
	for {
		kind, message, err := c.ws.ReadMessage()
		if err != nil {
			c.t.Fatal(err)
		}
		if kind == websocket.BinaryMessage {
			_, lost, list = decode(c.t, message)
			return list, lost, nil
		}
		m := new(told)
		if err := json.Unmarshal(message, m); err != nil {
			c.t.Fatal(err)
		}
		if !m.Alive {
			return nil, 0, m
		}
	}
}

func (c *cell) set(n *rcc.Net, key, text string) {
	c.t.Helper()
	if err := n.Set([]rcc.KeyValue{{Key: key, Value: text}}); err != nil {
		c.t.Fatal(err)
	}
}

// TestProbe: a spike of one cycle in a pixel of fifty is seen, by component and norm; constants are told once; the end of the net ends it.
func TestProbe(t *testing.T) {
	c := newCell(t, Config{})
	n := c.load(spiking)
	if len(n.Problems()) > 0 {
		t.Fatal(n.Problems())
	}
	c.set(n, "inv", "1")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	client := c.greeted()
	client.say(fmt.Sprintf(`{"id":5,"probe":{"net":%q,"ports":[{"path":"in","port":"outValue"},{"path":"v","port":"outValue","norm":true},{"path":"c","port":"outValue"}],`+
		`"rate":50,"pixels":10,"window":1}}`, n.Name()))
	_, _, m := client.block()
	if m == nil || m.Probe == nil || m.ID != 5 {
		t.Fatalf("%+v", m)
	}
	text, _ := json.Marshal(m.Probe.Ports)
	if want := `[{"name":"in.outValue","type":"double","numbers":1},` +
		`{"name":"v.outValue","type":"vector","numbers":4,"components":["x","y","z","norm"]},` +
		`{"name":"c.outValue","type":"double","numbers":0,"constant":true,"value":"2.5"}]`; string(text) != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	c.advance(50 * time.Millisecond)
	c.set(n, "inv", "-200")
	c.advance(2 * time.Millisecond)
	c.set(n, "inv", "1")
	c.advance(198 * time.Millisecond)
	var known []pixelRow
	for len(known) < 3 {
		list, lost, other := client.block()
		if other != nil || lost > 0 {
			t.Fatalf("%+v, lost %d", other, lost)
		}
		known = merge(known, list)
	}
	first := known[0]
	if first.Low[0][0] != -200 || first.High[0][0] != 1 || first.Low[1][2] != -200 || first.High[1][2] != 1 || first.High[1][3] < 346 || first.Low[1][3] > 2 {
		t.Errorf("the spike is not there: %+v", first)
	}
	if second := known[1]; second.Low[0][0] != 1 || second.Given[0] != someGiven {
		t.Errorf("%+v", second)
	}
	c.set(n, "inend", "true")
	c.advance(10 * time.Millisecond)
	for m = nil; m == nil; {
		_, _, m = client.block()
	}
	if m.ID != 5 || m.Ended == nil || !strings.Contains(*m.Ended, "it has ended") {
		t.Errorf("%+v", m)
	}
}

// TestProbesAreShared: who looks at the same ports costs the net nothing more, each is told at its own pace, and nothing is left when the last one
// has gone.
func TestProbesAreShared(t *testing.T) {
	c := newCell(t, Config{})
	n := c.load(spiking)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := fmt.Sprintf(`{"id":1,"probe":{"net":%q,"ports":[{"path":"in","port":"outValue"}]}}`, n.Name())
	var clients []*client
	for range 5 {
		client := c.greeted()
		client.say(ask)
		if _, _, m := client.block(); m == nil || m.Probe == nil {
			t.Fatalf("%+v", m)
		}
		clients = append(clients, client)
	}
	probes := func() int {
		c.stream.probes.mu.Lock()
		defer c.stream.probes.mu.Unlock()
		return len(c.stream.probes.byKey)
	}
	if probes() != 1 {
		t.Fatalf("%d probes", probes())
	}
	var shared *rcc.Probe
	for _, s := range c.stream.probes.byKey {
		shared = s.probe
	}
	c.advance(20 * time.Millisecond)
	for _, client := range clients {
		if list, _, m := client.block(); len(list) == 0 {
			t.Errorf("%+v", m)
		}
		_ = client.ws.Close()
		<-c.ends
	}
	if probes() != 0 {
		t.Errorf("%d probes are left", probes())
	}
	if err := shared.Read(math.MaxUint64, &rcc.Samples{}); !errors.Is(err, rcc.ErrState) {
		t.Errorf("the net is still probed: %v", err)
	}
}

// TestWrongProbes: each gets one clear error.
func TestWrongProbes(t *testing.T) {
	c := newCell(t, Config{})
	n := c.load(spiking)
	client := c.greeted()
	const one = `[{"path":"in","port":"outValue"}]`
	for _, tt := range []struct{ probe, code, says string }{
		{`{}`, "request", "probe.net: it is missing"},
		{`{"net":"nope","ports":` + one + `}`, "no-net", `net "nope": no such net`},
		{`{"net":"NET"}`, "request", "probe.ports: there are 0, a probe has 1 to 512"},
		{`{"net":"NET","ports":[` + strings.Repeat(`{"path":"in","port":"outValue"},`, 512) + `{}]}`, "request", "probe.ports: there are 513"},
		{`{"net":"NET","ports":[{"path":"in","port":"out"}]}`, "no-such-name", `net "NET": `},
		{`{"net":"NET","ports":` + one + `,"rate":1000}`, "request", "probe.rate: 1000 messages a second are outside"},
		{`{"net":"NET","ports":` + one + `,"rate":-1}`, "request", "probe.rate"},
		{`{"net":"NET","ports":` + one + `,"pixels":1000000}`, "request", "probe.pixels"},
		{`{"net":"NET","ports":` + one + `,"window":1e300}`, "request", "probe.window"},
		{`{"net":"NET","ports":[{"path":"in","port":"outValue","norm":true}]}`, "request", "probe.ports: in.outValue is of type double, which has no norm"},
	} {
		client.say(`{"id":1,"probe":` + strings.ReplaceAll(tt.probe, "NET", n.Name()) + `}`)
		m := client.next()
		if m.Error == nil || m.ID != 1 || m.Error.Code != tt.code || !strings.HasPrefix(m.Error.Where+": "+m.Error.Message, strings.ReplaceAll(tt.says, "NET", n.Name())) {
			t.Errorf("%.80s: %+v %+v", tt.probe, m, m.Error)
		}
	}
	if len(c.stream.probes.byKey) > 0 {
		t.Errorf("%d probes are left", len(c.stream.probes.byKey))
	}
}
