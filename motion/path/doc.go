// Package path is the geometry of motions in space: straight lines, circles, splines through points and chains of them,
// position and orientation, by the arc length that has been gone. The speed on a path is another matter: a law of
// motion gives s(t), and Point.Velocity and its neighbours put both together.
//
//	line, err := path.Line(from, to)
//	limits := line.Limits(profile.Limits{Vel: 0.25, Acc: 2, Jerk: 20}, profile.Limits{Vel: 1, Acc: 5, Jerk: 50})
//	...               // a profile from 0 to line.Length() within limits, off the cycle or in it
//	p := line.At(s)   // in the cycle
//
// # Measure
//
// A path is measured in m, along the way of the point that moves. Where the point stays and only the orientation changes,
// it is measured in rad, along the way of the orientation; so is each such part of a chain. The point stays when it moves
// by no more than a nanometre. Before its start a path stays at its start, after its end at its end.
//
// # Derivatives
//
// First, Second and Third are the derivatives of a Point by arc length: of its position, and of its orientation, by the
// angular velocity as seen from the reference. They are those of the formulas, not differences. Along a path in m First.Vel
// has the length 1, and Second.Vel points to the centre of curvature and is as long as 1/radius.
//
// Lines, circles and splines have three continuous derivatives between their via points. At the via points of a spline
// the first two are continuous. Where the parts of a chain meet, only the pose is; Corners names the places where the
// direction changes, where a motion has to stop.
//
// # Formulas
//
// All parts have one form: position and rotation vector are polynomials of a parameter u, maybe on a wheel that turns with
// u. The spline of the positions is the cubic one over the lengths of the chords (C. de Boor, "A Practical Guide to
// Splines", chapter IV). The spline of the orientations takes angular velocities at the via points as the cubic spline of
// the steps from each to the next would have, angular accelerations of the mean of both sides, and between them a rotation
// vector of degree 5 that has them at its ends (as F. C. Park and B. Ravani, "Smooth invariant interpolation of rotations",
// ACM Transactions on Graphics 16, 1997, whose curves of degree 3 continue the acceleration from one end only). It does
// not depend on the reference, nor on the frame of the tool.
//
// The arc length of a spline is integrated when it is built, by the rule of Gauss and Legendre, and u(s) is kept in a table
// of polynomials of degree 5 with exact first and second derivatives at the ends of each row. Rows are halved until they
// are right to 1e-11 of their length. So the arc length is known to better than 1e-9 m for each m, and a point that is
// asked for in equal steps of s moves in equal steps to better than 1e-9 of them, without any iteration in the cycle.
//
// Joints have no arc length, as a turn of one cannot be compared with the way of another. Their straight line is the
// fully synchronous motion of package motion.
//
// # In the cycle
//
// At, Smooth and what Point offers allocate nothing, do not panic, and answer NaN with NaN. All else is for loading.
package path
