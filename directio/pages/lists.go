package pages

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc"
)

// sessionView is a session with its nets: id and state, as the protocol names them.
type sessionView struct {
	XMLName     xml.Name     `xml:"session" json:"-"`
	Name        string       `xml:"name,attr" json:"name"`
	Description string       `xml:"desc,attr" json:"description"`
	URI         string       `xml:"uri,attr" json:"uri"`
	Nets        []sessionNet `xml:"n" json:"nets"`
}

type sessionNet struct {
	Name  string         `xml:"id,attr" json:"name"`
	State string         `xml:"s,attr" json:"state"`
	Data  []sessionValue `xml:"d" json:"-"` // of one session only
}

// sessionValue is a value or an input of a net, in the words of sessions.
type sessionValue struct {
	Key   string `xml:"k,attr"`
	Value string `xml:",chardata"`
}

// URI is the address of the net.
func (n sessionNet) URI() string { return netURI(n.Name) }

type sessionsView struct {
	XMLName  xml.Name      `xml:"sessions" json:"-"`
	Sessions []sessionView `xml:"session" json:"sessions"`
}

func sessionOf(s *rcc.Session) sessionView {
	view := sessionView{Name: s.Name(), Description: s.Description(), URI: "/sessions/" + url.PathEscape(s.Name()) + "/", Nets: []sessionNet{}}
	for _, n := range s.Nets() {
		view.Nets = append(view.Nets, sessionNet{Name: n.Name(), State: n.State().String()})
	}
	return view
}

func listSessions(x *exchange) error {
	view := sessionsView{Sessions: []sessionView{}}
	for _, s := range x.core.Sessions() {
		view.Sessions = append(view.Sessions, sessionOf(s))
	}
	return x.show(http.StatusOK, "sessions", view)
}

func sessionExists(x *exchange) error {
	_, err := x.core.Session(x.value("session"))
	return err
}

func showSession(x *exchange) error {
	s, err := x.core.Session(x.value("session"))
	if err != nil {
		return err
	}
	view := sessionOf(s)
	for i := range view.Nets {
		view.Nets[i].Data = x.dataOf(view.Nets[i].Name)
	}
	return x.show(http.StatusOK, "sessions", sessionsOrOne{view})
}

// dataOf returns what a net tells and is told, nothing when it has gone meanwhile.
func (x *exchange) dataOf(net string) []sessionValue {
	n, err := x.core.Net(net)
	if err != nil {
		return nil
	}
	var list []sessionValue
	for _, kv := range slices.Concat(published(n), keyValuesOf(n.Inputs())) {
		list = append(list, sessionValue(kv))
	}
	return list
}

// sessionsOrOne lets one session use the page of the list.
type sessionsOrOne struct{ sessionView }

// Sessions is the list of the page.
func (s sessionsOrOne) Sessions() []sessionView { return []sessionView{s.sessionView} }
