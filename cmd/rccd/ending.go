package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/guard"
)

// ending is what signals do: the first one ends the daemon cleanly, the second one leaves nets no time for that, the third one
// ends the process whatever goes on.
type ending struct {
	asked      chan os.Signal  // has the first one
	hurry      context.Context // is done with the second one
	makeUrgent context.CancelFunc

	signals chan os.Signal
	over    chan struct{}

	mu    sync.Mutex
	log   *zap.Logger
	stage stage
}

// stage is how far the daemon is on its way to its end.
type stage int

const (
	serving stage = iota
	leaving
	hurrying
	gone
)

// echo is how closely signals follow each other that are one signal meant: timeout(1) and others signal a process and then its group.
const echo = 20 * time.Millisecond

// hearSignals listens from now on. SIGHUP counts unless it was ignored from the start, as nohup(1) wants it.
func hearSignals() *ending {
	e := &ending{asked: make(chan os.Signal, 1), signals: make(chan os.Signal, 8), over: make(chan struct{}), log: zap.NewNop()}
	e.hurry, e.makeUrgent = context.WithCancel(context.Background())
	list := []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	signal.Notify(e.signals, list...)
	guard.Go("signals", e.hear)
	return e
}

// close lets signals do again what they do by themselves.
func (e *ending) close() {
	signal.Stop(e.signals)
	close(e.over)
	e.makeUrgent()
}

// tell sets where signals are logged from now on.
func (e *ending) tell(log *zap.Logger) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.log = log
}

func (e *ending) hear() {
	var quiet <-chan time.Time
	for {
		select {
		case <-e.over:
			return
		case <-quiet:
			quiet = nil
			e.explain()
		case s := <-e.signals:
			if quiet != nil {
				continue
			}
			quiet = time.After(echo)
			e.next(s)
		}
	}
}

// next is what a signal does.
func (e *ending) next(s os.Signal) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage++
	switch e.stage {
	case serving:
	case leaving:
		e.asked <- s
	case hurrying:
		e.makeUrgent()
	case gone:
		os.Exit(failed)
	}
}

// explain logs what the next signal will do.
func (e *ending) explain() {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch e.stage {
	case leaving:
		e.log.Info("nets have time to end; a second signal aborts them")
	case hurrying:
		e.log.Warn("nets are aborted; a third signal ends the process whatever moves")
	default:
	}
}

// leave is called when the daemon ends, because of a signal or by itself: then the first signal counts as the second one.
func (e *ending) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage = max(e.stage, leaving)
}

// lastResort is how much longer than the grace time the end may take: joints brake, cycles end, clients hear the last
// news. Something hangs if that is not enough.
const lastResort = 40 * time.Second

// enforce ends the process when it does not end by itself.
func (e *ending) enforce(grace time.Duration) (relent func() bool) {
	return guard.After(grace+lastResort, "last resort", func() {
		e.mu.Lock()
		log := e.log
		e.mu.Unlock()
		log.Error("the daemon did not end in time and is terminated", zap.Duration("after", grace+lastResort))
		os.Exit(failed)
	}).Stop
}
