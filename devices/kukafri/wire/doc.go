// Package wire is the layout of the two datagrams of KUKA's Fast Research Interface, version 1.0, as an LWR4 or LWR4+ speaks it:
// every cycle the controller of the robot sends what it measures (916 bytes), and the PC answers with what it commands (376
// bytes). All is little endian, in rad, m, Nm, N and s; nothing is padded.
//
//	both         0 header: own counter, counter heard last, size, id   8 variables of the KRL program (132 bytes)
//	measured   140 interface: time, state, quality, periods           160 statistics of the answers
//	           180 drives and controller                              216 positions, torques, matrices
//	commanded  140 flags                                              144 positions, torques, springs
//
// Ids stand for versions. A datagram of another version or size is refused with a reason. Encode and Decode are for
// the cycle; it has both sides, that of the controller for simulations.
package wire
