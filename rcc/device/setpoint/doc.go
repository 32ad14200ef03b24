// Package setpoint is the cyclic position device (§9.4.3): what stands between nets, which give set-points in their time,
// and an actuator, which takes values in the time of its bus.
//
//	nets ──Command──> set-points of each joint ──Values──> values for one process data cycle ──> bus
//	     judged by limits                       9.1, 9.2
//
// Nets call Command in their threads, the driver calls Values in its own. Neither waits for the other, and nothing is
// allocated.
//
// In each process data cycle, the value of a joint is on the straight line through the newest set-point of a net and the
// one that was the newest in the cycle before (equation 9.1), at the time that the process data cycle is estimated to take
// place (equation 9.2), plus what the driver looks ahead. Joints that are commanded for the same instants are looked at for
// the same instant: a joint whose set-point of a cycle has come already waits for those whose has not.
//
// A net does not know of ticks that it has missed: it goes on with the next set-point. The line goes on with it, moved by as
// much. A driver that has been away for some cycles goes on from where it was, with what joints can do in one cycle: the actuator
// got no command in that time. Was the net away together with it, as both are when the machine stands still, nothing is to be
// caught up.
//
// # Limits
//
// Set-points are judged when they come, by their differences, which are exact as their instants are: position, velocity,
// acceleration, and jerk where there is a limit of it. One that breaks a limit is not commanded; the joint comes to rest and
// names the limit (Fault, Refusal) until it was not commanded for some cycles.
//
// Lines through set-points have corners, and a line that was followed for too long is left by a step. Both are larger the
// more process data cycles there are for each set-point. In front of the actuator, values are therefore kept to the limit
// of velocity and to Slack times that of acceleration: they are those of equation 9.1 where these allow it, and otherwise
// come back to them as fast as that. They are never so fast that they would pass a limit of position before they can be at rest.
//
// # Beginning and end
//
// A net takes over a joint only from where the joint is. Its first set-point is judged against what the joint does, and may be
// off by no more than the joint makes up for shortly: A·τ²/4, with τ five cycles of the net, or of the driver if those are
// longer, but no more than 20 ms, and two cycles at least. Its second and third one are also good if they follow from what
// the joint did before the net began.
//
// When no set-point comes for some cycles of the net, or the driver says that the joint cannot be commanded, nothing controls
// the joint any more: it decelerates to rest within its limits, in front of a limit of position harder than that if need be.
// Later set-points begin from there. A joint that was pushed beyond a limit may be led back.
//
// A slow joint does not wait for that: as soon as a set-point is missing it comes to rest on the last one, or returns to it.
// So a net that was stopped in the cycle in which its motion completed leaves the joint where the next one is to begin.
//
// A net that did not run for so long, or whose driver did not, goes on as if nothing had been, and is refused as the joint is not
// where it takes it to be. Its refusal names the silence; devices show it in their state until a net moves the joint, and in their
// diary (Trouble, Diary).
//
// # Simulations for older clients
//
// With Steps, velocities may change at once and values do so too, and a net may begin three cycles late. Place has a joint jump.
package setpoint
