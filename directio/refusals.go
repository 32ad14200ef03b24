package directio

import (
	"errors"
	"net/http"
	"sync/atomic"
)

// refusals counts connections that were turned away, by reason.
type refusals struct {
	full, closing, foreign, handshake atomic.Uint64
}

// TurnedAway returns how many connections that wanted to speak DirectIO were refused: there were too many (full), the daemon was closing,
// the Host or Origin was not the daemon's (foreign), or the request was not a WebSocket handshake (handshake).
func (s *Server) TurnedAway() map[string]uint64 {
	r := &s.refusals
	return map[string]uint64{
		"full": r.full.Load(), "closing": r.closing.Load(), "foreign": r.foreign.Load(), "handshake": r.handshake.Load(),
	}
}

// count counts a connection that was not admitted.
func (r *refusals) count(reason error) {
	if errors.Is(reason, errClosing) {
		r.closing.Add(1)
	} else {
		r.full.Add(1)
	}
}

// passing returns a guard that counts whom it does not let pass.
func (r *refusals) passing(guard func(http.Handler) http.Handler, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		passed := false
		guard(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			passed = true
			next.ServeHTTP(w, q)
		})).ServeHTTP(w, q)
		if !passed {
			r.foreign.Add(1)
		}
	})
}
