// Package wire has what goes over an EtherCAT cable and what lies in the memory of a slave: frames, datagrams, commands, registers,
// states and their codes. It does no I/O.
//
//	Ethernet header 14 | frame header 2 | datagram | datagram | … | padding to 60
//	                                      header 10 | data n | working counter 2
//
// All is little endian but the EtherType. A Writer puts datagrams into a buffer that was made before, a Reader goes through those
// of a frame; both are for the cycle and allocate nothing. Data of a Datagram lies in the frame itself.
//
// Tables are those of ETG.1000.4 (data link layer) and ETG.1000.6 (application layer); SPECNOTES.md beside this package
// says where practice differs from them.
package wire
