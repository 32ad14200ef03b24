// Package conform has a suite for every device interface: what each device that announces it must do, simulated or real.
// A suite takes a function that opens a device, as tests of drivers do with a counterpart for hardware.
package conform
