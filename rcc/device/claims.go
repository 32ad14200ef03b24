package device

import (
	"fmt"
	"net/netip"
	"sync"
)

// Claims are what the devices of a cell would take of the machine. A cell that is only checked has them: its devices are made as
// usual, claim what they need, and open nothing, neither a socket nor an interface nor a thread.
type Claims struct {
	mu         sync.Mutex
	addresses  []claimed[netip.AddrPort]
	interfaces []claimed[string]
}

type claimed[T any] struct {
	device string
	what   T
}

// Address claims an address at which telegrams come, and refuses one that another device has. Port 0 is any free one.
func (c *Claims) Address(device string, at netip.AddrPort) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.addresses {
		same := other.what.Addr() == at.Addr() || other.what.Addr().IsUnspecified() || at.Addr().IsUnspecified()
		if other.device != device && at.Port() != 0 && other.what.Port() == at.Port() && same {
			return fmt.Errorf("device %q uses UDP port %d at %v already", other.device, at.Port(), other.what.Addr())
		}
	}
	c.addresses = append(c.addresses, claimed[netip.AddrPort]{device, at})
	return nil
}

// Interface claims a network interface for one device alone.
func (c *Claims) Interface(device, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.interfaces {
		if other.device != device && other.what == name {
			return fmt.Errorf("device %q uses interface %s already", other.device, name)
		}
	}
	c.interfaces = append(c.interfaces, claimed[string]{device, name})
	return nil
}
