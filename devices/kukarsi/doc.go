// Package kukarsi drives KUKA KR robots over RSI (§11.3): device type kuka_kr_arm_rsi, with external axes as kuka_kr_extaxis
// beside it, and ethernet_udp_standard and ethernet_udp_rtnet, which have the port that the controller sends to.
//
//	robot ──telegram──> link ──Answer──> controller ──> corrections
//	                                        │    order.go    which telegram is this?
//	                                        │    phase.go    may the robot be moved now, and if not why?
//	                                        │    group.go    set-points of nets ─> positions ─> corrections, for each device
//	                                        └    tool.go     loads on their way to the program
//
// The controller of the robot sends a telegram in each of its cycles, and wants corrections relative to where the robot was
// when the session began. Only this package sees them: everybody else has positions in rad and m.
//
// # Beginning
//
// Before a session that moves the robot there usually is one in which the program only lets positions be read and loads a tool
// (figure 11.11). The start of corrections is where the robot is measured in the first telegram of the session that moves
// it. When that is not where it was read, or not where the controller commands it to be, nothing is moved.
//
// # Loss
//
// When telegrams stay away, what was told last is what the robot keeps (HOLDON), so that it is what is gone on from: never
// zero, and never where the robot would be by now. A set-point that is too far away for one cycle by then is gone to as fast
// as the axes may. When the session is lost, the joints cannot be commanded until there is a new one and every net has let go
// of them: nothing resumes by itself. After an emergency stop, or without power, a session that goes on nevertheless has to
// be re-armed first (page rsi).
package kukarsi
