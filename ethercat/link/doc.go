// Package link carries frames between an EtherCAT master and its slaves: over a cable, over UDP, in memory with a time of its own,
// or out of a recording.
//
//	master ──Send──> Link ──> slaves ──> Link ──Receive──> master       one thread, in order, by one clock
//
// Frames are those of Ethernet, without check sum, whatever carries them: what is over UDP gets the header that it does not
// have there. A Link promises nothing. Frames may be lost, late, twice, cut or strange, and it is the master that finds out.
//
// Memory is for tests and twins: time goes on only while somebody waits, and what happens to each frame can be told in
// advance (Fault). A Recorder keeps what passes, in a ring that the cycle fills and somebody else empties into a file of
// pcap; a Replay answers out of such a file and says where a master no longer does what was recorded.
package link
