package rcc

import "context"

// gate lets few in at a time and some wait: together they bound what all clients can occupy at once.
type gate struct {
	what    string
	places  chan struct{} // one for each that goes on
	waiting chan struct{} // and one for each that goes on or waits
	closed  chan struct{}
}

func newGate(what string, atOnce, waiting int) gate {
	return gate{what, make(chan struct{}, atOnce), make(chan struct{}, atOnce+waiting), make(chan struct{})}
}

// enter waits for a place; leave gives it back.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.waiting <- struct{}{}:
	default:
		return nil, refuse(ErrBusy, g.what, "%d are running or waiting; try again a little later", cap(g.waiting))
	}
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places; <-g.waiting }, nil
	case <-g.closed:
		err = refuse(ErrClosed, g.what, "")
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-g.waiting
	return nil, err
}

// close lets nobody in any more and returns when the last one has left, or when ctx is done.
func (g *gate) close(ctx context.Context) {
	close(g.closed)
	for range cap(g.places) {
		select {
		case g.places <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}
