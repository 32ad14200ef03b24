package stream

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/directio/scopes"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// CaptureOf names a capture of a scope and a part of it.
type CaptureOf struct {
	Scope   uint32 `json:"scope"`             // the request that began it
	Capture int    `json:"capture,omitempty"` // number, the newest when missing
	scopes.Span
}

// SpectrumRequest asks for a spectrum.
type SpectrumRequest struct {
	CaptureOf
	Channel   string      `json:"channel"`
	Component string      `json:"component,omitempty"`
	Window    scope.Shape `json:"window,omitempty"` // Hann when missing
}

// Scoping is the answer to a request with a setup: the channels of the captures to come.
type Scoping struct {
	ID    uint32   `json:"id"`
	Scope Channels `json:"scope"`
}

// Channels are the channels of a scope, in the order of its setup.
type Channels struct {
	Channels []scope.Form `json:"channels"`
}

// Phase is what a scope is doing.
type Phase struct {
	ID     uint32      `json:"id"`
	Phase  scope.Phase `json:"phase"`
	Missed int         `json:"missed,omitempty"` // triggers that were left out, as too many captures were waiting for samples
}

// LeftCaptures says how many captures before the next one are no longer kept.
type LeftCaptures struct {
	ID   uint32 `json:"id"`
	Left int    `json:"left"`
}

// MeasuresOf answers a request for measures.
type MeasuresOf struct {
	ID       uint32            `json:"id"`
	Capture  int               `json:"capture"`
	Measures []scopes.Measured `json:"measures"`
}

// SpectrumOf answers a request for a spectrum.
type SpectrumOf struct {
	ID       uint32          `json:"id"`
	Capture  int             `json:"capture"`
	Spectrum *scope.Spectrum `json:"spectrum"`
}

// scoping is the job of a client that has a scope.
type scoping struct {
	running *scopes.Running
	told    int // number of the newest capture that the client has
	phase   Phase
}

func (c *conversation) scope(ctx context.Context, id uint32, setup *scope.Setup) (job, error) {
	ctx, stop := context.WithTimeout(ctx, attachTime)
	defer stop()
	r, err := c.server.cfg.Scopes.Start(ctx, setup, c.bell.ring)
	if err != nil {
		return nil, err
	}
	c.say(Scoping{ID: id, Scope: Channels{r.Forms()}})
	c.bell.ring() // for what it is doing
	return &scoping{running: r}, nil
}

func (s *scoping) end() { s.running.Close() }

func (s *scoping) due() (time.Time, bool) { return time.Time{}, false }

func (s *scoping) tell(to *teller) (more bool) {
	phase := Phase{ID: to.id}
	if phase.Phase, phase.Missed = s.running.Phase(); phase != s.phase {
		s.phase = phase
		to.say(phase)
	}
	c, left := s.running.After(s.told)
	if c == nil {
		return false
	}
	if left > 0 {
		to.say(LeftCaptures{ID: to.id, Left: left})
	}
	s.told = c.Number
	to.write(to.conn.WriteBinary, func(room []byte) []byte {
		message, err := scopes.AppendCapture(room, to.id, c)
		if err != nil {
			to.failed = err
		}
		return message
	})
	return true
}

// scoped returns a scope of the client.
func (c *conversation) scoped(where string, id uint32) (*scoping, error) {
	if r := c.find(id); r != nil {
		if s, ok := r.job.(*scoping); ok {
			return s, nil
		}
	}
	return nil, pages.Refuse(pages.CodeRequest, where, "request %d has not begun a scope that runs", id)
}

// change gives a scope another setup.
func (c *conversation) change(ctx context.Context, q *Request) error {
	s, err := c.scoped("change", q.Change)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, attachTime)
	defer stop()
	if err := s.running.Change(ctx, q.Scope); err != nil {
		return err
	}
	c.say(Scoping{ID: q.ID, Scope: Channels{s.running.Forms()}})
	return nil
}

// arm lets a scope wait for its next trigger.
func (c *conversation) arm(q *Request) error {
	s, err := c.scoped("arm", q.Arm)
	if err != nil {
		return err
	}
	s.running.Arm()
	phase := Phase{ID: q.ID}
	phase.Phase, phase.Missed = s.running.Phase()
	c.say(phase)
	return nil
}

// captured returns the capture that is asked about.
func (c *conversation) captured(where string, of *CaptureOf) (*scope.Capture, error) {
	s, err := c.scoped(where+".scope", of.Scope)
	if err != nil {
		return nil, err
	}
	found := s.running.Capture(of.Capture)
	if found == nil {
		return nil, pages.Refuse(pages.CodeRequest, where+".capture", "it is not kept, or there is none yet")
	}
	return found, nil
}

func (c *conversation) measure(q *Request) error {
	of, err := c.captured("measure", q.Measure)
	if err != nil {
		return err
	}
	c.say(MeasuresOf{ID: q.ID, Capture: of.Number, Measures: scopes.Measures(of, q.Measure.Span)})
	return nil
}

func (c *conversation) spectrum(q *Request) error {
	of, err := c.captured("spectrum", &q.Spectrum.CaptureOf)
	if err != nil {
		return err
	}
	made, err := scopes.Spectrum(of, q.Spectrum.Channel, q.Spectrum.Component, q.Spectrum.Window, q.Spectrum.Span)
	if err != nil {
		return err
	}
	c.say(SpectrumOf{ID: q.ID, Capture: of.Number, Spectrum: made})
	return nil
}
