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
	"strings"
	"time"
)

const (
	defaultURL  = "http://127.0.0.1:8080"
	patience    = 30 * time.Second // for one answer of the daemon
	longestText = 64 << 20         // of an answer
)

// client talks to a daemon over HTTP.
type client struct {
	url *url.URL
}

// urlFlag adds the flag for the daemon to a command.
func urlFlag(set *flag.FlagSet, s streams) *client {
	c := &client{url: s.url}
	set.Func("url", "`address` of the daemon, by default "+s.url.String(), func(text string) (err error) {
		c.url, err = parseURL(text)
		return err
	})
	return c
}

func parseURL(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err == nil && (u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https") {
		err = fmt.Errorf("it is not like %s", defaultURL)
	}
	return u, err
}

// unreachable is that there is no daemon, or that it does not answer.
type unreachable struct{ cause error }

func (e *unreachable) Error() string { return "no connection: " + e.cause.Error() }

func (e *unreachable) Unwrap() error { return e.cause }

// refusal is what the daemon says when it does not do something.
type refusal struct {
	Status  int    `json:"status"`
	Where   string `json:"where"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

// Error has what can be done in a line of its own.
func (e *refusal) Error() string {
	text := e.Message
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	if e.Remedy != "" {
		text += "\n" + e.Remedy
	}
	return text
}

// get fetches something as JSON.
func (c *client) get(path string) (json.RawMessage, error) {
	return c.do(http.MethodGet, path, nil)
}

// post sends a form.
func (c *client) post(path string, form url.Values) (json.RawMessage, error) {
	return c.do(http.MethodPost, path, form)
}

func (c *client) do(method, path string, form url.Values) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.url.JoinPath(path).String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, &unreachable{err}
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestText))
	if err != nil {
		return nil, &unreachable{err}
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return nil, refusalOf(answer, body)
	}
	if !json.Valid(body) {
		return nil, &refusal{Where: c.url.String(), Message: "what answers there is not rccd"}
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
func (s streams) refuseCall(err error) int {
	if errors.As(err, new(*unreachable)) {
		return s.refuse(noConnection, err)
	}
	return s.refuse(failed, err)
}

// show writes an answer: as it is for programs, or as text makes of it for people.
func (s streams) show(answer json.RawMessage, asJSON bool, view any, text func(io.Writer) error) int {
	if asJSON {
		var b bytes.Buffer
		if err := json.Indent(&b, bytes.TrimSpace(answer), "", "  "); err != nil {
			return s.refuse(failed, err)
		}
		b.WriteByte('\n')
		_, err := b.WriteTo(s.out)
		return s.answer(err)
	}
	if err := json.Unmarshal(answer, view); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	return s.answer(text(s.out))
}
