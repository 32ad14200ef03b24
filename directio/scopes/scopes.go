package scopes

import (
	"context"
	"slices"
	"sync"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// Limits of all scopes together.
const (
	mostRunning = 8
	mostNewest  = 16
	newestBytes = 32 << 20 // of the newest captures of all names
)

// Scopes are the scopes of a daemon. Any goroutine may use them.
type Scopes struct {
	core   *rcc.Core
	setups *scope.Store

	opening chan struct{} // a place for each file that is being opened

	mu      sync.Mutex
	running int
	newest  []*scope.Capture // of each setup, the oldest first
}

// New returns the scopes of a core. Setups are kept in the store, or in memory when setups is nil.
func New(core *rcc.Core, setups *scope.Store) *Scopes {
	if setups == nil {
		setups, _ = scope.OpenStore(nil) // which cannot fail without a folder
	}
	return &Scopes{core: core, setups: setups, opening: make(chan struct{}, openAtOnce)}
}

// Start runs a scope. The scope calls ring, which must not wait, whenever there is something new. The caller closes the
// scope.
func (s *Scopes) Start(ctx context.Context, setup *scope.Setup, ring func()) (*Running, error) {
	s.mu.Lock()
	full := s.running == mostRunning
	if !full {
		s.running++
	}
	s.mu.Unlock()
	if full {
		return nil, pages.Refuse(pages.CodeLimit, "scope", "%d scopes run, and no more are allowed at a time", mostRunning)
	}
	r := &Running{scopes: s, ring: ring}
	if err := r.Change(ctx, setup); err != nil {
		s.left()
		return nil, err
	}
	r.begin()
	return r, nil
}

func (s *Scopes) left() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

// keep remembers the newest capture of a setup, and forgets those of others that nobody has made for longest.
func (s *Scopes) keep(c *scope.Capture) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = append(slices.DeleteFunc(s.newest, func(old *scope.Capture) bool { return old.Setup == c.Setup }), c)
	bytes := 0
	for _, kept := range s.newest {
		bytes += kept.Bytes()
	}
	for len(s.newest) > mostNewest || len(s.newest) > 1 && bytes > newestBytes {
		bytes -= s.newest[0].Bytes()
		s.newest = slices.Delete(s.newest, 0, 1)
	}
}

// Newest returns the newest capture of a setup.
func (s *Scopes) Newest(name string) (*scope.Capture, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.newest {
		if c.Setup == name {
			return c, nil
		}
	}
	return nil, pages.Refuse(pages.CodeNoThing, "scope "+shorten(name), "it has not caught anything that is still kept")
}

// shorten bounds what an answer repeats of a text from outside.
func shorten(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
