// Package link carries frames between an EtherCAT master and its slaves: over a cable, or inside this process.
//
//	master ──Send──> Link ──> slaves ──> Link ──Receive──> master       one thread, in order, by one clock
//
// Frames are those of Ethernet, without check sum, whatever carries them. A Link promises nothing. Frames may be lost, late, twice, cut or strange, and it is the master that finds out.
//
// A Recorder keeps what passes, in a ring that the cycle fills and another goroutine empties into a file of pcap.
package link
