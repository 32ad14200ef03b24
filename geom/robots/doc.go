// Package robots has models of arms that are in use: where their joints are, how far and how fast they go, and the solver
// that suits them.
//
//	arm := robots.KR16()
//	robot, err := robots.Find("kr 16-2") // by name, however it is spelled
//
// A model is a table, and its comment says where the numbers are from. They are those of data sheets and of descriptions
// that makers and users of the robots have published; the arm in front of you was not measured. Check
// them, above all the limits, before an arm moves, and let its controller hold limits of its own.
//
// Joints count as the controller of the robot counts: KUKA's axes A1, A4 and A6 turn negatively about the axes of the
// table. The base is that of the controller unless something else is said, the tip is the face of the flange, z out of it.
// Units are m, rad and s.
//
// Hardly any maker publishes accelerations and jerks. Where nothing else is known (Assumed), a joint reaches its velocity
// in 0.2 s at the earliest, and its acceleration in 0.1 s: the cautious end of what is usual for arms of this kind.
//
// Arms are solved in closed form where there is one, and numerically otherwise (kinematics.ArmOf). The youBot has five
// axes: of all poses it reaches those only whose tool is in the plane of its links, and poses from elsewhere are
// unreachable. Programs for which some directions do not matter make a solver of their own for the chain (kinematics.NewNumeric).
//
// The Schunk LWA 4P ends at the centre of its wrist, as no source that can be cited says where its flange is.
package robots
