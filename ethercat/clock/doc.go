// Package clock is the arithmetic of distributed clocks (ETG.1000.4 §6.8): how long frames are under way, how far clocks are apart,
// when SYNC0 comes, and by how much a master has to wake up earlier or later. It does no I/O.
//
// Times are ns since 2000-01-01. Registers of small parts have 32 bits, which go round every 4.3 s: what is read from them becomes
// 64 bits long in a Reading, differences of port times are taken modulo 2^32, and what is written is cut again.
package clock
