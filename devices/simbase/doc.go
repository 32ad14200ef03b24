// Package simbase has simulated bases with four mecanum wheels, which drive in all directions:
//
//	robotbase_sim           any base
//	kuka_youbot_base_sim    that of a youBot
//
// They differ in the defaults of their parameters. A base takes velocities, seen from itself, or poses, seen from
// its origin. It reaches a velocity as its limits of acceleration allow, each direction by itself. When
// no net commands it, it stops in the same way; the commanded velocity then reads 0.
//
// Poses must be reachable within one cycle of the net. One that needs more than the limits of velocity is refused, and the
// base stops and cannot be commanded until it has been left alone for a while. Between poses the base goes on straight
// lines; it catches up with what its acceleration has cost.
//
// Faults for tests happen by the parameter faults, a script such as "2s off; 3s on; 4s fail; 5s repair; 6s estop" (package
// script).
//
// A simulated base is one cycle behind nets, as one at the end of a bus would be. The parameter power switches the drives
// while the base exists.
package simbase
