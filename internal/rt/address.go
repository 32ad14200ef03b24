package rt

import "net/netip"

// Address is an address of UDP made of numbers only, so that the cycle may keep it. The zero value is not an address.
type Address struct {
	IP    [16]byte // those of IPv4 as IPv6 writes them
	Scope uint32   // of a link-local address of IPv6: the number of its interface
	Port  uint16
}

// AddressOf returns the Address of another form of it, whose zone does not count.
func AddressOf(a netip.AddrPort) Address { return Address{IP: a.Addr().As16(), Port: a.Port()} }

// AddrPort returns the form that the rest of Go knows.
func (a Address) AddrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(a.IP).Unmap(), a.Port)
}
