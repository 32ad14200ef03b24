package pages

import (
	"encoding/xml"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

const (
	typeXML  = "application/xml; charset=utf-8"
	typeJSON = "application/json"
	typeHTML = "text/html; charset=utf-8"
	typeText = "text/plain; charset=utf-8"
)

// form returns the form that the client wants.
func (x *exchange) form() form { return preferred(x.r.Header.Get("Accept")) }

// show answers with a view in the form that the client wants; page is the template of its HTML.
func (x *exchange) show(status int, page string, view any) error {
	x.w.Header().Set("Vary", "Accept")
	var body []byte
	var err error
	media := typeXML
	switch x.form() {
	case asHTML:
		media = typeHTML
		body, err = x.html(page, view)
	case asJSON:
		media = typeJSON
		body, err = facts.JSON(view)
	default:
		body, err = marshalXML(view)
	}
	if err != nil {
		return err
	}
	x.write(status, media, body)
	return nil
}

// fail answers with an error.
func (x *exchange) fail(err error) {
	p := problemOf(err)
	if p.Code == codeBusy {
		x.w.Header().Set("Retry-After", retryAfter)
	}
	if again := x.show(p.Status, "problem", p); again != nil {
		x.write(p.Status, typeText, []byte(p.Error()+"\n"))
	}
}

// retryAfter is after how many seconds a client that was refused because of others may come again.
const retryAfter = "2"

// answerTime is how long a client may take to read an answer.
const answerTime = 30 * time.Second

// write sends a complete answer. It ignores clients that have gone or do not read.
func (x *exchange) write(status int, media string, body []byte) {
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(answerTime)) // not every writer has one
	h := x.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body)
	}
}

func marshalXML(view any) ([]byte, error) {
	body, err := xml.MarshalIndent(view, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(append([]byte(xml.Header), body...), '\n'), nil
}

// form is a form in which an address answers.
type form uint8

const (
	asXML form = iota // what clients get that ask for nothing
	asJSON
	asHTML
)

// forms by media type. A type with a wildcard asks for nothing in particular.
var forms = map[string]form{
	"text/html": asHTML, "application/xhtml+xml": asHTML, "application/json": asJSON,
	"application/xml": asXML, "text/xml": asXML,
}

// javaDefault begins the header that the library of Java adds where the application asks for nothing.
const javaDefault = "text/html, image/gif, image/jpeg"

// preferred picks the form that an Accept header likes best; of equals the one that says most about who asks: only
// people want HTML, only programs JSON.
func preferred(accept string) form {
	best, bestQ := asXML, 0.0
	if strings.HasPrefix(accept, javaDefault) {
		return best
	}
	for item := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(item)
		f, known := forms[media]
		if err != nil || !known {
			continue
		}
		q := 1.0
		if text, ok := params["q"]; ok {
			q, _ = strconv.ParseFloat(text, 64)
		}
		if q > bestQ || q == bestQ && q > 0 && f > best {
			best, bestQ = f, q
		}
	}
	return best
}
