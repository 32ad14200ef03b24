// Package kukarsi drives KUKA KR robots over RSI (§11.3): device type kuka_kr_arm_rsi, with external axes as kuka_kr_extaxis
// beside it, and ethernet_udp_standard and ethernet_udp_rtnet, which have the port that the controller sends to.
//
//	controller ──telegram──> link ──Answer──> driver ──> corrections
//	                                           │    session.go  what does the controller hold in the cycle of this telegram?
//	                                           │    phase.go    may the robot be moved now, and if not why?
//	                                           │    group.go    set-points of nets ─> positions ─> corrections, for each device
//	                                           └    tool.go     loads on their way to the program
//	                                                diary.go    why sessions ended, and when the robot could be moved, for the log
//
// The controller sends a telegram in each of its cycles, and expects corrections relative to where the robot was when the session
// began. Only this package sees corrections: all others use positions in rad and m. The driver is ours, the controller the robot's.
//
// # The invariant
//
// In each of its cycles the controller applies one whole answer, or none: then it holds the sum of corrections that it has
// (HOLDON="1"). So an answer changes that sum, for each axis, by no more than the axis may move in one cycle of the controller,
// given its limits of velocity and acceleration and the speed that it had in the cycle before, which is 0 where it held. Missed
// motion is made up over many cycles. That holds whatever arrives, in whatever order, from whomever; whenever the driver starts,
// stops, hangs or is replaced. Not answering is always safe: the controller holds, counts, and stops by itself. When in doubt,
// there is no answer.
//
// The correction that the controller holds follows from link to link of a chain of telegrams, from one in which it holds nothing
// (docs/adr/0027). The reasons are evidence for the first link, and Delay for the next ones. Where the controller does not count
// missing answers, axes stay so near to where they are measured that every next answer is possible. Time is evidence only together with
// Delay: simulators that count exchanges stand still while they wait for an answer, for up to two seconds.
//
// The driver assumes two things. A program takes longer from RSI_OFF to RSI_ON than the parameter silence, or shows the new session
// by IPOC, by Delay or by its status. And a controller that counts missing answers does not stand still, as a paused simulator does,
// while the driver is replaced.
//
// # Beginning
//
// A session that moves the robot usually follows one in which the program only has positions read and loads a tool (figure 11.11).
// The driver does not answer the first telegrams of a session, but listens. Once it knows that the controller holds no corrections,
// it takes the measured position as their start. If that is not where the robot was read, or not where the controller commands it
// to be, nothing moves.
//
// # Loss
//
// When telegrams stop, the robot keeps the last answer, and the driver goes on from there: never from zero, and never from where
// the robot would be by now. When the session is lost, joints cannot be commanded until a new one begins, or an operator re-arms the
// one that goes on, and every net has let go of them: nothing resumes by itself. A session that outlives an emergency stop or a loss
// of power has to be re-armed too (page rsi). A re-arm counts for five seconds, in which the session may pause again.
package kukarsi
