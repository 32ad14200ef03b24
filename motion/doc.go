// Package motion moves several axes, or a frame in space, over time: from state to state, along paths, from one motion
// into the next, and to goals that change in every cycle.
//
// # Two kinds of motions
//
// InJoints gives the states of axes by time, InSpace the pose of a frame. Everything here is one of them or makes one of
// others:
//
//	Joints   axes from states to goals (PTP): asynchronous, synchronous, fully synchronous
//	Along    a frame along a path (package path) by a law
//	ByArm    a motion in space as the joints of an arm do it, OfTip one of joints as the tip does it
//	Blend    from one motion of axes into another, by the fastest way between two of their states
//	Overlap  from one motion in space into another, by adding what is left of the first
//	Settle   from any state in space to rest
//	Online   axes that are told goals and limits again in each cycle
//	Pace     how fast the time of a motion passes: overrides of speed, stops on the way
//
// # Synchronisation (§2.3)
//
// Asynchronous axes take their own times. For synchronous ones the least common time is looked for: each axis is asked for
// the first time that it can do and that is not before the time at hand, and as long as one needs more, all are asked
// again; for an axis that moves at the start or at the goal there can be times that are too long (package profile). Fully
// synchronous axes share one law, that of the axis that goes furthest, within limits that keep all others within theirs.
// Their way is a straight line of joints. So it is possible when velocities and accelerations, too, lie in this line.
//
// # Stops
//
//	motion                   how                   what is kept beside the limits
//	fully synchronous        Joints.Stop           the line, exactly; not beyond its end
//	along a path             Along.Stop            the path, exactly
//	synchronous              Joints.Stop           the axes rest at the same time, the way is left
//	asynchronous             Joints.Stop           nothing: each axis stops as soon as it can
//	any                      Pace                  the way, exactly; needs a motion that does not take all of the limits
//	from outside             Online.Stop           as Joints.Stop
//
// Limits are always kept. That is why a joint that is braking at its limit cannot be stopped any sooner, and why a
// synchronous motion cannot be stopped on its way without room for that: time would have to slow down while an axis has no
// deceleration left to give.
//
// # Blends
//
// Axes have limits of their own, and the fastest way between two states within them is known (package profile). So a Blend
// is that, from the state in which the first motion is left to the one in which the second is met; no share of the limits
// has to be kept free. In space limits are lengths of vectors, and ways should be simple: an Overlap is the sum of two
// motions, which lies in a plane where both are lines, and is as late as it must for the sum to be within the limits.
//
// # In the cycle
//
// Values made for a number of axes allocate nothing afterwards. Functions are fit for the cycle unless they say that
// they are for loading; they answer with an Outcome or a Result instead of an error. There may be any number of axes; only
// arms have at most geom.MaxJoints of them.
//
// Profiles and their formulas are explained in package profile, paths in package path. The rotation vector of Settle is as
// in R. M. Murray, Z. Li and S. S. Sastry, "A Mathematical Introduction to Robotic Manipulation", chapter 2.
package motion
