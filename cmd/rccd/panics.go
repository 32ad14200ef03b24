package main

import (
	"errors"
	"fmt"
	"sync/atomic"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/guard"
)

// errPanic is why a daemon ends whose goroutines may wait for each other.
var errPanic = errors.New("a goroutine has panicked, and may have left others waiting for ever; the log says where")

// panics are those of the daemon's goroutines.
type panics struct {
	count atomic.Uint64
	fatal chan struct{} // has room for the first one after which the daemon is to end
}

// catch logs and counts panics from now on.
func (p *panics) catch(log *zap.Logger) {
	guard.Handle(func(is guard.Panic) {
		p.count.Add(1)
		log.Error("panic", zap.String("goroutine", is.Where), zap.String("value", fmt.Sprint(is.Value)), zap.ByteString("stack", is.Stack),
			zap.Bool("ends the daemon", is.Fatal))
		if is.Fatal {
			select {
			case p.fatal <- struct{}{}:
			default:
			}
		}
	})
}
