// Package sim simulates EtherCAT slaves: a Chain takes the frames of a master and returns what slaves would
// have made of them. Masters of others should find nothing missing, so registers, SII, mailboxes, states, clocks and
// working counters are those of real parts, as far as a master can see them.
//
//	Chain   what frames do on their way: order of slaves, delays, working counters, faults of the cable
//	Slave   memory with registers, SyncManagers, FMMUs, SII, state machine, watchdog, clock, mailbox
//	device  what is behind: objects, process data, and how they change: digital and analog terminals, drives of CiA 402
//
// Everything is a function of the instants at which frames are handed in; nothing reads a clock and nothing runs by itself. The
// same frames at the same instants give the same answers, in virtual time as well as behind a socket.
//
// A Rack says which slaves there are. Faults are switched on by commands (Chain.Do), the same for tests and for people.
package sim
