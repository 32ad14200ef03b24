package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// RejectedError is returned when the daemon cannot run a net, with everything that is wrong with it.
type RejectedError struct {
	Net      string
	Reasons  []Reason
	Warnings []Reason // of what would not have kept it from running
	Unknown  error    // why Reasons is empty, if the daemon gives none
}

// Reason is one thing that is wrong.
type Reason struct {
	Block string `json:"block"` // path to the primitive
	Port  string `json:"port"`
	Text  string `json:"text"`

	Line   int `json:"line"` // in the text of the net, from 1; 0 of nets that are not of a text
	Column int `json:"column"`
}

func (r Reason) String() string {
	text := r.Text
	if r.Port != "" {
		text = r.Port + ": " + text
	}
	if r.Block != "" {
		text = r.Block + ": " + text
	}
	return text
}

// Error merges what is wrong with many primitives, such as that their device is missing.
func (e *RejectedError) Error() string {
	if len(e.Reasons) == 0 {
		return fmt.Sprintf("net %s is rejected, and the daemon does not say why: %v", e.Net, e.Unknown)
	}
	var kinds []Reason // without their blocks
	blocks := map[Reason][]string{}
	for _, r := range e.Reasons {
		kind := Reason{Port: r.Port, Text: r.Text}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		if r.Block != "" {
			blocks[kind] = append(blocks[kind], r.Block)
		}
	}
	list := make([]string, len(kinds))
	for i, kind := range kinds {
		list[i] = Reason{Block: several(blocks[kind]), Port: kind.Port, Text: kind.Text}.String()
	}
	return fmt.Sprintf("net %s is rejected: %s", e.Net, strings.Join(list, "; "))
}

// several names the first ones.
func several(blocks []string) string {
	const named = 2
	if more := len(blocks) - named; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(blocks[:named], ", "), more)
	}
	return strings.Join(blocks, ", ")
}

// Unwrap returns why the reasons are unknown.
func (e *RejectedError) Unwrap() error { return e.Unknown }

// errNoReason is returned when the page of a net has no reason, although rejected nets have one.
var errNoReason = errors.New("its page names no reason")

// rejected finds out what is wrong with a net of an instance.
func (d *Daemon) rejected(ctx context.Context, instance, name string) error {
	var view struct{ Problems, Warnings []Reason }
	err := d.getOf(ctx, instance, place("nets", name), &view)
	if err == nil && len(view.Problems) == 0 {
		err = errNoReason
	}
	return &RejectedError{Net: name, Reasons: view.Problems, Warnings: view.Warnings, Unknown: err}
}

// Warnings returns the daemon's warnings about the net.
func (n *Net) Warnings(ctx context.Context) ([]Reason, error) {
	c, err := n.connection()
	if err != nil {
		return nil, err
	}
	var view struct{ Warnings []Reason }
	err = n.daemon.getOf(ctx, c.instance, place("nets", n.Name), &view)
	return view.Warnings, err
}
