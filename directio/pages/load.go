package pages

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/rcc"
)

// loadNet takes a net in either form: as the body itself, or in the field dionet or rpinet of a form (§7.6.2).
func loadNet(x *exchange) error {
	bare, f, err := x.sentNet()
	switch {
	case err != nil:
		return err
	case bare != nil:
		return x.loadBare(*bare, f)
	}
	return x.loadForm(f)
}

// sentNet reads a body that is a net, or the fields of a form in which there should be one, with those of the query.
// Programs that post a bare net often leave the media type to their library, which then calls it a form or octets.
func (x *exchange) sentNet() (bare *source, f fields, err error) {
	media, boundary, err := x.media()
	if err != nil {
		return nil, nil, err
	}
	body, err := x.body()
	if err != nil {
		return nil, nil, err
	}
	query := x.query()
	text := string(body)
	switch media {
	case mediaMultipart:
		f, err := multipartFields(body, boundary)
		return nil, append(f, query...), err
	case mediaXML, mediaTextXML:
		return &source{text: text, xml: true}, query, x.readableAsXML()
	case mediaForm, "":
		if !looksLikeNet(text) && (media == mediaForm || looksLikeForm(text)) {
			return nil, append(parseFields(text), query...), nil
		}
	case mediaText, mediaOctets:
	default:
		return nil, nil, refuse(codeMedia, "header Content-Type", "a net does not come as %q", short(media))
	}
	from := sourceOf(text)
	return &from, query, nil
}

// anyNet returns the net that was sent, bare or in a form, and the other fields.
func (x *exchange) anyNet() (source, fields, error) {
	bare, f, err := x.sentNet()
	switch {
	case err != nil:
		return source{}, nil, err
	case bare != nil:
		return *bare, f, nil
	}
	from, err := formSource(f)
	return from, f, err
}

// The media types of XML. The second one is what existing clients know.
const (
	mediaXML     = "application/xml"
	mediaTextXML = "text/xml"
)

// readableAsXML refuses bodies in another encoding than UTF-8: the header counts for more than the document.
func (x *exchange) readableAsXML() error {
	_, params, _ := mime.ParseMediaType(x.r.Header.Get("Content-Type")) // refused before if it is wrong
	switch charset := strings.ToLower(params["charset"]); charset {
	case "", "utf-8", "us-ascii":
		return nil
	default:
		return refuse(codeMedia, "header Content-Type", "charset %q, expected utf-8", short(charset))
	}
}

// source is a net as a client has sent it.
type source struct {
	text string
	xml  bool
}

// sourceOf distinguishes the forms of a net by their first character.
func sourceOf(text string) source {
	return source{text: text, xml: strings.HasPrefix(firstOf(text), "<")}
}

// firstOf returns a text without what may stand before it.
func firstOf(text string) string { return strings.TrimLeft(text, "\uFEFF \t\r\n") }

// parser reads the form of the net, nil for the text form.
func (s source) parser() rcc.Parser {
	if s.xml {
		return xmlnet.Parse
	}
	return nil
}

// looksLikeNet distinguishes a net from a form, whose first field has no such characters in its name.
func looksLikeNet(body string) bool {
	first := firstOf(body)
	for _, beginning := range []string{"{", "<", "//", "/*"} {
		if strings.HasPrefix(first, beginning) {
			return true
		}
	}
	return false
}

// looksLikeForm distinguishes a form without content type from a net.
func looksLikeForm(body string) bool {
	key, _, _ := strings.Cut(body, "=")
	switch key {
	case "dionet", "rpinet", "desc", "useparams", "frequency", "isrealtime", "refusal":
		return true
	}
	return false
}

// loadBare answers as one expects of a program's interface: 201, or 422 with all reasons.
func (x *exchange) loadBare(from source, query fields) error {
	n, err := x.load(from, query)
	if err != nil {
		return err
	}
	x.w.Header().Set("Location", facts.NetURI(n.Name()))
	if n.State() == rcc.Rejected {
		return from.rejected(n)
	}
	return x.show(http.StatusCreated, "net", x.netView(n))
}

// loadForm answers as existing clients expect: 302, or 503 with the reasons, whether the text or the net is refused.
func (x *exchange) loadForm(f fields) error {
	from, err := formSource(f)
	if err != nil {
		return err
	}
	n, err := x.load(from, f)
	switch {
	case err != nil:
		return unavailable(err)
	case n.State() == rcc.Rejected:
		return unavailable(from.rejected(n))
	}
	x.redirect(http.StatusFound, facts.NetURI(n.Name()))
	return nil
}

// formSource returns the net in a form. People paste either form into the one field that the page has.
func formSource(f fields) (source, error) {
	dionet, isText := f.get("dionet")
	rpinet, isXML := f.get("rpinet")
	switch {
	case dionet != "" && rpinet != "":
		return source{}, refuse(codeForm, "field rpinet", "there is a net in the field dionet, too")
	case isXML && dionet == "":
		return source{text: rpinet, xml: true}, nil
	case isText:
		return sourceOf(strings.ReplaceAll(dionet, "\r\n", "\n")), nil // browsers send the lines of a text field so
	}
	return source{}, refuse(codeForm, "field dionet", "it is missing")
}

// unavailable gives a refusal of a net the status of forms.
func unavailable(err error) error {
	var p *problem
	if errors.As(err, &p) && (p.Code == codeSyntax || p.Code == codeRejected || p.Code == codeMemory) {
		p.Status = http.StatusServiceUnavailable
	}
	return err
}

func (x *exchange) load(from source, f fields) (*rcc.Net, error) {
	req := rcc.LoadRequest{Description: f.or("desc", ""), Session: f.or("session", "")}
	var err error
	if req.Period, err = period(f); err != nil {
		return nil, err
	}
	realtime := f.or("realtime", "1")
	if f.or("useparams", "") == "1" {
		realtime = f.or("isrealtime", realtime)
	}
	req.NotRealtime = !yes(realtime)
	if req.EndRefused, err = rcc.EndsRefused(f.or("refusal", rcc.RefusalContinue)); err != nil {
		return nil, err
	}
	req.Text = from.text
	req.Parse = from.parser()
	req.Connection = x.r.RemoteAddr
	n, err := x.core.Nets.Load(req)
	if err != nil {
		return nil, from.problem(err)
	}
	return n, nil
}

// problem shows the place of an error in what the client has sent.
func (s source) problem(err error) *problem {
	p := problemOf(err)
	p.Source = excerpt(s.text, grammar.Pos{Line: p.Line, Column: p.Column})
	return p
}

func yes(text string) bool { return text == "1" || text == "true" || text == "on" || text == "yes" }

// period returns the cycle time: the field cycle, a duration or seconds, or, with useparams, the field frequency. No source
// says whether that is in Hz or, as everywhere else in the protocol, a cycle time in seconds; nets are faster than 1 Hz,
// so the number itself decides.
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
	return 0, refuse(codeValue, "field "+field, "%q is not a time", short(text))
}

// reason is one thing that is wrong with a net.
type reason struct {
	Kind   string `xml:"kind,attr,omitempty" json:"kind,omitempty"`   // of nets: Minor in words
	Minor  int    `xml:"minor,attr,omitempty" json:"minor,omitempty"` // of nets
	Block  string `xml:"block,attr" json:"block"`                     // or parameter of a device
	Port   string `xml:"port,attr,omitempty" json:"port,omitempty"`
	Line   int    `xml:"line,attr,omitempty" json:"line,omitempty"` // of the text that was sent
	Column int    `xml:"column,attr,omitempty" json:"column,omitempty"`
	Text   string `xml:",chardata" json:"text"`
}

func reasonsOf(problems []rcc.Problem) []reason {
	var list []reason
	for _, p := range problems {
		list = append(list, reason{
			Kind: p.Kind(), Minor: p.Minor, Block: p.Path, Port: p.Port, Line: p.Line, Column: p.Column, Text: p.Text,
		})
	}
	return list
}

// rejected returns why a net cannot run, with the place of the first reason in what the client has sent.
func (s source) rejected(n *rcc.Net) *problem {
	p := rejected(n)
	first := n.Problems()[0]
	p.Line, p.Column, p.Source = first.Line, first.Column, excerpt(s.text, first.Pos)
	return p
}

func rejected(n *rcc.Net) *problem {
	p := rejectedFor(fmt.Sprintf("net %q", n.Name()), n.Problems())
	p.Net, p.Warnings = facts.NetURI(n.Name()), reasonsOf(n.Warnings())
	return p
}

func rejectedFor(where string, problems []rcc.Problem) *problem {
	p := refuse(codeRejected, where, "it is rejected for %d reasons", len(problems))
	if len(problems) == 1 {
		p.Message = "it is rejected: " + problems[0].WithPlace()
	}
	p.Reasons = reasonsOf(problems)
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

// excerpt returns the text around a place.
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

// checkedView is what there is to say about a net that could be loaded.
type checkedView struct {
	Warnings []reason `json:"warnings"`
}

// checkNet answers what loading a net would answer, and loads nothing: 200 with the warnings, or the refusal with all reasons. The
// answer is for programs, and in JSON whatever they accept.
func checkNet(x *exchange) error {
	from, f, err := x.anyNet()
	if err != nil {
		return err
	}
	req := rcc.LoadRequest{Text: from.text, Parse: from.parser()}
	if req.Period, err = period(f); err != nil {
		return err
	}
	found, err := x.core.Nets.Check(x.r.Context(), req)
	switch {
	case err != nil:
		return from.problem(err)
	case len(found.Problems) > 0:
		p := rejectedFor("net", found.Problems)
		p.Warnings = reasonsOf(found.Warnings)
		return p
	}
	view := checkedView{Warnings: []reason{}}
	view.Warnings = append(view.Warnings, reasonsOf(found.Warnings)...)
	body, err := facts.JSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}
