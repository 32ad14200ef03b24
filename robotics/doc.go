// Package robotics lets applications program robots (chapter 10, command layer): with commands made of actuators, actions,
// sensors, states and events, which are mapped to primitive nets and executed by the daemon in real time. All it needs of the daemon
// is a connection.
//
//	robots, err := robotics.Connect(ctx, "http://127.0.0.1:8080")
//	arm, err := robots.Arm(ctx, "kr16") // as its device describes it
//	move := robotics.NewCommand(arm, motions.PTP{To: goal})
//	move.OnEntered(robotics.Above(arm.Measured(0), 0.5), robotics.Cancel(move))
//	err = robots.Execute(ctx, move)
//
// A RuntimeCommand makes an actuator perform an action. WaitCommands wait, TransactionCommands contain other commands, to any
// depth, and have handlers that say which of them are started, cancelled and stopped, and when. Whatever is within one command happens in
// one real-time context, cycle by cycle; between commands the application decides, in its own time.
//
// # What holds for commands
//
// These rules hold by construction of the nets, and are tested against an interpreter that knows nothing of nets.
//
//  1. A command lives once: it waits, is active in some successive cycles, and ends.
//  2. Whatever an event leads to takes effect in the cycle after it, and not before. So nothing depends on itself, however
//     handlers refer to each other, and the order in which they were added means nothing.
//  3. A command is active only while its transaction is, and ends no later than in the same cycle.
//  4. Stop wins against start: a command that was stopped is not started any more.
//  5. Cancelling lasts. A command that is cancelled before it starts begins cancelled, and ends as its kind does: a
//     motion does not begin, an output is still set. So a chain of commands that is cancelled runs to its end, at rest. A
//     transaction that is cancelled cancels nothing of itself: its handlers do (§10.1.1), those of Sequence and Parallel all.
//  6. A command that ends by itself is Completed in its last active cycle, and what that starts is active in the next one: no
//     cycle is lost, none is used twice. A transaction ends in the first cycle in which nothing of it is active; if there are
//     commands that a state decides about, that is the second one at the earliest.
//  7. Anything unknown is inactive: a state of a value that is null is inactive.
//  8. A motion begins where its actuator was commanded last. There are no jumps, whatever was cancelled before.
//  9. Cancelled motions come to rest on their way, within their limits.
//  10. A fault without a handler stops its command and makes it Failed, which is not Completed: commands after it do not begin.
//     A failure that no handler of the transaction is about cancels all other commands of the transaction, and makes that fail,
//     too. Their parts are cancelled with them, down to transactions with handlers for their own Cancelled state, which decide
//     themselves. So everything comes to rest, and Wait returns a FailedError. An arm that cannot follow a path in space within its
//     limits comes to rest before its command ends (FaultReach, FaultSingular).
//     Where only one of several arms that move as one has failed, the command is cancelled, and ends when the others rest.
//
// # At the same time
//
// If two active commands of a net would command the same joint, base or output, neither does, and both fail (FaultConcurrent).
// Joints and bases belong to one net at a time: another one is refused. Outputs are for all nets, and the last one of a cycle
// decides; grippers refuse the second job as busy (FaultGripper).
//
// A state that is raised but not observed has no effect; one that is observed but never raised is never active. Neither is a
// mistake: parts of commands may be made for more than one use.
//
// # Before it moves
//
// Runtime.Preview reports what a command would do, and Rehearsal what several would that relieve each other: the same daemon
// executes them with twins of its devices, in a time of their own. Commands that are executed from the same positions, under the same override, run in the
// same cycles as in the preview and end at the same joints, except for the little that devices drift at rest, unless they depend
// on sensors, inputs and functions of the application.
//
// # Frames
//
// Package world knows how frames are related. Arms couple their base with their flange, mobile bases their origin with their
// body; tools and workpieces are placed, or related by the application. Cartesian actions say in which frame they are
// meant; what is in between, moving or not, becomes part of the net.
//
// A path in a frame that may move begins when the arm has caught up with it, within its limits, and is exact from then on: at the end
// of a cycle the arm is where the path leads, in the frame as known in that cycle. At the end of the path, or when it is
// cancelled, the arm comes to rest, and then the command ends. It waits as long as the frame is too fast for the arm, or not seen.
//
// # Own actions, actuators, sensors
//
// They are types that map themselves (package mapping); see the examples.
package robotics
