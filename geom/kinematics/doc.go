// Package kinematics computes where arms are, how they move, and which values of joints bring them somewhere.
//
// # Chains
//
// A Chain is an open chain of joints from a base to a tip, made of a table in one of both forms of Denavit and Hartenberg
// (Standard, Modified) or of frames and axes (New), as URDF describes robots. Joints turn or slide; one may follow another
// by a factor and an offset, which is how couplings and mimic joints are described: it has no value of its own, and its
// limits hold for the one that it follows. The base and tool that a chain is made with cost nothing later.
//
// For values q of all joints, Forward is the pose of the tip seen from the base, Frames are those of the links and Axes
// those of the joints. For velocities, Twist is that of the tip and Drift what it accelerates by without accelerations of
// joints: with the Jacobian J, velocities v and accelerations a, the twist is J·v and its derivative J·a + Drift.
//
//	exact := inverse.Velocities(&J, twist, nil, v)
//	exact = inverse.Velocities(&J, derivative.Sub(c.Drift(q, v)), nil, a)
//
// Inverse is the way back; near singularities it bounds velocities and says that the twist is not exact. The Jacobian
// itself turns wrenches of the tip into torques of the joints (geom.Jacobian).
//
// # Solvers
//
// A Solver finds values of joints for a pose: all branches, or the one that is nearest to a hint, which usually is where
// the joints are. Wrist, UR and SRS are closed forms and find all solutions; Numeric searches, for chains of any kind, and
// may miss some. ArmOf chooses. The answer is a Status: a pose may be Unreachable or OutOfLimits, and if it is Singular,
// there are values, but joints that the pose does not determine come from the hint.
//
// A value that is beyond a limit by no more than 1e-9 is taken for the limit, as poses that were computed of the limit
// are. Angles are brought to the turn that is nearest to the hint and within the limits.
//
// # The cycle
//
// Functions of values, poses or velocities are fit for the cycle: they allocate nothing, end after a bounded number of
// steps, and answer everything. With too few values, NaN or infinities, poses and twists are not numbers, and
// solvers say Invalid. Functions that make chains, solvers and names are for loading. Chains and solvers do not change, and
// may be used by several goroutines at the same time.
//
// # Limits of it
//
// Chains have at most 16 joints and no loops; a parallelogram is a joint that follows. There are no masses here. Closed
// forms take an arm for exact whose axes miss each other by little, each says how much; calibrated arms need Numeric.
//
// Sources: J. Denavit and R. S. Hartenberg, "A kinematic notation for lower-pair mechanisms based on matrices", 1955; J. J.
// Craig, "Introduction to Robotics"; Siciliano, Sciavicco, Villani and Oriolo, "Robotics", chapters 2 and 3; those of
// single methods are with the methods.
package kinematics
