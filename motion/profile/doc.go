// Package profile moves one axis from a state to another one as fast as limits of velocity, acceleration and jerk allow,
// or in a given time.
//
// Any start will do, also one beyond the limits, which is left first; the end may have a velocity and an acceleration, and
// may be a point that moves. With a limit of jerk the profiles are double S, without one they are trapezoids (§2.3;
// L. Biagiotti and C. Melchiorri, "Trajectory Planning for Automatic Machines and Robots", chapter 3).
//
// # How it is solved
//
// For a start, an end without its position, and limits, consider all courses that take a time T. Their ways make up an
// interval, from the shortest to the longest one:
//
//	shortest(T) ≤ way ≤ longest(T)
//
// The longest way has a simple form (Pontryagin): jerk up, down, up, with stretches of constant acceleration where that is at its limit, and of
// constant velocity in the middle. The time alone determines it, in closed form (far.go). The shortest way is the longest one in the mirror.
//
// So everything there is to know follows from two functions of one variable. The fastest course is that of the smallest T
// whose interval has the way that is wanted: one equation in one unknown, solved by Newton's method (transfer.go). And
// because all limits are convex, a mixture of the two extreme courses of a time T keeps the limits too; the mixture
// whose way is the right one arrives in exactly T. That is how axes are given a common time, without another set of
// equations: between two resting states it is the fastest form, slowed down in velocity, acceleration and jerk alike.
//
// The search is for the rest: from one resting state to another all is in closed form (rest.go), and where the way is longer
// than that of the first course, only one of both families is looked at (transfer.go).
//
// The interval can be empty for some times, and its ends can move past the way that is wanted and back again. Then there are
// times that are too long to get there and others, longer still, that are not: Earliest knows them.
//
// Courses are continuous in position, velocity and, with a limit of jerk, in acceleration. All functions are fit for the
// cycle.
package profile
