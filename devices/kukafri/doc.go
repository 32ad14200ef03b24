// Package kukafri is the driver of KUKA's lightweight robots LWR4 and LWR4+ over their Fast Research Interface (§9.4.4), device
// type kuka_lwr_fri.
//
// The controller of the robot sends what it measures in each of its cycles and gets the answer at once (package link, wire). Nets
// command joints in their own time, between which and that of the robot stands package setpoint. What the interface cannot do
// itself – command mode, control strategies, loads – a KRL program does, which is talked to by the variables that all telegrams
// have (package krl); inputs and outputs are variables as well. Package frisim simulates the other end.
//
// # States
//
// Without telegrams the robot is offline. In monitor mode, without power, and as long as joints are measured away from where they
// are commanded, it is safe-operational: answers mirror what the robot itself commands, so that command mode begins without a
// jump. In command mode under power it is operational.
//
// Command mode is asked for by the driver when the robot calls for the first time. When it ends and nobody here has asked for that –
// a limit, answers that were missing, an emergency stop, a program that was halted, a connection that was lost – the driver stays
// away until it is told to come back (page fri: arm), unless the parameter resume says otherwise. Nets that have commanded a joint
// before must begin anew in any case.
//
// # What is sent
//
// Set-points are judged by limits when they come, values between them are kept to limits again, and what has become of it must not
// be farther from the answer before than the limits of velocity allow. Whatever is missing, the last command stays: never zero.
//
// # Springs
//
// Parameters of impedance take effect with the next answer. The frame that Cartesian impedance needs is led on from where the
// controller has it, so that it does not matter what it takes for base and tool. Gravity compensation is joint impedance with soft
// springs whose ends follow the robot: a net does that (docs/guide-kuka.md).
package kukafri
