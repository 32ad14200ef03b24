package rcc

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Listens sets the addresses and, besides those of the loopback, the names of this daemon, by which nets may name it (RemoteRCC).
// Malformed addresses are left out.
func (c *Core) Listens(addresses, names []string) {
	var at listening
	for _, text := range addresses {
		host, port, err := net.SplitHostPort(text)
		n, wrong := strconv.ParseUint(port, 10, 16)
		if err != nil || wrong != nil {
			continue
		}
		if host == "localhost" {
			host = "127.0.0.1"
		}
		addr, err := netip.ParseAddr(host)
		if host == "" {
			addr, err = netip.IPv6Unspecified(), nil
		}
		if err == nil {
			at.addresses = append(at.addresses, netip.AddrPortFrom(addr.Unmap(), uint16(n)))
		}
	}
	for _, name := range names {
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		at.names = append(at.names, strings.ToLower(strings.Trim(name, "[]")))
	}
	c.Nets.listening.Store(&at)
}

// listening is where the daemon is reached.
type listening struct {
	addresses []netip.AddrPort
	names     []string
}

// here reports whether an address, with or without scheme and port, is one of this daemon.
func (ns *Nets) here(address string) bool {
	at := ns.listening.Load()
	if at == nil {
		return false
	}
	host, port, ok := hostAndPort(address)
	return ok && slices.ContainsFunc(at.addresses, func(own netip.AddrPort) bool {
		return (port == 0 || port == own.Port()) && at.reaches(own.Addr(), host)
	})
}

// hostAndPort splits an address; the port is 0 when it says none.
func hostAndPort(address string) (host string, port uint16, ok bool) {
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "", 0, false
	}
	text := u.Port()
	if text == "" {
		text = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	if text == "" {
		return u.Hostname(), 0, true
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return u.Hostname(), uint16(n), err == nil && n > 0
}

// reaches reports whether a host stands for an own address, or, where the daemon listens at all of them, for one of this machine.
func (at *listening) reaches(own netip.Addr, host string) bool {
	host = strings.ToLower(host)
	if slices.Contains(at.names, host) {
		return true
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return own.IsLoopback() || own.IsUnspecified()
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	addr = addr.Unmap().WithZone("")
	return addr == own.WithZone("") || own.IsUnspecified() && (addr.IsLoopback() || ofMachine(addr))
}

// ofMachine reports whether an address is one of this machine.
func ofMachine(addr netip.Addr) bool {
	list, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(list, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr().Unmap() == addr
	})
}
