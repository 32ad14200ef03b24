package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// fields are the fields of a form in their order.
type fields []rcc.KeyValue

// get returns the first field of that name.
func (f fields) get(name string) (string, bool) {
	i := slices.IndexFunc(f, func(kv rcc.KeyValue) bool { return kv.Key == name })
	if i < 0 {
		return "", false
	}
	return f[i].Value, true
}

// or returns the first field of that name, or a default.
func (f fields) or(name, otherwise string) string {
	if value, ok := f.get(name); ok {
		return value
	}
	return otherwise
}

// list returns the parts of all fields of that name, which may be separated by commas as well.
func (f fields) list(name string) (parts []string) {
	for _, kv := range f {
		if kv.Key != name {
			continue
		}
		for part := range strings.SplitSeq(kv.Value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// body reads the body of a request up to the limit.
func (x *exchange) body() ([]byte, error) {
	if x.r.ContentLength > x.opt.MaxBody {
		return nil, x.refuseBody(x.r.ContentLength)
	}
	text, err := x.readAll(io.LimitReader(x.r.Body, x.opt.MaxBody+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(codeSlow, "body", "did not arrive in time")
	case errors.Is(err, rcc.ErrMemory):
		x.w.Header().Set("Connection", "close")
	case err != nil:
		return nil, refuse(codeForm, "body", "ends early: %v", err)
	case int64(len(text)) > x.opt.MaxBody:
		return nil, x.refuseBody(0)
	}
	return text, err
}

// passedOver is how much of a body that is too large is read all the same.
const passedOver = 32 << 20

// refuseBody refuses a body that is too large. Many clients listen when they have sent everything: they hear the answer only if what they
// send is taken from them.
func (x *exchange) refuseBody(announced int64) error {
	x.w.Header().Set("Connection", "close")
	if waits := x.r.Header.Get("Expect") != ""; !waits && announced <= passedOver {
		_, _ = io.CopyN(io.Discard, x.r.Body, passedOver) // whatever ends it, the answer is the same
	}
	return tooLarge(x.opt.MaxBody)
}

// readAll reads what is there, for as long as there is memory for it.
func (x *exchange) readAll(from io.Reader) (text []byte, err error) {
	if x.received == nil {
		x.received = x.core.Memory.Receive(x.r.RemoteAddr)
	}
	const least = 16 << 10
	for {
		if len(text) == cap(text) {
			room := max(least, 2*cap(text))
			if err := x.received.Take(room); err != nil {
				return nil, err
			}
			text = append(make([]byte, 0, room), text...)
		}
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return text, err
		}
	}
}

// forgetBody gives back the memory of the body, when the request has been answered.
func (x *exchange) forgetBody() {
	if x.received != nil {
		x.received.Close()
	}
}

// media returns the content type of the request and, for a multipart form, its boundary.
func (x *exchange) media() (media, boundary string, err error) {
	header := x.r.Header.Get("Content-Type")
	if header == "" {
		return "", "", nil
	}
	media, params, err := mime.ParseMediaType(header)
	if err != nil {
		return "", "", refuse(codeMedia, "header Content-Type", "%q: %v", short(header), err)
	}
	return media, params["boundary"], nil
}

const (
	mediaForm      = "application/x-www-form-urlencoded"
	mediaMultipart = "multipart/form-data"
	mediaText      = "text/plain"
	mediaOctets    = "application/octet-stream"
)

// fields reads a form of either kind. A body without content type is taken for a form.
func (x *exchange) fields() (fields, error) {
	media, boundary, err := x.media()
	if err != nil {
		return nil, err
	}
	body, err := x.body()
	if err != nil {
		return nil, err
	}
	switch media {
	case mediaMultipart:
		return multipartFields(body, boundary)
	case "", mediaForm, mediaText:
		return parseFields(string(body)), nil
	}
	return nil, refuse(codeMedia, "header Content-Type", "%q is not a form", media)
}

// parseFields reads a form as existing clients write it, URL-encoded or not: braces, brackets, colons
// and blanks may stand for themselves, a percent sign that begins no escape too. A plus sign is a blank.
func parseFields(body string) fields {
	var list fields
	for pair := range strings.SplitSeq(body, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		list = append(list, rcc.KeyValue{Key: unescape(key), Value: unescape(value)})
	}
	return list
}

func unescape(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '+':
			b = append(b, ' ')
		case c == '%' && i+2 < len(text) && digit(text[i+1]) >= 0 && digit(text[i+2]) >= 0:
			b = append(b, byte(digit(text[i+1])<<4|digit(text[i+2])))
			i += 2
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// digit returns the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	i := strings.IndexByte("0123456789abcdefABCDEF", c)
	if i > 15 {
		return i - 6
	}
	return i
}

// multipartMax bounds the parts of a form, none of which has more than a handful.
const multipartMax = 1000

func multipartFields(body []byte, boundary string) (fields, error) {
	var list fields
	for r := multipart.NewReader(bytes.NewReader(body), boundary); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, refuse(codeForm, "body", "not a multipart form: %v", err)
		}
		if len(list) == multipartMax {
			return nil, refuse(codeForm, "body", "it has more than %d parts", multipartMax)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, refuse(codeForm, "body", "part %q: %v", short(part.FormName()), err)
		}
		list = append(list, rcc.KeyValue{Key: part.FormName(), Value: string(value)})
	}
}

// nesting is where a reader of JSON is: in an object or a list.
type nesting struct {
	path   string
	keys   map[string]bool // of an object, nil for a list
	key    string          // that has been read, and whose value comes next
	inside bool            // there is such a key
	index  int             // of the next element of a list
}

// twice looks for a member of an object that is there twice, at any depth. encoding/json takes the last one, other readers the
// first: what somebody has checked before may not be what is done. It returns nil when there is none, and for what is no
// JSON, which others refuse.
func twice(body []byte, as code) *problem {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var in []nesting
	end := 0
	for t, err := d.Token(); err == nil; t, err = d.Token() {
		from := end
		end = int(d.InputOffset())
		var top *nesting
		if len(in) > 0 {
			top = &in[len(in)-1]
		}
		key, isText := t.(string)
		switch {
		case t == json.Delim('}') || t == json.Delim(']'):
			in = in[:len(in)-1]
		case isText && top != nil && top.keys != nil && !top.inside:
			if top.keys[key] {
				return twiceAt(body, from, top.path+key, as)
			}
			top.keys[key], top.key, top.inside = true, key, true
			continue
		case t == json.Delim('{'):
			in = append(in, nesting{path: top.below(), keys: map[string]bool{}})
		case t == json.Delim('['):
			in = append(in, nesting{path: top.below()})
		default:
			top.next()
		}
		if len(in) == 0 {
			return nil
		}
	}
	return nil
}

// below returns how the path of what comes next begins, with which a reader goes on to it.
func (n *nesting) below() string {
	if n == nil {
		return ""
	}
	path := n.path + n.key + "."
	if n.keys == nil {
		path = fmt.Sprintf("%s[%d].", n.path[:max(len(n.path)-1, 0)], n.index)
	}
	n.next()
	return path
}

// next goes on behind a value.
func (n *nesting) next() {
	if n != nil {
		n.inside = false
		n.index++
	}
}

// twiceAt refuses a member whose name is the next text from an offset on.
func twiceAt(body []byte, from int, path string, as code) *problem {
	before := body[:from+bytes.IndexByte(body[from:], '"')]
	pos := grammar.Pos{Line: 1 + bytes.Count(before, []byte{'\n'})}
	pos.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	p := refuse(as, "body", "%s is there twice", short(path))
	p.Line, p.Column = pos.Line, pos.Column
	p.Source = excerpt(string(body), pos)
	return p
}
