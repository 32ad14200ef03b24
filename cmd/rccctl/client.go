package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	dio "github.com/softrobot-rcc/rccd/directio/client"
)

const (
	patience    = 30 * time.Second // for one answer of the daemon
	longestText = 64 << 20         // of an answer
)

func defaultURL() *url.URL { return &url.URL{Scheme: "http", Host: "127.0.0.1:8080"} }

// address is that of a daemon, as a flag.
type address struct{ *url.URL }

func (a *address) flag(set *flag.FlagSet) { set.Var(a, "url", "`address` of the daemon") }

func (a address) String() string {
	if a.URL == nil {
		return ""
	}
	return a.URL.String()
}

// Set reads an address. The scheme may be missing.
func (a *address) Set(text string) error {
	u, err := dio.Address(text)
	if err == nil {
		a.URL = u
	}
	return err
}

// target is the daemon that a command is for.
type target struct {
	address
	instance string // empty for any
}

// instanceVariable names the instance where no flag does, for all commands of a script.
const instanceVariable = "RCCD_INSTANCE"

func usualTarget() target { return target{address{defaultURL()}, os.Getenv(instanceVariable)} }

func (t *target) flag(set *flag.FlagSet) {
	t.address.flag(set)
	set.StringVar(&t.instance, "instance", t.instance, "`name` of the daemon as rccctl instance prints it: one that was started again is refused ($"+instanceVariable+")")
}

// client talks to a daemon over HTTP.
type client struct {
	target
	patience time.Duration
}

// clientFlag adds the flags for the daemon to a command.
func (s streams) clientFlag(set *flag.FlagSet) *client {
	c := &client{s.daemon, patience}
	c.flag(set)
	return c
}

// place returns the address of something that has a name.
func place(list, name string, rest ...string) string {
	escaped := url.PathEscape(name)
	if strings.Trim(name, ".") == "" {
		escaped = strings.ReplaceAll(name, ".", "%2E") // or it would lead one level up
	}
	return "/" + list + "/" + escaped + "/" + strings.Join(rest, "/")
}

func netPlace(name string, rest ...string) string { return place("nets", name, rest...) }

// unreachable is returned when there is no daemon, or it does not answer.
type unreachable struct{ cause error }

func (e *unreachable) Error() string { return "no connection: " + e.cause.Error() }

func (e *unreachable) Unwrap() error { return e.cause }

// refusal is what the daemon says when it does not do something.
type refusal struct {
	Status  int      `json:"status"`
	Where   string   `json:"where"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
	Message string   `json:"message"`
	Remedy  string   `json:"remedy"`
	Reasons []reason `json:"reasons"`

	Warnings []reason `json:"warnings"`
}

// reason is one thing that is wrong with a net.
type reason struct {
	Block, Port, Text string
	Line, Column      int
}

// row returns a reason in a table.
func (r reason) row() []string {
	return []string{strings.TrimPrefix(strings.TrimSuffix(r.Block+"."+r.Port, "."), "."), r.Text + r.place()}
}

// String puts the primitive first, and the place in the text last.
func (r reason) String() string { return r.text() + r.place() }

// text has the primitive first.
func (r reason) text() string {
	switch {
	case r.Block == "" && r.Port == "":
		return r.Text
	case r.Port == "":
		return r.Block + ": " + r.Text
	}
	return strings.TrimPrefix(r.Block+"."+r.Port, ".") + ": " + r.Text
}

// in returns where the reason stands in a file.
func (r reason) in(file string) string {
	if r.Line == 0 {
		return shownAs(file)
	}
	return inText(file, r.Line, r.Column)
}

// place returns where the reason stands in the text of the net.
func (r reason) place() string {
	if r.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d, column %d)", r.Line, r.Column)
}

// Error puts each reason, and what can be done, in a line of its own. A single reason is in the message already.
func (e *refusal) Error() string {
	text := e.Message
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	if len(e.Reasons) > 1 {
		for _, r := range e.Reasons {
			text += "\n  " + r.String()
		}
	}
	for _, w := range e.Warnings {
		text += "\n  warning: " + w.String()
	}
	if e.Remedy != "" {
		text += "\n" + e.Remedy
	}
	return text
}

// request is what is asked of the daemon.
type request struct {
	method string
	path   string // escaped
	query  url.Values
	accept string
	media  string // of the body
	body   string
}

const typeJSON = "application/json"

// instanceHeader is how a daemon says which one it is, and is asked to be.
const instanceHeader = "Rccd-Instance"

// get fetches something as JSON.
func (c *client) get(path string) (json.RawMessage, error) {
	return c.json(request{method: http.MethodGet, path: path})
}

// post sends a form.
func (c *client) post(path string, form url.Values) (json.RawMessage, error) {
	return c.json(request{
		method: http.MethodPost, path: path, media: "application/x-www-form-urlencoded", body: form.Encode(),
	})
}

func (c *client) json(r request) (json.RawMessage, error) {
	r.accept = typeJSON
	body, err := c.do(r)
	if err == nil && !json.Valid(body) {
		return nil, &refusal{Where: c.String(), Message: "the server there is not rccd"}
	}
	return body, err
}

func (c *client) do(q request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.patience)
	defer cancel()
	u := c.JoinPath(q.path)
	u.RawQuery = q.query.Encode()
	r, err := http.NewRequestWithContext(ctx, q.method, u.String(), strings.NewReader(q.body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", q.accept)
	if c.instance != "" {
		r.Header.Set(instanceHeader, c.instance)
	}
	if q.media != "" {
		r.Header.Set("Content-Type", q.media)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, &unreachable{err}
	}
	defer func() { _ = answer.Body.Close() }()
	if is := answer.Header.Get(instanceHeader); c.instance == "" && is != "" {
		c.instance = is // what follows is for the same one
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestText+1))
	switch {
	case err != nil:
		return nil, &unreachable{err}
	case len(body) > longestText:
		return nil, &refusal{Where: u.String(), Message: "the answer is longer than " + strconv.Itoa(longestText) + " bytes"}
	case answer.StatusCode >= http.StatusBadRequest:
		return nil, refusalOf(answer, body)
	}
	return body, nil
}

func refusalOf(answer *http.Response, body []byte) error {
	r := new(refusal)
	if json.Unmarshal(body, r) != nil || r.Message == "" {
		return &refusal{Status: answer.StatusCode, Where: answer.Request.URL.String(), Message: answer.Status}
	}
	return r
}

// refuseCall ends a command whose request has failed.
func (s streams) refuseCall(err error) int { return s.refuse(codeOf(err), err) }

func codeOf(err error) int {
	if errors.As(err, new(*unreachable)) {
		return noConnection
	}
	return failed
}

// show writes an answer: unchanged for programs, or through text for people.
func (s streams) show(answer json.RawMessage, asJSON bool, view any, text func(io.Writer) error) int {
	if asJSON {
		return s.answer(showJSON(s.out, answer))
	}
	if err := json.Unmarshal(answer, view); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	return s.answer(text(s.out))
}

func showJSON(out io.Writer, answer json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(answer), "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := out.Write(harmlessJSON(b.Bytes()))
	return err
}

// ask returns a command that asks one question.
func (s streams) ask(daemon *client, path string, asJSON bool, view any, text func(io.Writer) error) int {
	answer, err := daemon.get(path)
	if err != nil {
		return s.refuseCall(err)
	}
	return s.show(answer, asJSON, view, text)
}
