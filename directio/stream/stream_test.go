package stream

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

const switchable = `{end=Core::BooleanNetcommIn(Key='end'),out=Core::BooleanNetcommOut(inValue=end.outValue,Key='end'),outTerminate=end.outValue}`

// state returns a member of a row.
func (r rows) member(key, name string) string {
	var m map[string]any
	if json.Unmarshal(r[key], &m) != nil {
		return ""
	}
	text, _ := m[name].(string)
	return text
}

// TestNets: a client sees what is there, what comes, what changes and what goes.
func TestNets(t *testing.T) {
	c := newCell(t, Config{})
	first := c.load(switchable)
	client := c.greeted()
	client.say(`{"id":7,"watch":"nets"}`)
	m := client.next()
	if m.ID != 7 || m.All == nil || len(*m.All) != 1 {
		t.Fatalf("%+v", m)
	}
	known := rows{}
	known.follow(m)
	if known.member(first.Name(), "state") != "READY" || known.member(first.Name(), "cycle") != "2ms" {
		t.Errorf("%s", known[first.Name()])
	}
	second := c.load(switchable)
	client.until(7, &known, func(r rows) bool { return r.member(second.Name(), "state") == "READY" })
	if err := second.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	client.until(7, &known, func(r rows) bool { return r.member(second.Name(), "state") == "RUNNING" })
	if err := first.Unload(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(10 * time.Millisecond)
	client.until(7, &known, func(r rows) bool { return len(r) == 1 })
	client.say(`{"id":8,"end":7}`)
	for m = client.next(); m.Ended == nil; m = client.next() {
		if m.ID != 7 || m.Error != nil {
			t.Fatalf("%+v", m)
		}
	}
	if m.ID != 7 || *m.Ended != "as asked" {
		t.Errorf("%+v", m)
	}
}

// TestRuleThatFires: a client sees why.
func TestRuleThatFires(t *testing.T) {
	c := newCell(t, Config{})
	one, other := c.load(switchable), c.load(switchable)
	if err := one.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	client, known := c.greeted(), rows{}
	client.say(`{"id":1,"watch":"rules"}`)
	r, err := c.core.Rules.Add(t.Context(), rcc.RuleRequest{Condition: one.Name() + ".outend", Start: []string{other.Name()}})
	if err != nil {
		t.Fatal(err)
	}
	key := fmt.Sprint(r.Number())
	client.until(1, &known, func(all rows) bool { return all.member(key, "state") == "ACTIVE" })
	if err := one.Set([]rcc.KeyValue{{Key: "inend", Value: "true"}}); err != nil {
		t.Fatal(err)
	}
	c.advance(20 * time.Millisecond)
	client.until(1, &known, func(all rows) bool { return all.member(key, "state") == "FIRED" })
	var fired facts.RecordedRule
	_ = json.Unmarshal(known[key], &struct {
		Record *facts.Evidence `json:"record"`
	}{&fired.Record})
	v := fired.Record.Variables
	if len(v) != 1 || v[0].Net != one.Name() || v[0].Value != "true" || fired.Record.Tick == "" || !strings.HasPrefix(fired.Record.Account, "The condition was true at the end of tick 2001") {
		t.Errorf("%+v", fired.Record)
	}
}

// TestOtherTopics: each has rows, with keys, in the JSON of the pages.
func TestOtherTopics(t *testing.T) {
	lines := []facts.LogLine{{Number: 41, Level: "DEBUG", Message: "small"}, {Number: 42, Level: "WARN", Message: "<b>"}}
	c := newCell(t, Config{Log: func(after uint64) (list []facts.LogLine) {
		for _, l := range lines {
			if l.Number > after {
				list = append(list, l)
			}
		}
		return list
	}})
	s, err := c.core.Sessions.Open("mine")
	if err != nil {
		t.Fatal(err)
	}
	n := c.load(switchable)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(10 * time.Millisecond)
	for topic, wanted := range map[string]string{
		"sessions":            `"` + s.Name() + `","row":{"name":"s1","description":"mine"`,
		"devices":             `"rcc","row":{"name":"rcc","type":"rcc"`,
		"executors":           `"2ms realtime -1","row":{"period":"2ms"`,
		"incidents":           `[]`,
		`log","level":"debug`: `"41","row":{"number":41,`,
		`log","level":"warn`:  `[{"key":"42","row":{"number":42,"time":"0001-01-01T00:00:00.000Z","level":"WARN","message":"<b>"}}]`,
		`log","level":"error`: `[]`,
		`nets`:                `"uri":"/nets/rpinet0/"`,
	} {
		client := c.greeted()
		client.say(`{"id":1,"watch":"` + topic + `"}`)
		_, text, err := client.ws.ReadMessage()
		if err != nil || !strings.HasPrefix(string(text), `{"id":1,"all":[`) || !strings.Contains(string(text), wanted) {
			t.Errorf("%s: %s, %v; want %s", topic, text, err, wanted)
		}
	}
}

// TestAlive: a client hears something also while nothing changes.
func TestAlive(t *testing.T) {
	c := newCell(t, Config{Alive: 5 * time.Millisecond})
	client := c.greeted()
	_ = client.ws.SetReadDeadline(time.Now().Add(patience))
	for range 3 {
		if _, text, err := client.ws.ReadMessage(); err != nil || string(text) != `{"alive":true}` {
			t.Fatalf("%s, %v", text, err)
		}
	}
}

// TestWrongRequests: each gets one clear error, and the connection goes on.
func TestWrongRequests(t *testing.T) {
	c := newCell(t, Config{Jobs: 2})
	client := c.greeted()
	client.say(`{"id":1,"watch":"nets"}`)
	client.next()
	for _, tt := range []struct {
		message    string
		id         uint32
		code, says string
	}{
		{`garbage`, 0, "request", `message: it is not a request in JSON: invalid character 'g' looking for beginning of value`},
		{``, 0, "request", `message: it is not a request in JSON: EOF`},
		{`[]`, 0, "request", `message: it is not a request in JSON`},
		{`{"id":-1}`, 0, "request", `message: it is not a request in JSON`},
		{`{"id":2,"look":"nets"}`, 0, "request", `message: it is not a request in JSON: unknown field "look"`},
		{`{"watch":"nets"}`, 0, "request", `id: it is missing; number requests from 1 on`},
		{`{"id":2} {"id":3}`, 0, "request", `message: there is more behind the request`},
		{`{"id":1,"watch":"rules"}`, 0, "request", `id: 1 is in use`},
		{`{"id":2}`, 2, "request", `message: it asks for 0 things`},
		{`{"id":2,"watch":"nets","end":1}`, 2, "request", `message: it asks for 2 things`},
		{`{"id":2,"watch":"robots"}`, 2, "request", `watch: "robots" is not a topic; there are devices, executors, incidents, log, nets, rules, sessions`},
		{`{"id":2,"watch":"nets","level":"info"}`, 2, "request", `level: only the log has levels`},
		{`{"id":2,"watch":"log","level":"loud"}`, 2, "request", `level: only the log has levels`},
		{`{"id":2,"end":9}`, 2, "request", `end: nothing that request 9 has begun goes on`},
		{`{"id":2,"watch":"` + strings.Repeat("é", 30_000) + `"}`, 2, "request", `watch: "é`},
	} {
		client.say(tt.message)
		m := client.next()
		if m.Error == nil || m.ID != tt.id || m.Error.Code != tt.code || !strings.HasPrefix(m.Error.Where+": "+m.Error.Message, tt.says) ||
			m.Error.Remedy == "" || len(m.Error.Message) > 500 {
			t.Errorf("%.60s: %+v %+v", tt.message, m, m.Error)
		}
	}
	client.say(`{"id":2,"watch":"rules"}`)
	client.next()
	client.say(`{"id":3,"watch":"log"}`)
	if m := client.next(); m.Error == nil || m.Error.Code != "limit" || m.ID != 3 {
		t.Errorf("%+v", m)
	}
}
