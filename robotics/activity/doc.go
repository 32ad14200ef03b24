// Package activity makes the common things with robots one line (§10.1.2): motions that know where the one before ends, and go over
// into each other without a stop.
//
//	robot := activity.NewRobot(robots, arm)
//	_ = robot.PTP(home).Execute(ctx)
//	_, _ = robot.Lin(a, table).Blend(0.8).Begin(ctx)
//	_, _ = robot.Lin(b, table).Blend(0.8).Begin(ctx)
//	_ = robot.Lin(c, table).Execute(ctx)
//
// Begin returns as soon as the activity has begun, so that the application decides about the next one while this one goes on, and with
// what it knows then: as late as at the place where the ways part (§11.2.2). Execute waits for the end.
//
// # What holds for motions of a robot
//
//  1. They are executed in the order in which they were begun, each is one command, and the robot is commanded in every cycle from the
//     beginning of the first to the rest after the last.
//  2. A motion with Blend goes over into the next one when that share of its time has passed, one with BlendBefore a distance before the
//     end of its path, if the next one is there by then. If it comes later, the motion comes to rest at its goal, and the next one begins
//     there; nothing else changes. Which of both it is decides a synchronization rule in real time (§6.3), once.
//  3. The next motion begins as the joints move: without a jump in position and velocity, whatever the kinds of both motions are. From one
//     cycle to the next, accelerations change by what jerks allow: those of joints by theirs when the next motion is one of joints, and
//     that of what moves from one way in space into another by the jerks of both. When joints that were led join a way in space, their
//     accelerations may change at once, in one cycle, by an eighth of what they may be besides. A way in space begins where the motion
//     before would have ended. Behind another way in space, that one comes to rest within its limits while the new one begins within its
//     own; what moves does both at once, so that it may have twice the limits for a moment, in space, and is beside both ways until that
//     is over; joints have room for it (5). Several arms that
//     keep a relation do so behind motions of joints, too. Behind a motion of joints of one arm, the way is joined within the limits
//     of the joints, no joint getting much faster than it is, or than the way wants it; limits in space do not hold until then. From
//     there on it is kept exactly.
//  4. Arcs and splines begin where the motion before ends, which is known from that, or where the robot rests. They wait for the rest if
//     the frame that they are seen from moves.
//  5. Before a way in space begins, the models of the arms walk along it, and so do those of arms that move as one before a motion of joints
//     of the one that leads, which is on a straight line of joints. What is out of reach is a actuator.WayError, and nothing moves. Limits are
//     what must not be exceeded, in space and of joints: where a joint cannot be as fast as the way wants it, in velocity, acceleration or
//     jerk, all of the way is slower, whatever the override is and wherever it is cancelled, and Execution.Slowed tells by how much. What would
//     have to be slower than robotics.Slowest says is a WayError, too. What is not known beforehand is not looked at: frames that move, arms
//     whose solver searches, and other actions (Robot.Do). What goes over from one way in space into another is the sum of both, so a way that
//     blends, or takes over one that does, may use half of what joints can do, and a third if it is no line, or does both; one that needs
//     less is not slowed down. What would be slower than Slowest then begins at rest and comes to rest, as if it did not blend. Beside the
//     ways, where motions go over into each other, nobody has walked: what is out of reach there, or singular, is a fault.
//  6. Cancel brings the robot to rest on its way. What waits for its turn, asks where the robot is, or is on its way to the daemon is not begun, and
//     says ErrCancelled, or has come to rest when Cancel returns; so does a sequence in which the robot has a part. Functions of At may cancel.
//     Execute whose context ends, or of which a part does not begin, brings to rest all that it has begun before it returns.
//  7. When a motion fails, what waits for it is not begun, and says so with an AfterError. Nothing that failed is tried again.
//
// Preview tells before anything moves what would come of activities, with their transitions from one into the next. What makes commands of
// motions is the same on paper.
//
// What this package has no word for are motions by other actions (Robot.Do), and other commands (Of).
//
// # Several robots
//
// Each robot goes its own way, at any time. Parallel begins motions in the same cycle, and sequences each by itself; when one fails the others
// come to rest. Together
// also has them end in the same cycle, and be at the same share of their ways in each. NewMultiArm and Link make robots one that keep
// a relation: what is said to them is a motion of what they carry, and everything above holds for it, too.
package activity
