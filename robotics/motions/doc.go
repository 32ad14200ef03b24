// Package motions has the actions of robots (chapter 10): go from point to point (PTP), along lines, arcs and splines (LIN,
// LINBy, CIRC, Spline), follow sensors (Follow, FollowJoints, Jog, JogJoints), hold still (CartesianHold, JointHold),
// and drive (DriveTo).
//
// Motions are actions: values that a command passes to an actuator.
//
//	move := robotics.NewCommand(arm, motions.LIN{To: goal, In: table}, robotics.Speed(0.5))
//	move.OnFirstEntered(move.State(motions.Progress(0.8)), robotics.Start(next))
package motions
