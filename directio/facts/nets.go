package facts

import (
	"net/url"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// NetURI returns the address of a net.
func NetURI(name string) string { return "/nets/" + url.PathEscape(name) + "/" }

// NetEntry is a net in a list.
type NetEntry struct {
	URI         string `xml:"uri,attr" json:"uri"`
	Name        string `xml:"-" json:"name"`
	State       string `xml:"status,attr" json:"state"`
	Description string `xml:"desc,attr" json:"description"`
	Session     string `xml:"-" json:"session,omitempty"`
	Cycle       string `xml:"-" json:"cycle"`
}

// EntryOf describes a net in a list.
func EntryOf(n *rcc.Net) NetEntry {
	return NetEntry{
		URI: NetURI(n.Name()), Name: n.Name(), State: n.State().String(), Description: n.Description(),
		Session: n.Session(), Cycle: n.Period().String(),
	}
}

// InstantText returns a Unix time in ns for people, to the millisecond.
func InstantText(ns int64) string {
	return stamp(time.UnixMilli(ns / 1e6))
}
