package scopes

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// Path is the address of scopes.
const Path = "/scope/"

const (
	answerTime  = 2 * time.Minute // that a client may take to read an answer
	largestFile = 64 << 20        // that is opened
	openAtOnce  = 2
)

// Listed is a setup in the list.
type Listed struct {
	Name    string `json:"name"`
	URI     string `json:"uri"`
	Capture int    `json:"capture,omitempty"` // number of the newest capture, if one is kept
}

// List is the answer of /scope/.
type List struct {
	Setups []Listed `json:"setups"`
}

// exchange is a request and its answer.
type exchange struct {
	*Scopes
	w http.ResponseWriter
	r *http.Request
}

// handlers of an address, by method.
type handlers map[string]func(x *exchange, name string) error

// ofAll are the addresses below Path, ofOne those below the address of a setup.
var (
	ofAll = map[string]handlers{
		"":        {http.MethodGet: (*exchange).list, http.MethodPost: (*exchange).put},
		"figures": {http.MethodGet: (*exchange).showFigures},
		"open":    {http.MethodPost: (*exchange).open},
	}
	ofOne = map[string]handlers{
		"":             {http.MethodGet: (*exchange).get, http.MethodPost: (*exchange).put, http.MethodDelete: (*exchange).remove},
		"catch":        {http.MethodPost: (*exchange).catch},
		"capture":      {http.MethodGet: (*exchange).capture},
		"capture.csv":  {http.MethodGet: (*exchange).csv},
		"capture.mcap": {http.MethodGet: (*exchange).mcap},
		"measures":     {http.MethodGet: (*exchange).measures},
		"spectrum":     {http.MethodGet: (*exchange).spectrum},
	}
)

// ServeHTTP answers below Path.
func (s *Scopes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{s, w, r}
	if err := x.answer(); err != nil {
		p := pages.ProblemOf(asProblem(err))
		x.json(p.Status, p)
	}
}

func (x *exchange) answer() error {
	path := x.r.URL.EscapedPath()
	found, name := ofAll[strings.TrimPrefix(path, Path)], ""
	if segment, rest, below := strings.Cut(strings.TrimPrefix(path, Path), "/"); below && segment != "" {
		var err error
		if name, err = url.PathUnescape(segment); err == nil {
			found = ofOne[rest]
		}
	}
	if found == nil {
		return pages.Refuse(pages.CodeNotFound, shorten(path), "no such address")
	}
	method := x.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if found[method] == nil {
		x.w.Header().Set("Allow", found.allow())
		return pages.Refuse(pages.CodeMethod, shorten(path), "%s is not possible here", shorten(x.r.Method))
	}
	return found[method](x, name)
}

func (h handlers) allow() string {
	var methods []string
	for m := range h {
		methods = append(methods, m)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

func (x *exchange) json(status int, view any) {
	text, err := facts.JSON(view)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte("{}\n")
	}
	x.begin(status, "application/json")
	_, _ = x.w.Write(text) // a client that has gone gets nothing
}

// begin begins an answer that the client has to read in time.
func (x *exchange) begin(status int, media string) {
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(answerTime)) // not every writer has one
	x.w.Header().Set("Content-Type", media)
	x.w.Header().Set("Cache-Control", "no-store")
	x.w.Header().Set("X-Content-Type-Options", "nosniff")
	x.w.WriteHeader(status)
}

func (x *exchange) list(string) error {
	view := List{Setups: []Listed{}}
	for _, name := range x.setups.Names() {
		listed := Listed{Name: name, URI: uri(name)}
		if c, err := x.Newest(name); err == nil {
			listed.Capture = c.Number
		}
		view.Setups = append(view.Setups, listed)
	}
	x.json(http.StatusOK, view)
	return nil
}

func uri(name string) string { return Path + url.PathEscape(name) + "/" }

func (x *exchange) get(name string) error {
	setup, err := x.setups.Get(name)
	if err != nil {
		return err
	}
	x.json(http.StatusOK, setup)
	return nil
}

// put keeps a setup. At the address of a setup its name has to be that one.
func (x *exchange) put(name string) error {
	text, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, scope.LargestSetup))
	if err != nil {
		return err
	}
	setup, err := scope.ParseSetup(text)
	if err != nil {
		return err
	}
	if name != "" && setup.Name != name {
		return pages.Refuse(pages.CodeScope, "setup /name", "%q is not the name in the address, %q", setup.Name, shorten(name))
	}
	status := http.StatusCreated
	if slices.Contains(x.setups.Names(), setup.Name) {
		status = http.StatusOK
	}
	if err := x.setups.Put(setup); err != nil {
		return err
	}
	x.w.Header().Set("Location", uri(setup.Name))
	x.json(status, setup)
	return nil
}

func (x *exchange) remove(name string) error {
	if err := x.setups.Delete(name); err != nil {
		return err
	}
	x.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (x *exchange) showFigures(string) error {
	x.json(http.StatusOK, x.figures())
	return nil
}

// How long a request may wait for a capture, in seconds.
const (
	usualWait = 10.0
	mostWait  = 50.0
)

// Caught is the answer to a request that waited for a capture.
type Caught struct {
	Capture  *scope.Capture `json:"capture"`
	Measures []Measured     `json:"measures"`
}

// catch runs a setup until it has caught something.
func (x *exchange) catch(name string) error {
	q, err := x.query("wait")
	if err != nil {
		return err
	}
	wait := usualWait
	if q.Has("wait") {
		if wait, err = strconv.ParseFloat(q.Get("wait"), 64); err != nil || !(wait > 0 && wait <= mostWait) {
			return pages.Refuse(pages.CodeScope, "parameter wait", "%q is not a number of seconds up to %v", shorten(q.Get("wait")), mostWait)
		}
	}
	setup, err := x.setups.Get(name)
	if err != nil {
		return err
	}
	c, err := x.wait(setup, time.Duration(wait*float64(time.Second)))
	if err != nil {
		return err
	}
	x.json(http.StatusOK, Caught{c, Measures(c, Span{})})
	return nil
}

// wait returns the first capture of a setup.
func (x *exchange) wait(setup *scope.Setup, most time.Duration) (*scope.Capture, error) {
	nothing := pages.Refuse(pages.CodeNothing, "scope "+shorten(setup.Name), "it has caught nothing within %v", most)
	ctx, stop := context.WithTimeout(x.r.Context(), most)
	defer stop()
	bell := make(chan struct{}, 1)
	r, err := x.Start(ctx, setup, func() {
		select {
		case bell <- struct{}{}:
		default:
		}
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nothing
	case err != nil:
		return nil, err
	}
	defer r.Close()
	for {
		if c, _ := r.After(0); c != nil {
			return c, nil
		}
		select {
		case <-bell:
		case <-ctx.Done():
			if x.r.Context().Err() != nil {
				return nil, x.r.Context().Err()
			}
			return nil, nothing
		}
	}
}

func (x *exchange) capture(name string) error {
	c, err := x.Newest(name)
	if err != nil {
		return err
	}
	return x.bytes(c)
}

// bytes answers with a capture in the form of the stream.
func (x *exchange) bytes(c *scope.Capture) error {
	b, err := AppendCapture(nil, 0, c)
	if err != nil {
		return err
	}
	x.begin(http.StatusOK, "application/octet-stream")
	_, _ = x.w.Write(b)
	return nil
}

func (x *exchange) csv(name string) error {
	return x.file(name, "csv", "text/csv; charset=utf-8", scope.WriteCSV)
}

func (x *exchange) mcap(name string) error {
	return x.file(name, "mcap", "application/octet-stream", scope.WriteMCAP)
}

// file answers with a capture as a file that browsers save.
func (x *exchange) file(name, extension, media string, write func(io.Writer, *scope.Capture) error) error {
	c, err := x.Newest(name)
	if err != nil {
		return err
	}
	x.w.Header().Set("Content-Disposition", `attachment; filename*=UTF-8''`+url.PathEscape(name+"-"+strconv.Itoa(c.Number)+"."+extension))
	x.begin(http.StatusOK, media)
	_ = write(x.w, c) // fails where the client has gone
	return nil
}

// open answers with the capture that a file has.
func (x *exchange) open(string) error {
	select {
	case x.opening <- struct{}{}:
		defer func() { <-x.opening }()
	default:
		return pages.Refuse(pages.CodeLimit, "file", "%d files are being opened already", openAtOnce)
	}
	c, err := scope.ReadMCAP(http.MaxBytesReader(x.w, x.r.Body, largestFile))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return err
	case err != nil:
		return pages.Refuse(pages.CodeScope, "file", "%v", err)
	}
	return x.bytes(c)
}

func (x *exchange) measures(name string) error {
	c, span, _, err := x.asked(name, "from", "to")
	if err != nil {
		return err
	}
	x.json(http.StatusOK, struct {
		Capture  int        `json:"capture"`
		Measures []Measured `json:"measures"`
	}{c.Number, Measures(c, span)})
	return nil
}

func (x *exchange) spectrum(name string) error {
	c, span, q, err := x.asked(name, "from", "to", "channel", "component", "window")
	if err != nil {
		return err
	}
	made, err := Spectrum(c, q.Get("channel"), q.Get("component"), scope.Shape(q.Get("window")), span)
	if err != nil {
		return err
	}
	x.json(http.StatusOK, made)
	return nil
}

// query returns the parameters of the address, which are known and given once each.
func (x *exchange) query(known ...string) (url.Values, error) {
	q := x.r.URL.Query()
	for key, values := range q {
		switch {
		case key == pages.InstanceName:
		case !slices.Contains(known, key):
			return nil, pages.Refuse(pages.CodeScope, "parameter "+shorten(key), "it has no effect here; this address takes %s", strings.Join(known, ", "))
		case len(values) > 1:
			return nil, pages.Refuse(pages.CodeScope, "parameter "+key, "it is given twice")
		}
	}
	return q, nil
}

// asked returns the newest capture of a setup and what the address asks of it.
func (x *exchange) asked(name string, known ...string) (c *scope.Capture, span Span, q url.Values, err error) {
	if q, err = x.query(known...); err != nil {
		return nil, span, nil, err
	}
	for key, to := range map[string]**float64{"from": &span.From, "to": &span.To} {
		if !q.Has(key) {
			continue
		}
		seconds, err := strconv.ParseFloat(q.Get(key), 64)
		if err != nil || math.IsNaN(seconds) {
			return nil, span, nil, pages.Refuse(pages.CodeScope, "parameter "+key, "%q is not a number of seconds", shorten(q.Get(key)))
		}
		*to = &seconds
	}
	c, err = x.Newest(name)
	return c, span, q, err
}
