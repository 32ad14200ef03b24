package kukarsi

import (
	"net/netip"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// socket is a device with an address at which telegrams arrive.
type socket interface {
	device.Device
	Address() netip.AddrPort
}

// udpTypes are device types that have nothing but an address. Applications create one before the robot that uses it; which of the
// two they name depends on the network driver of other implementations.
func udpTypes() (list []device.Type) {
	for _, name := range []string{"ethernet_udp_standard", "ethernet_udp_rtnet"} {
		list = append(list, device.Declare(device.Kind{
			Name: name, Extension: "ethernet", Doc: "a port for telegrams of UDP, for the robot that names this device", Simulated: true,
		}, func(_ *device.Env, cfg *portConfig) (device.Device, error) { return cfg.open() }))
	}
	return list
}

type portConfig struct {
	Port    int    `rcc:"port" required:"true" min:"0" max:"65535" doc:"that telegrams are sent to; 0: any that is free"`
	Address string `rcc:"address" default:"0.0.0.0" doc:"of this machine that telegrams come to"`
}

func (c *portConfig) open() (device.Device, error) {
	at, err := netip.ParseAddr(c.Address)
	if err != nil {
		return nil, device.WrongParam("address", "%w", err)
	}
	return port(netip.AddrPortFrom(at, uint16(c.Port))), nil
}

// port is an address as a device.
type port netip.AddrPort

// Address returns where telegrams arrive (any).
func (p port) Address() netip.AddrPort { return netip.AddrPort(p) }

// Status is always operational: whether there is a listener is up to the robot (any).
func (port) Status() device.Status { return device.Status{State: device.Operational} }

// Interfaces returns none (any).
func (port) Interfaces() []device.Interface { return nil }

// Close does nothing.
func (port) Close() error { return nil }
