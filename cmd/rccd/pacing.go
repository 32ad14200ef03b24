package main

import (
	"errors"

	"github.com/softrobot-rcc/rccd/rcc/config"
)

// pacing is how real-time the executors are, in the word of the ready line.
type pacing struct {
	word, reason string
}

// ordinary is why execution is not fully real-time.
const ordinary = "nets are executed by ordinary goroutines, which the runtime and the system may delay at any time"

// pace chooses how nets are paced. required refuses everything that is less than fully real-time.
func pace(cfg *config.Config) (pacing, error) {
	switch {
	case cfg.Realtime.Mode == "required":
		return pacing{}, errors.New("realtime: required, but " + ordinary)
	case cfg.Realtime.Clock == "virtual":
		return pacing{"off", "virtual clock"}, nil
	case cfg.Realtime.Mode == "off":
		return pacing{"off", "switched off"}, nil
	default:
		return pacing{"degraded", ordinary}, nil
	}
}
