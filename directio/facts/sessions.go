package facts

import (
	"encoding/xml"
	"net/url"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Session is a session with its nets: id and state, as the protocol names them.
type Session struct {
	XMLName     xml.Name     `xml:"session" json:"-"`
	Name        string       `xml:"name,attr" json:"name"`
	Description string       `xml:"desc,attr" json:"description"`
	URI         string       `xml:"uri,attr" json:"uri"`
	Nets        []SessionNet `xml:"n" json:"nets"`
}

// SessionNet is a net of a session.
type SessionNet struct {
	Name  string         `xml:"id,attr" json:"name"`
	State string         `xml:"s,attr" json:"state"`
	Cycle uint64         `xml:"cycle,attr,omitempty" json:"-"` // of the values of Data
	Time  int64          `xml:"time,attr,omitempty" json:"-"`
	Data  []SessionValue `xml:"d" json:"-"` // of one session only
}

// URI returns the address of the net.
func (n SessionNet) URI() string { return NetURI(n.Name) }

// SessionValue is a value or an input of a net, in the words of sessions.
type SessionValue struct {
	Key   string `xml:"k,attr"`
	Value string `xml:",chardata"`
}

// SessionOf describes a session and its nets.
func SessionOf(s *rcc.Session) Session {
	view := Session{Name: s.Name(), Description: s.Description(), URI: "/sessions/" + url.PathEscape(s.Name()) + "/", Nets: []SessionNet{}}
	for _, n := range s.Nets() {
		view.Nets = append(view.Nets, SessionNet{Name: n.Name(), State: n.State().String()})
	}
	return view
}
