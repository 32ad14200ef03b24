package main

import (
	"bytes"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
)

// patientErr is the standard error of a daemon. Writing never waits for a reader; unread lines are lost and counted.
type patientErr struct {
	out   io.Writer
	queue chan errLine
	bytes atomic.Int64 // in the queue
	lost  atomic.Uint64
}

// errLine is what was written at once, or, without that, a call that waits until all before is written.
type errLine struct {
	text    []byte
	through chan struct{}
}

// Limits of what may wait for a reader.
const (
	errLines = 4096
	errBytes = 1 << 20
)

// flushTime is how long readers may take for the last lines.
const flushTime = time.Second

// patient makes standard error patient. A pipe without a reader is an error of writing from now on, and ends nothing.
func patient(out io.Writer) *patientErr {
	if is, already := out.(*patientErr); already {
		return is
	}
	// Not ignored but handled, so that programs which are started from here do not inherit it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	p := &patientErr{out: out, queue: make(chan errLine, errLines)}
	guard.Contain("standard error", p.write)
	return p
}

// Write queues a line.
func (p *patientErr) Write(text []byte) (int, error) {
	if p.bytes.Add(int64(len(text))) > errBytes {
		p.drop(text)
		return len(text), nil
	}
	select {
	case p.queue <- errLine{text: bytes.Clone(text)}:
	default:
		p.drop(text)
	}
	return len(text), nil
}

func (p *patientErr) drop(text []byte) {
	p.bytes.Add(-int64(len(text)))
	p.lost.Add(1)
}

// write takes lines out of the queue for ever: it may be stuck in the last one when the process ends.
func (p *patientErr) write() {
	for line := range p.queue {
		if line.through != nil {
			close(line.through)
			continue
		}
		p.bytes.Add(-int64(len(line.text)))
		if _, err := p.out.Write(line.text); err != nil {
			p.lost.Add(1)
		}
	}
}

// Lost returns the number of lines that were not written.
func (p *patientErr) Lost() uint64 { return p.lost.Load() }

// flush returns when everything so far is written, or the reader has gone.
func (p *patientErr) flush() {
	through, enough := make(chan struct{}), time.After(flushTime)
	select {
	case p.queue <- errLine{through: through}:
	case <-enough:
		return
	}
	select {
	case <-through:
	case <-enough:
	}
}
