package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// protocolVersion is that of the messages. Members may be added in the same version.
const protocolVersion = 1

// Request is a message of a client: it has a number and one other member; a change also has a scope.
type Request struct {
	ID       uint32           `json:"id"`              // chosen by the client, from 1 on; answers to the request have the same
	Watch    string           `json:"watch,omitempty"` // a topic
	Level    string           `json:"level,omitempty"` // of the log: the lowest one
	Probe    *ProbeRequest    `json:"probe,omitempty"`
	Scope    *scope.Setup     `json:"scope,omitempty"`
	Change   uint32           `json:"change,omitempty"` // with scope: the request whose scope gets this setup
	Arm      uint32           `json:"arm,omitempty"`    // the request whose scope waits for its next trigger
	Measure  *CaptureOf       `json:"measure,omitempty"`
	Spectrum *SpectrumRequest `json:"spectrum,omitempty"`
	End      uint32           `json:"end,omitempty"` // the request to end
}

// Hello is the first message of the daemon.
type Hello struct {
	Rccd     int    `json:"rccd"` // version of the protocol
	Instance string `json:"instance"`
	Version  string `json:"version"`
}

// Row is an element of a topic.
type Row struct {
	Key string          `json:"key"`
	Row json.RawMessage `json:"row"`
}

// Changes are rows of a topic: All replaces what the client knows, Changed and Gone change it.
type Changes struct {
	ID      uint32   `json:"id"`
	All     []Row    `json:"all,omitempty"`
	Changed []Row    `json:"changed,omitempty"`
	Gone    []string `json:"gone,omitempty"`
	Left    uint64   `json:"left,omitempty"` // changes in between that were left out
}

// Failure is an error. It has no ID if the message had none, or one that is in use.
type Failure struct {
	ID    uint32              `json:"id,omitempty"`
	Error *pages.ProblemError `json:"error"`
}

// Ended is the last message about a request.
type Ended struct {
	ID    uint32 `json:"id"`
	Ended string `json:"ended"` // why
}

// Alive is sent after silence.
type Alive struct {
	Alive bool `json:"alive"`
}

// say sends a message as JSON.
func (c *conversation) say(message any) {
	text, err := facts.JSON(message)
	if err != nil {
		c.failed = errors.Join(c.failed, err)
		return
	}
	c.write(c.writeText, func(room []byte) []byte { return append(room, bytes.TrimSpace(text)...) })
}

func (c *conversation) writeText(message []byte) error { return c.conn.WriteMessages(message) }

// fail answers a request that was not carried out.
func (c *conversation) fail(id uint32, err error) {
	c.say(Failure{id, pages.ProblemOf(err)})
}

// answer carries out one message of the client.
func (c *conversation) answer(ctx context.Context, message string) {
	q, err := parse(message)
	if err != nil {
		c.fail(0, err)
		return
	}
	if c.find(q.ID) != nil {
		c.fail(0, pages.Refuse(pages.CodeRequest, "id", "%d is in use; take a new number for each request", q.ID))
		return
	}
	if err := c.carryOut(ctx, q); err != nil {
		c.fail(q.ID, err)
	}
}

// parse reads a request.
func parse(message string) (q Request, err error) {
	in := json.NewDecoder(strings.NewReader(message))
	in.DisallowUnknownFields()
	if err = in.Decode(&q); err != nil {
		return q, pages.Refuse(pages.CodeRequest, "message", "it is not a request in JSON: %s", shorten(strings.TrimPrefix(err.Error(), "json: ")))
	}
	if _, err = in.Token(); !errors.Is(err, io.EOF) {
		return q, pages.Refuse(pages.CodeRequest, "message", "there is more behind the request; send each one in a message of its own")
	}
	if q.ID == 0 {
		return q, pages.Refuse(pages.CodeRequest, "id", "it is missing; number requests from 1 on")
	}
	return q, nil
}

// shorten bounds what an answer repeats of a text from outside.
func shorten(text string) string {
	const most = 100
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func (c *conversation) carryOut(ctx context.Context, q Request) error {
	asked := 0
	for _, is := range []bool{q.Watch != "", q.Probe != nil, q.Scope != nil, q.Arm != 0, q.Measure != nil, q.Spectrum != nil, q.End != 0} {
		if is {
			asked++
		}
	}
	switch {
	case asked != 1:
		return pages.Refuse(pages.CodeRequest, "message", "it asks for %d things; a request has one of watch, probe, scope, arm, measure, spectrum and end", asked)
	case q.Change != 0 && q.Scope == nil:
		return pages.Refuse(pages.CodeRequest, "change", "it needs the new setup in scope")
	case q.End != 0:
		return c.end(q.End)
	case q.Change != 0:
		return c.change(ctx, &q)
	case q.Arm != 0:
		return c.arm(&q)
	case q.Measure != nil:
		return c.measure(&q)
	case q.Spectrum != nil:
		return c.spectrum(&q)
	case len(c.jobs) >= c.server.cfg.Jobs:
		return pages.Refuse(pages.CodeLimit, "connection", "it has begun %d things already, and %d are allowed at a time", len(c.jobs), c.server.cfg.Jobs)
	}
	j, err := c.begin(ctx, q)
	if err != nil {
		return err
	}
	c.jobs = append(c.jobs, &running{q.ID, j})
	return nil
}

func (c *conversation) begin(ctx context.Context, q Request) (job, error) {
	if q.Probe != nil {
		return c.probe(ctx, q.ID, q.Probe)
	}
	if q.Scope != nil {
		return c.scope(ctx, q.ID, q.Scope)
	}
	return c.watch(q)
}

// end ends what a request has begun.
func (c *conversation) end(id uint32) error {
	r := c.find(id)
	if r == nil {
		return pages.Refuse(pages.CodeRequest, "end", "nothing that request %d has begun goes on", id)
	}
	c.drop(r)
	c.say(Ended{ID: id, Ended: "as asked"})
	return nil
}

// appendRows appends rows as a list.
func appendRows(room []byte, rows []*row) []byte {
	room = append(room, '[')
	for i, r := range rows {
		if i > 0 {
			room = append(room, ',')
		}
		room = append(room, `{"key":`...)
		room = appendString(room, r.key)
		room = append(room, `,"row":`...)
		room = append(room, r.text...)
		room = append(room, '}')
	}
	return append(room, ']')
}

// appendString appends a text as JSON.
func appendString(room []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // there is no text that cannot be
	return append(room, quoted...)
}
