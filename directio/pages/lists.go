package pages

import (
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

type sessionsView struct {
	XMLName  xml.Name        `xml:"sessions" json:"-"`
	Sessions []facts.Session `xml:"session" json:"sessions"`
}

func listSessions(x *exchange) error {
	view := sessionsView{Sessions: []facts.Session{}}
	for _, s := range x.core.Sessions.All() {
		view.Sessions = append(view.Sessions, facts.SessionOf(s))
	}
	return x.show(http.StatusOK, "sessions", view)
}

func sessionExists(x *exchange) error {
	_, err := x.core.Sessions.Get(x.value("session"))
	return err
}

func showSession(x *exchange) error {
	s, err := x.core.Sessions.Get(x.value("session"))
	if err != nil {
		return err
	}
	view := facts.SessionOf(s)
	for i := range view.Nets {
		x.describe(&view.Nets[i])
	}
	return x.show(http.StatusOK, "sessions", sessionsOrOne{view})
}

// describe adds the outputs and inputs of a net, nothing when it has gone.
func (x *exchange) describe(net *facts.SessionNet) {
	n, err := x.core.Nets.Get(net.Name)
	if err != nil {
		return
	}
	values, tick := publishedAt(n)
	if tick != nil {
		net.Cycle, net.Time = tick.Cycle, tick.Time
	}
	for _, kv := range slices.Concat(values, keyValuesOf(n.Inputs())) {
		net.Data = append(net.Data, facts.SessionValue(kv))
	}
}

// sessionsOrOne lets one session use the page of the list.
type sessionsOrOne struct{ facts.Session }

// Sessions returns the list of the page.
func (s sessionsOrOne) Sessions() []facts.Session { return []facts.Session{s.Session} }

// openSession opens a session. Programs get it with its address, people are sent to its page.
func openSession(x *exchange) error {
	f, err := x.fields()
	if err != nil {
		return err
	}
	s, err := x.core.Sessions.Open(f.or("desc", ""))
	if err != nil {
		return err
	}
	view := facts.SessionOf(s)
	if x.form() == asHTML {
		x.redirect(http.StatusSeeOther, view.URI)
		return nil
	}
	x.w.Header().Set("Location", view.URI)
	return x.show(http.StatusCreated, "sessions", sessionsOrOne{view})
}

// sessionActions are what can be done with a session.
var sessionActions = map[string]func(x *exchange, s *rcc.Session, f fields) error{
	"LOADNET": loadIntoSession, "LOADNETPARAM": loadIntoSession, "UPDATE": updateSession, "TERMINATE": endSession,
}

func postSession(x *exchange) error {
	s, err := x.core.Sessions.Get(x.value("session"))
	if err != nil {
		return err
	}
	f, err := x.fields()
	if err != nil {
		return err
	}
	action, ok := sessionActions[f.or("action", "")]
	if !ok {
		p := refuse(codeAction, "field action", "unknown action %q", short(f.or("action", "")))
		p.Remedy = "use LOADNET, LOADNETPARAM, UPDATE or TERMINATE"
		return p
	}
	return action(x, s, f)
}

// loadIntoSession answers as for nets without session; LOADNETPARAM says that cycle time and class are among the fields.
func loadIntoSession(x *exchange, s *rcc.Session, f fields) error {
	own := fields{{Key: "session", Value: s.Name()}}
	if f.or("action", "") == "LOADNETPARAM" {
		own = append(own, rcc.KeyValue{Key: "useparams", Value: "1"})
	}
	return x.loadForm(append(own, f...))
}

// updateSession sets inputs of the session's nets, rpinet3.inSpeed=0.5, all of them or none, and answers what all nets
// tell now.
func updateSession(x *exchange, s *rcc.Session, f fields) error {
	updates := map[*rcc.Net][]rcc.KeyValue{}
	var nets []*rcc.Net
	for _, kv := range f {
		name, key, dotted := strings.Cut(kv.Key, ".")
		if !dotted {
			continue // the action
		}
		n, err := pick(s.Nets(), "net", name, (*rcc.Net).Name)
		if err != nil {
			return err
		}
		if updates[n] == nil {
			nets = append(nets, n)
		}
		updates[n] = append(updates[n], rcc.KeyValue{Key: key, Value: kv.Value})
	}
	for _, n := range nets {
		if err := n.Check(updates[n]); err != nil {
			return err
		}
	}
	for _, n := range nets {
		if err := n.Set(updates[n]); err != nil {
			return err
		}
	}
	if x.form() != asHTML {
		return showSession(x)
	}
	x.redirect(http.StatusSeeOther, facts.SessionOf(s).URI)
	return nil
}

// endSession aborts and unloads the nets of a session, also when the client has hung up.
func endSession(x *exchange, s *rcc.Session, _ fields) error {
	if err := s.End(context.WithoutCancel(x.r.Context())); err != nil {
		return err
	}
	x.redirect(http.StatusSeeOther, "/sessions/")
	return nil
}
