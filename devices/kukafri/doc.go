// Package kukafri is the driver of KUKA's lightweight robots LWR4 and LWR4+ over their Fast Research Interface (§9.4.4), device
// type kuka_lwr_fri.
//
// The controller of the robot sends what it measures in each of its cycles and gets the answer at once (package link, wire). Nets
// command joints in their own time, between which and that of the robot stands package setpoint. What the interface cannot do
// itself – command mode, control strategies, loads – a KRL program does, which is talked to by the variables that all telegrams
// have (package krl); inputs and outputs are variables as well. Package frisim simulates the other end.
//
// # The invariant
//
// The controller takes over a whole answer in one of its cycles. So no answer differs from what the controller commands at that moment
// by more than a joint can move in one cycle, given its limits of velocity (times the share that friStart allows) and acceleration,
// and the speed it had in the cycle before. Motion that was missed is made up for over many cycles. This holds whatever arrives, in
// whatever order, from whomever, and whenever the driver starts, ends, hangs or is replaced. TestHostile tries it with random
// controllers and networks.
//
// What the controller commands is not assumed but seen (sight): each telegram has it. From that follows whether the answer before was
// taken, or was missing, so that the controller went on by itself. Where it is neither, the driver is silent, which is always safe:
// the controller goes on for a few cycles, and then stops the robot by itself. Two telegrams that nobody has answered between
// show position and speed again. Set-points of nets go on from there (setpoint.Axes.Stands).
//
// A telegram that is not newer than the newest one is dropped; it does not matter how old it is. So is one that is farther ahead than
// time has gone on. A controller that counts from the beginning is known by a run of such telegrams, in the time of the cycle,
// while none of the session comes (order). A telegram that waited longer than a cycle is not answered: the controller does not wait
// for the answer any more. Time stamps of telegrams are not used.
//
// # Phases
//
// What the driver does with the robot is a phase, which follows from each telegram by one table (transitions). Without telegrams the
// robot is offline. In monitor mode, and without power, answers mirror what the robot itself commands, so that command mode
// begins without a jump; the device is safe-operational then. In command mode under power the driver leads: set-points of nets
// are answered, and the device is operational. When it is not to lead any more, it brings joints to rest within their limits
// and leaves them there, until the KRL program has left command mode.
//
// Command mode is asked for by the driver when the robot calls for the first time. When it ends and nobody here has asked for that –
// a limit, answers that were missing, an emergency stop, a program that was halted, a connection that was lost – the driver stays
// away until it is told to come back (page fri: arm), unless the parameter resume says otherwise. Nets that have commanded a joint
// before must begin anew in any case.
//
// A driver that is started while the controller is in command mode goes on with it if joints rest. Otherwise it is silent: whether
// telegrams tell what is commanded in this cycle or in the one before is learned from the first motion (lag). So it is under impedance
// control, as it does not know the springs.
//
// # Springs
//
// Parameters of impedance take effect with the next answer. The frame that Cartesian impedance needs is led on from where the
// controller has it, so that it does not matter what it takes for base and tool; it follows the joints, so it keeps to the invariant
// as they do. Gravity compensation is joint impedance with soft springs whose ends follow the robot: a net does that
// (docs/guide-kuka.md).
package kukafri
