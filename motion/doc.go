// Package motion moves several axes over time: from state to state, and to goals that change in every cycle.
//
//	Joints   axes from states to goals (PTP): asynchronous, synchronous, fully synchronous
//	Online   axes that get new goals and limits in each cycle
//	Pace     how fast the time of a motion passes: overrides of speed, stops on the way
//
// Motions in space are paths (package path) gone by a profile (package profile); robots make nets of them (package robotics), and
// blend from one motion into the next.
//
// # Synchronisation (§2.3)
//
// Asynchronous axes take their own times. For synchronous ones the least common time is searched: each axis is asked for
// the first time that it can do and that is not before the time at hand, and as long as one needs more, all are asked
// again; for an axis that moves at the start or at the goal there can be times that are too long (package profile). Fully
// synchronous axes share one law, that of the axis that goes furthest, within limits that keep all others within theirs.
// Their way is a straight line of joints. So it is possible when velocities and accelerations, too, lie in this line.
//
// # Stops
//
//	motion                   how                   what is kept beside the limits
//	fully synchronous        Joints.Stop           the line, exactly; not beyond its end
//	synchronous              Joints.Stop           the axes rest at the same time, the way is left
//	asynchronous             Joints.Stop           nothing: each axis stops as soon as it can
//	any                      Pace                  the way, exactly; needs a motion that does not take all of the limits
//	from outside             Online.Stop           as Joints.Stop
//
// Limits are always kept. That is why a joint that is braking at its limit cannot be stopped any sooner, and why a
// synchronous motion cannot be stopped on its way without room for that: time would have to slow down while an axis has no
// deceleration left to give.
//
// # In the cycle
//
// Values made for a number of axes allocate nothing afterwards. Functions are fit for the cycle unless they say that
// they are for loading; they answer with an Outcome or a Result instead of an error. There may be any number of axes.
//
// Profiles and their formulas are explained in package profile, paths in package path.
package motion
