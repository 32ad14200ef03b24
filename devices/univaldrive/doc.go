// Package univaldrive drives Stäubli's TX90 by the uniVAL drive of its controller (§9.4.3): device type staubli_tx90_ec. The controller is
// one slave on an EtherCAT bus with the axes of the arm as drives of CiA 402, in cyclic synchronous position mode.
//
//	bus ──Prepare──> pace ──> power ──> set-points ──> gear ──Write──> outputs
//	                  │         │           │           │     layout
//	                  │         │           │           └ gear.go    joints ─> counts of axes
//	                  │         │           └ robot.go  equation 9.1 for the next SYNC0, 9.2
//	                  │         └ power.go  all axes together through the states of CiA 402
//	                  └ pace.go  which SYNC0 is it?
//	bus ──Read──> layout ──> statuswords, positions ──> power
//
// What is not public about these drives is configuration: who they are, what is in their process data, how many counts a rad has.
//
// # Power
//
// The axes go through the states together: each stage begins when all have finished the one before. Targets are where the axes are,
// in every cycle until all of them are enabled, in the right mode and tell that they follow. Whatever happens then (an axis leaves its
// state or stops following, frames are missing for too long, somebody presses a stop, an axis is too far from where it should be):
// all axes get a quick stop and have their targets where they are, nets have to let go of the joints, and nothing is switched on again
// until somebody arms the robot (page drives).
//
// # Lost frames
//
// A frame is lost now and then. Nobody knows whether the slave has got it, so the next one repeats it, and the one after that goes on
// from there within the limits of the joints: whatever has arrived, the drive never sees a step that is too large.
package univaldrive
