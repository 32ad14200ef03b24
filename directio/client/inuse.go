package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// InUseError is returned when a net cannot be started as another one owns what it needs.
type InUseError struct {
	Resource    string // such as kr16/joint 0: a device and what of it
	Net         string // that has it
	Description string // given by the client that loaded it; empty if unknown
	Refused     *RefusedError
}

func (e *InUseError) Error() string {
	device, part, _ := strings.Cut(e.Resource, "/")
	if part != "" {
		part = ", " + part
	}
	by := "a command"
	if e.Description != "" {
		by = fmt.Sprintf("the command %q", e.Description)
	}
	return fmt.Sprintf("%s is in use by %s (%s%s): wait for its end, or cancel it", device, by, e.Net, part)
}

// Unwrap returns the refusal.
func (e *InUseError) Unwrap() error { return e.Refused }

// explain finds out whose fault it is that the net cannot be started.
func (n *Net) explain(ctx context.Context, err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	_, what, is := strings.Cut(refused.Message, ": resource ")
	resource, holder, held := strings.Cut(what, " is held by ")
	if !is || !held {
		return err
	}
	var view struct{ Description string }
	_ = n.daemon.get(ctx, place("nets", holder), &view) // it may have ended by now
	return &InUseError{Resource: resource, Net: holder, Description: view.Description, Refused: refused}
}
