package pages

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestBadRequests sends the requests of a corpus as bytes, in every form of answer. Each has its expected answer, changes
// nothing, and becomes part of no page and no header.
func TestBadRequests(t *testing.T) {
	const file, wantSuffix = "testdata/bad.txtar", ".want"
	corpus, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range corpus.Files {
		want[f.Name] = string(f.Data)
	}
	fresh := txtar.Archive{Comment: corpus.Comment}
	for _, f := range corpus.Files {
		if strings.HasSuffix(f.Name, wantSuffix) {
			continue
		}
		got := badRequest(t, f.Name, string(f.Data))
		fresh.Files = append(fresh.Files, f, txtar.File{Name: f.Name + wantSuffix, Data: []byte(got)})
		if diff := cmp.Diff(want[f.Name+wantSuffix], got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(&fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// badRequest answers a request of the corpus in short.
func badRequest(t *testing.T, name, text string) string {
	t.Helper()
	c := furnished(t)
	before := c.condition()
	var short, status string
	for _, accept := range []string{forJSON, browser, "*/*"} {
		r, err := parseRequest(text, accept)
		if err != nil {
			return "no request of HTTP: " + err.Error() + "\n"
		}
		a := c.answer(r)
		if accept != forJSON && strings.Contains(a.text, "<xss>") { // JSON is never taken for a page
			t.Errorf("%s: what was sent is part of the answer to %s: %s", name, accept, a.text)
		}
		for header, values := range a.Header {
			for _, v := range values {
				if strings.ContainsAny(v, "\r\n\x00") {
					t.Errorf("%s: header %s: %q", name, header, v)
				}
			}
		}
		if accept == forJSON {
			short, status = shortAnswer(a), a.Status
		} else if a.Status != status && !strings.HasPrefix(a.Status, "3") {
			t.Errorf("%s: %s, but %s to %s", name, status, a.Status, accept)
		}
	}
	if diff := cmp.Diff(before, c.condition()); diff != "" {
		t.Errorf("%s has changed something:\n%s", name, diff)
	}
	return short
}

// parseRequest makes a request of a line, headers, an empty line and a body.
func parseRequest(text, accept string) (*http.Request, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	body = strings.TrimSuffix(body, "\n")
	line, headers, _ := strings.Cut(head, "\n")
	raw := line + " HTTP/1.1\r\nAccept: " + accept + "\r\n"
	if !strings.Contains(headers, "Host:") {
		raw += "Host: " + host + "\r\n"
	}
	if headers != "" {
		raw += strings.ReplaceAll(headers, "\n", "\r\n") + "\r\n"
	}
	raw += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	return http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
}

// shortAnswer returns what counts of an answer: the status, and of an error its code, place and message.
func shortAnswer(a response) string {
	var p struct {
		Code, Where, Message string
		Line, Column         int
		Reasons              []reason
		Error                *problem
	}
	if strings.HasPrefix(a.Header.Get("Content-Type"), typeJSON) && json.Unmarshal([]byte(a.text), &p) == nil {
		if p.Error != nil {
			p.Code, p.Where, p.Message, p.Reasons = string(p.Error.Code), p.Error.Where, p.Error.Message, p.Error.Reasons
		}
		text := fmt.Sprintf("%s %s\n%s: %s\n", a.Status, p.Code, p.Where, p.Message)
		for _, r := range p.Reasons {
			text += fmt.Sprintf("%d %s %s: %s\n", r.Minor, r.Block, r.Port, r.Text)
		}
		return text
	}
	return a.Status + " " + a.Header.Get("Location") + "\n" + a.text
}

// condition returns what a bad request must not change: the states of nets and rules, sessions, inputs. Rejected nets that come
// with it are all right.
func (c *cell) condition() []string {
	c.t.Helper()
	c.advance(4 * time.Millisecond)
	var list []string
	for _, n := range c.Nets.All() {
		if state := n.State().String(); state != "REJECTED" {
			list = append(list, n.Name()+" "+state+" "+fmt.Sprint(n.Inputs()))
		}
	}
	for _, r := range c.Rules.All() {
		state, _ := r.State()
		list = append(list, fmt.Sprint("rule ", r.Number(), " ", state))
	}
	for _, s := range c.Sessions.All() {
		list = append(list, s.Name())
	}
	return list
}
