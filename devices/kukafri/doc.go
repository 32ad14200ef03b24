// Package kukafri is the driver of KUKA's lightweight robots LWR4 and LWR4+ over their Fast Research Interface (§9.4.4), device
// type kuka_lwr_fri.
//
// The robot's controller sends what it measures in each of its cycles and gets the answer at once (packages link and wire). Nets
// command joints in their own time; package setpoint stands between that and the time of the robot. A KRL program does
// what the interface cannot do itself: command mode, control strategies, loads. The driver talks to it by the variables in each telegram
// (package krl); inputs and outputs are variables as well. Package frisim simulates the other end.
//
// # The invariant
//
// The controller takes over a whole answer in one of its cycles. So no answer differs from what the controller commands at that moment
// by more than a joint can move in one cycle, given its limits of velocity (times the share that friStart allows) and acceleration,
// and the speed it had in the cycle before. Motion that was missed is made up for over many cycles. This holds whatever arrives, in
// whatever order, from whomever, and whenever the driver starts, ends, hangs or is replaced. TestHostile tries it with random
// controllers and networks.
//
// The driver does not assume what the controller commands, but sees it (sight): each telegram has it. It shows whether the answer before
// was taken, or was missing, so that the controller went on by itself. If neither fits, the driver is silent, which is always safe:
// the controller goes on for a few cycles, and then stops the robot by itself. Two telegrams with no answer in between show position
// and speed again. Set-points of nets go on from there (setpoint.Axes.Stands).
//
// A telegram that is not newer than the newest one is dropped, however old it is. So is one that is farther ahead than time has gone
// on. A run of such telegrams, in the time of the cycle, while none of the session comes, shows that the controller counts from the
// beginning (order). A telegram that waited longer than a cycle is not answered: the controller no longer waits for the answer. Time stamps of telegrams are not used.
//
// # Phases
//
// The phase of the driver says what it does with the robot; one table says how it follows from each telegram (transitions). Without telegrams the
// robot is offline. In monitor mode, and without power, answers mirror what the robot itself commands, so that command mode
// begins without a jump; the device is safe-operational then. In command mode under power the driver leads: set-points of nets
// are answered, and the device is operational. When it has to stop leading, it brings joints to rest within their limits and leaves them
// there, until the KRL program has left command mode.
//
// The driver asks for command mode when the robot calls for the first time. When it ends unrequested – a limit,
// missing answers, an emergency stop, a halted program, a lost connection – the driver stays away until the robot is armed
// (page fri: arm), unless the parameter resume says otherwise. Nets that commanded a joint before must begin again in any case.
//
// A driver that starts while the controller is in command mode goes on with it if joints rest. Otherwise it is silent: only the first
// motion shows whether telegrams have what is commanded in this cycle or in the one before (lag). Under impedance control it is silent
// as well, as it does not know the springs.
//
// # Springs
//
// Parameters of impedance take effect with the next answer. The frame that Cartesian impedance needs goes on from where the
// controller has it, so its base and tool do not matter; it follows the joints, and keeps the invariant as they do. Gravity compensation is joint impedance with soft springs whose ends follow the robot, which a net does
// (docs/guide-kuka.md).
package kukafri
