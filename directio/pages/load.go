package pages

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// loadNet takes a net in text form: as the body itself, or in the field dionet of a form (§7.6.2). Programs
// that post a bare net often leave the media type to their library, which then calls it a form or octets.
func loadNet(x *exchange) error {
	media, boundary, err := x.media()
	if err != nil {
		return err
	}
	body, err := x.body()
	if err != nil {
		return err
	}
	query := parseFields(x.r.URL.RawQuery)
	switch {
	case media == mediaMultipart:
		f, err := multipartFields(body, boundary)
		if err != nil {
			return err
		}
		return x.loadForm(append(f, query...))
	case media == mediaForm && !looksLikeNet(string(body)) || media == "" && looksLikeForm(string(body)):
		return x.loadForm(append(parseFields(string(body)), query...))
	case media == mediaForm || media == mediaText || media == mediaOctets || media == "":
		return x.loadText(string(body), query)
	}
	return refuse(codeMedia, "header Content-Type", "a net does not come as %q", short(media))
}

// looksLikeNet tells a net from a form, whose first field has no brace in its name.
func looksLikeNet(body string) bool { return strings.HasPrefix(strings.TrimSpace(body), "{") }

// looksLikeForm tells a form without content type from a net, which begins with a brace.
func looksLikeForm(body string) bool {
	key, _, _ := strings.Cut(body, "=")
	switch key {
	case "dionet", "desc", "useparams", "frequency", "isrealtime":
		return true
	}
	return false
}

// loadText answers as one expects of a program's interface: 201, or 422 with all reasons.
func (x *exchange) loadText(text string, query fields) error {
	n, err := x.load(text, query)
	if err != nil {
		return err
	}
	x.w.Header().Set("Location", netURI(n.Name()))
	if n.State() == rcc.Rejected {
		return rejected(n)
	}
	return x.show(http.StatusCreated, "net", x.netView(n))
}

// loadForm answers as existing clients expect: 302, or 503 with the reasons, whether the text or the net is refused.
func (x *exchange) loadForm(f fields) error {
	text, ok := f.get("dionet")
	if !ok {
		if _, ok := f.get("rpinet"); ok {
			return refuse(codeMedia, "field rpinet", "nets in XML are not read")
		}
		return refuse(codeForm, "field dionet", "it is missing")
	}
	text = strings.ReplaceAll(text, "\r\n", "\n") // browsers send the lines of a text field so
	n, err := x.load(text, f)
	switch {
	case err != nil:
		return unavailable(err)
	case n.State() == rcc.Rejected:
		return unavailable(rejected(n))
	}
	x.redirect(http.StatusFound, netURI(n.Name()))
	return nil
}

// unavailable gives a refusal of a net the status of forms.
func unavailable(err error) error {
	var p *problem
	if errors.As(err, &p) && (p.Code == codeSyntax || p.Code == codeRejected) {
		p.Status = http.StatusServiceUnavailable
	}
	return err
}

func (x *exchange) load(text string, f fields) (*rcc.Net, error) {
	req := rcc.LoadRequest{Text: text, Description: f.or("desc", ""), Session: f.or("session", "")}
	var err error
	if req.Period, err = period(f); err != nil {
		return nil, err
	}
	realtime := f.or("realtime", "1")
	if f.or("useparams", "") == "1" {
		realtime = f.or("isrealtime", realtime)
	}
	req.NotRealtime = !yes(realtime)
	n, err := x.core.Load(req)
	if err != nil {
		p := problemOf(err)
		p.Source = excerpt(text, grammar.Pos{Line: p.Line, Column: p.Column})
		return nil, p
	}
	return n, nil
}

func yes(text string) bool { return text == "1" || text == "true" || text == "on" || text == "yes" }

// period is the cycle time: the field cycle, a duration or seconds, or, with useparams, the field frequency. No source
// says whether that is in Hz or, as everywhere else in the protocol, a cycle time in seconds; nets are faster than 1 Hz,
// so the number itself tells.
func period(f fields) (time.Duration, error) {
	if text := f.or("cycle", ""); text != "" {
		if d, err := time.ParseDuration(text); err == nil {
			return d, nil
		}
		return seconds("cycle", text, func(s float64) float64 { return s })
	}
	if text := f.or("frequency", ""); text != "" && f.or("useparams", "") == "1" {
		return seconds("frequency", text, func(v float64) float64 {
			if v > 1 {
				return 1 / v
			}
			return v
		})
	}
	return 0, nil
}

func seconds(field, text string, of func(float64) float64) (time.Duration, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil {
		if d := rcc.Seconds(of(v)); d >= 0 {
			return d, nil
		}
	}
	return 0, refuse(codeValue, "field "+field, "%q is no time", short(text))
}

// reason is one thing that is wrong with a net.
type reason struct {
	Minor int    `xml:"minor,attr" json:"minor"`
	Block string `xml:"block,attr" json:"block"`
	Port  string `xml:"port,attr,omitempty" json:"port,omitempty"`
	Text  string `xml:",chardata" json:"text"`
}

func reasons(n *rcc.Net) []reason {
	var list []reason
	for _, p := range n.Problems() {
		list = append(list, reason{Minor: p.Minor, Block: p.Path, Port: p.Port, Text: p.Text})
	}
	return list
}

func rejected(n *rcc.Net) *problem {
	p := refuse(codeRejected, fmt.Sprintf("net %q", n.Name()), "it is rejected for %d reasons", len(n.Problems()))
	if len(n.Problems()) == 1 {
		p.Message = "it is rejected: " + n.Problems()[0].String()
	}
	p.Net, p.Reasons = netURI(n.Name()), reasons(n)
	return p
}

// sourceLine is a line of a refused text; Before and After lie on either side of the place that is meant.
type sourceLine struct {
	Number        int
	Before, After string
	Here          bool
}

// excerptWidth bounds a line of an excerpt on either side of the place, in bytes: generated nets are one long line.
const excerptWidth = 100

// excerpt is the text around a place.
func excerpt(text string, pos grammar.Pos) []sourceLine {
	if pos.Line == 0 {
		return nil
	}
	var list []sourceLine
	number := 0
	for line := range strings.Lines(text) {
		number++
		if number < pos.Line-2 || number > pos.Line+1 {
			continue
		}
		s := sourceLine{Number: number, Before: strings.TrimRight(line, "\n")}
		if s.Here = number == pos.Line; s.Here {
			s.Before, s.After = cutAt(s.Before, pos.Column-1)
		}
		s.Before, s.After = tail(s.Before, s.Here), head(s.After)
		list = append(list, s)
	}
	return list
}

// cutAt cuts a line before the character of that index.
func cutAt(line string, character int) (before, after string) {
	for i := range line {
		if character == 0 {
			return line[:i], line[i:]
		}
		character--
	}
	return line, ""
}

func head(text string) string {
	if len(text) > excerptWidth {
		return strings.ToValidUTF8(text[:excerptWidth], "") + "…"
	}
	return text
}

// tail keeps the end of what is before a place, and the beginning of any other line.
func tail(text string, here bool) string {
	if here && len(text) > excerptWidth {
		return "…" + strings.ToValidUTF8(text[len(text)-excerptWidth:], "")
	}
	return head(text)
}
