package main

import (
	"cmp"
	"math"
	"os"
	"runtime/debug"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// memoryAllowed returns how much memory this process may use. GOMEMLIMIT asks for less.
func memoryAllowed() budget.Allowed {
	allowed := budget.Machine(os.DirFS("/"))
	if wanted := debug.SetMemoryLimit(-1); os.Getenv("GOMEMLIMIT") != "" && wanted < allowed.Bytes {
		return budget.Allowed{Bytes: wanted, By: "GOMEMLIMIT"}
	}
	return allowed
}

// quotas returns what clients may cause of it: half, because the collector lets about as much again come together before it works.
func quotas(cfg *config.Config, allowed budget.Allowed) rcc.Quotas {
	l := &cfg.Limits
	most := cmp.Or(int64(l.Memory), allowed.Bytes/2)
	return rcc.Quotas{
		Memory:  budget.New(most),
		Session: cmp.Or(int64(l.SessionMem), mostOf(most)), Connection: cmp.Or(int64(l.ConnMem), mostOf(most)),
		Nets: cmp.Or(l.ClientNets, int(mostOf(int64(l.Nets)))),
	}
}

// collectLess lets the heap grow further before the collector works, until asUsual is called: what is set up at the start stays, and looking
// for garbage there is a fifth of the work.
func collectLess() (asUsual func()) {
	const percent = 400
	usual := debug.SetGCPercent(percent)
	if usual < 0 || usual > percent {
		debug.SetGCPercent(usual)
	}
	return func() { debug.SetGCPercent(usual) }
}

// mostOf returns what one client may have of something, so that something is left for others.
func mostOf(all int64) int64 { return all - all/4 }

// boundMemory lets the collector work harder before the process uses more memory than it may, and says so if clients may cause too
// much of it.
func boundMemory(cfg *config.Config, allowed budget.Allowed, log *zap.Logger) {
	const spare = 10 // part of it that is left for what is no memory of Go
	if allowed.Bytes == math.MaxInt64 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(allowed.Bytes - allowed.Bytes/spare)
	}
	if most := int64(cfg.Limits.Memory); most > allowed.Bytes/4*3 {
		log.Warn("limits.memory leaves too little for the daemon itself; set it to half of what is allowed",
			zap.String("memory", budget.Size(most)), zap.String("allowed", budget.Size(allowed.Bytes)), zap.String("by", allowed.By))
	}
}
