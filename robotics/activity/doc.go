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
//  2. A motion with Blend goes over into the next one when that share of its time has passed, if the next one is there by then. If it
//     comes later, the motion comes to rest at its goal, and the next one begins there; nothing else changes. Which of both
//     it is decides a synchronization rule in real time (§6.3), once.
//  3. The next motion begins as the joints move: without a jump in position, velocity and acceleration, whatever the kinds of both
//     motions, and within the limits of the joints. A way in space begins where the motion before would have ended, and is joined
//     in flight; from there on it is kept exactly.
//  4. Cancel brings the robot to rest on its way. What waits for its turn is not begun, and says ErrCancelled.
//  5. When a motion fails, what waits for it is not begun, and says so with an AfterError. Nothing that failed is tried again.
package activity
