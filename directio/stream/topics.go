package stream

import (
	"context"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc"
)

// looker puts what there is of a topic on a board.
type looker interface {
	// look looks at everything, or only at what the core has rung for.
	look(b *board, everything bool)
}

// topic is what can be watched. It is looked at while anybody watches, once for all.
type topic struct {
	every time.Duration // how often it is looked at although no bell has rung, 0 for never
	hears bool          // the bell of the core
	begin func(*rcc.Observer) looker

	mu      sync.Mutex
	clients int
	board   *board
	end     func() // of looking
}

// pause is the shortest time between two looks. Changes are told at most so often.
const pause = 50 * time.Millisecond

// topics are all, by name.
func topics(core *rcc.Core, cfg *Config) map[string]*topic {
	return map[string]*topic{
		"nets":      {hears: true, begin: func(o *rcc.Observer) looker { return &netsLook{core.Nets, o} }},
		"rules":     {hears: true, every: time.Second, begin: func(o *rcc.Observer) looker { return &rulesLook{rules: core.Rules, changes: o} }},
		"sessions":  {hears: true, begin: func(*rcc.Observer) looker { return sessionsLook{core.Sessions} }},
		"devices":   {hears: true, every: 100 * time.Millisecond, begin: func(*rcc.Observer) looker { return &devicesLook{devices: core.Devices} }},
		"executors": {every: time.Second, begin: func(*rcc.Observer) looker { return executorsLook{core} }},
		"incidents": {every: 250 * time.Millisecond, begin: func(*rcc.Observer) looker { return incidentsLook{core} }},
		"log":       {every: 250 * time.Millisecond, begin: func(*rcc.Observer) looker { return &logLook{lines: cfg.Log} }},
	}
}

// join returns the board of the topic, whose changes ring a bell from now on.
func (t *topic) join(core *rcc.Core, to bell) *board {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.clients++; t.clients == 1 {
		t.open(core)
	}
	t.board.listen(to)
	return t.board
}

// leave ends the interest of a client; with that of the last one the topic is no longer looked at.
func (t *topic) leave(to bell) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.board.ignore(to)
	if t.clients--; t.clients == 0 {
		t.end()
		t.board, t.end = nil, nil
	}
}

// open begins to look. The board shows everything when it returns.
func (t *topic) open(core *rcc.Core) {
	var changes *rcc.Observer
	var rung <-chan struct{}
	if t.hears {
		changes = core.Changes.Observe()
		rung = changes.Bell()
	}
	b, l := newBoard(), t.begin(changes)
	l.look(b, true)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	guard.Go("stream", func() {
		defer close(ended)
		if changes != nil {
			defer changes.Close()
		}
		t.keep(ctx, b, l, rung)
	})
	t.board, t.end = b, func() {
		stop()
		<-ended
	}
}

// keep looks until nobody is interested any more.
func (t *topic) keep(ctx context.Context, b *board, l looker, rung <-chan struct{}) {
	var due <-chan time.Time
	if t.every > 0 {
		ticker := time.NewTicker(t.every)
		defer ticker.Stop()
		due = ticker.C
	}
	rest := time.NewTimer(pause)
	defer rest.Stop()
	for {
		select {
		case <-rung:
			l.look(b, false)
		case <-due:
			l.look(b, true)
		case <-ctx.Done():
			return
		}
		b.tell()
		rest.Reset(pause)
		select {
		case <-rest.C:
		case <-ctx.Done():
			return
		}
	}
}
