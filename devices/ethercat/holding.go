package ethercat

import (
	"sync"

	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// holding is the slave that a device has, or why it has none.
type holding struct {
	mu    sync.Mutex
	slave ecat.Slave
	err   error
}

func (h *holding) put(s ecat.Slave, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slave, h.err = s, err
}

func (h *holding) get() (ecat.Slave, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.slave, h.err
}
