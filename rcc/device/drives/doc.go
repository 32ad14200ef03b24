// Package drives moves joints by drives of CiA 402 in cyclic modes, on an EtherCAT bus (§9.4.3): what every device whose joints are axes of
// drives has in common. The axes may be in one slave or in several; they are one mechanism, and stop together.
//
//	bus ──Prepare──> pace ──> power ──> set-points ──> gear ──Write──> outputs
//	                  │         │           │           │     layout
//	                  │         │           │           └ gear.go    joints ─> counts of axes
//	                  │         │           └ robot.go  equation 9.1 for the next SYNC0, 9.2
//	                  │         └ power.go  all axes together through the states of CiA 402
//	                  └ pace.go  which SYNC0 is it?
//	bus ──Read──> layout ──> statuswords, positions ──> power
//
// # Power
//
// The axes go through the states together: each stage begins when all have finished the one before. Targets are where the axes are,
// in every cycle until all of them are enabled, in the right mode and report that they follow. Whatever happens then (an axis leaves its
// state or stops following, frames are missing for too long, a stop is pressed, an axis is too far from where it should be):
// all axes get a quick stop and have their targets where they are, nets have to let go of the joints, and nothing is switched on again
// until they are armed (page drives).
//
// # Modes
//
// Nets command positions. In cyclic synchronous position mode they are the targets; where a velocity offset is mapped it has the velocity
// to them. In velocity mode the target is that velocity and a share of the distance that is left, in torque mode a torque for the distance
// and the difference of velocities.
//
// # Lost frames
//
// A frame is lost now and then. Whether the slave got it is unknown, so the next one repeats it, and the one after that goes on
// from there within the limits of the joints: whatever has arrived, the drive never sees a step that is too large.
package drives
