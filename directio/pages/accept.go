package pages

import (
	"mime"
	"strconv"
	"strings"
)

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
