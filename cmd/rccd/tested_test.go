package main

import (
	"slices"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
)

// rccd-tested is the program of every day, which knows a device for tests besides.
func testedDaemon() {
	builtIn = withTestDevice
	main()
}

var shipped = builtIn

// withTestDevice returns what the program is built with, and the device for tests.
func withTestDevice() plugins {
	p := shipped()
	p.primitives = slices.Concat(p.primitives, testdevice.Primitives())
	p.devices = append(p.devices, testdevice.Type)
	return p
}
