// Package activity turns common tasks of robots into one line each (§10.1.2): motions that know where the one before ends, and blend
// into each other without a stop.
//
//	robot := activity.NewRobot(robots, arm)
//	_ = robot.PTP(home).Execute(ctx)
//	_, _ = robot.Lin(a, table).Blend(0.8).Begin(ctx)
//	_, _ = robot.Lin(b, table).Blend(0.8).Begin(ctx)
//	_ = robot.Lin(c, table).Execute(ctx)
//
// Begin returns as soon as the activity has begun, so that the application decides about the next one while this one goes on, with all
// that it knows by then: as late as the place where the paths part (§11.2.2). Execute waits for the end.
//
// # Rules for motions of a robot
//
//  1. They are executed in the order in which they were begun. Each is one command, and the robot is commanded in every cycle from the
//     beginning of the first to the rest after the last.
//  2. A motion with Blend blends into the next one when that share of its time has passed, one with BlendBefore at a distance before the
//     end of its path, if the next one is there by then. If it comes later, the motion comes to rest at its goal, and the next one begins
//     there; nothing else changes. A synchronization rule decides in real time which of both it is (§6.3), once.
//  3. The next motion begins as the joints move: without a jump in position and velocity, whatever the kinds of both motions are. From one
//     cycle to the next, accelerations change within the limits of jerk: those of joints when the next motion is one of joints, and the
//     sum of both motions between two paths in space. When joints that were led join a path in space, their accelerations may change
//     within one cycle by an eighth of their limit. A path in space begins where the motion before would have ended. Between two paths in
//     space, the first one comes to rest within its limits while the second begins within its own; the arm does both at once, so that it
//     may have twice the limits for a moment, in space, and is beside both paths until that is over; joints have room for it (5). Several
//     arms that keep a relation do so behind motions of joints, too. Behind a motion of joints of one arm, the path is joined within the
//     limits of the joints, and no joint gets much faster than it is, or than the path needs it; limits in space do not hold until then.
//     From there on the path is kept exactly.
//  4. Arcs and splines begin where the motion before ends, which is known from that, or where the robot rests. If their frame moves, they
//     wait for the rest.
//  5. Before a path in space begins, the models of the arms walk along it, and so do those of arms that move as one before a motion of
//     joints of the one that leads, which is on a straight line of joints. A pose out of reach is an actuator.PathError, and nothing
//     moves. Limits must not be exceeded, in space and of joints: where a joint cannot keep up with the path, in velocity, acceleration
//     or jerk, the whole path is slower, whatever the override is and wherever it is cancelled, and Execution.Slowed returns by how much.
//     A motion that would have to be slower than robotics.Slowest says is a PathError, too. Things that are not known beforehand are not
//     checked: frames that move, arms whose solver searches, and other actions (Robot.Do). Two paths that blend are added, so each of
//     them may use half of what joints can do, and a third if it is not a line, or blends at both ends; one that needs less is not slowed
//     down. A motion that would then be slower than Slowest begins at rest and comes to rest, as if it did not blend. The models do not
//     walk where motions blend: a pose out of reach there, or a singular one, is a fault.
//  6. Cancel brings the robot to rest on its path. A motion that waits for its turn, asks where the robot is, or is being sent to the
//     daemon does not begin, and returns ErrCancelled, or has come to rest when Cancel returns; so does a sequence in which the robot
//     has a part. Functions of At may cancel. If the context of Execute ends, or a part does not begin, Execute brings all parts that it
//     has begun to rest before it returns.
//  7. When a motion fails, those that wait for it do not begin, and return an AfterError. Nothing that failed is tried again.
//
// Preview reports what activities would do before anything moves, with their transitions from one into the next. The code that turns
// motions into commands is the same for both.
//
// Robot.Do makes motions by other actions, and Of activities of other commands.
//
// # Several robots
//
// Each robot moves by itself, at any time. Parallel begins motions in the same cycle, and sequences each by itself; when one fails the
// others come to rest. Together also makes them end in the same cycle, and be at the same share of their paths in each. NewMultiArm and
// Link join robots that keep a relation into one: a motion of it is a motion of what they carry, and all rules above hold for it, too.
package activity
