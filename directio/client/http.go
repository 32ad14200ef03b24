package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// The daemon answers over HTTP, at the same address, what DirectIO has no command for.

const longestAnswer = 64 << 20

// place returns the path of something that has a name.
func place(list, name string, rest ...string) string {
	escaped := url.PathEscape(name)
	if strings.Trim(name, ".") == "" {
		escaped = strings.ReplaceAll(name, ".", "%2E") // or it would lead one level up
	}
	return "/" + list + "/" + escaped + "/" + strings.Join(rest, "/")
}

// get fetches something.
func (d *Daemon) get(ctx context.Context, path string, into any) error {
	return d.getOf(ctx, d.instance(), path, into)
}

// getOf fetches something that is known by a name of an instance.
func (d *Daemon) getOf(ctx context.Context, instance, path string, into any) error {
	body, err := d.request(ctx, instance, http.MethodGet, path, "", http.NoBody)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("GET %s: the server there is not rccd: %w", path, err)
	}
	return nil
}

// post sends a form.
func (d *Daemon) post(ctx context.Context, path string, form url.Values) error {
	_, err := d.request(ctx, d.instance(), http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	return err
}

// instance returns the instance of the connection, or of the last one.
func (d *Daemon) instance() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.client.instance
}

// request sends a body of a media type to an instance, and returns the answer. Another one does nothing: the error is ErrRestarted then.
func (d *Daemon) request(ctx context.Context, instance, method, path, media string, content io.Reader) ([]byte, error) {
	if d.stop.Err() != nil {
		return nil, &LostError{Cause: ErrClosed}
	}
	r, err := http.NewRequestWithContext(ctx, method, d.address.JoinPath(path).String(), content)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if instance != "" {
		r.Header.Set(instanceHeader, instance)
	}
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	answer, err := d.http.Do(r)
	if err != nil {
		if given := ctx.Err(); given != nil {
			return nil, given
		}
		return nil, &LostError{Cause: err, Sent: method != http.MethodGet}
	}
	defer func() { _ = answer.Body.Close() }() // it has been read
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestAnswer))
	switch {
	case err != nil:
		return nil, &LostError{Cause: err, Sent: true}
	case isOther(answer, instance):
		return nil, fmt.Errorf("%s %s: %w", method, path, ErrRestarted)
	case answer.StatusCode >= http.StatusBadRequest:
		return nil, refusal(method+" "+path, answer, body)
	}
	return body, nil
}

// isOther reports whether another instance than the one that was meant has answered, and done nothing.
func isOther(answer *http.Response, meant string) bool {
	is := answer.Header.Get(instanceHeader)
	return answer.StatusCode == http.StatusPreconditionFailed && is != "" && is != meant
}

// refusal is why the daemon has refused a request.
func refusal(request string, answer *http.Response, body []byte) error {
	var p struct {
		Where, Message, Code string

		Reasons []Reason
	}
	if json.Unmarshal(body, &p) != nil || p.Message == "" {
		return &RefusedError{Command: request, Message: answer.Status}
	}
	message := p.Message
	if len(p.Reasons) > 1 { // a single one is the message
		for _, r := range p.Reasons {
			message += "; " + r.String()
		}
	}
	if p.Where != "" {
		message = p.Where + ": " + message
	}
	return &RefusedError{Command: request, Message: message, busy: p.Code == busy}
}

// busy is how the daemon calls it that there is too much of something already.
const busy = "busy"
