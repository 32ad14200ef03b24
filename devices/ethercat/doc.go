// Package ethercat makes the bus a device (§9.4.1): type ethercat, which drivers of terminals and drives get by the parameter
// ethercatdevice. Drivers know package rcc/device/ecat and neither this one nor the master.
//
//	ground    what a bus stands on: a link, a thread, waiting         the machine, or virtual time in tests
//	session   a master on an open link, its thread and its figures    from the opening of the link to its end
//	keeper    the goroutine that starts the bus, tends it, starts it again and tries again after failures
//	roster    the devices on the bus, and guards between them and the master
//
// # Restarts
//
// A device that is added to a running bus has to wait for its next start, because PDOs, process image and clocks are made there. The bus is
// started again by itself a moment after the newest device was added, so that many of them cost one start, and when slaves were connected
// that do not belong to it. While some device holds (ecat.Holder) that waits, and Status says for whom; people can force it on the page.
// Removing a device costs no start: its slaves go on with outputs of zero (ADR 19).
package ethercat
