// Package rsisim simulates a controller of a KUKA KR that speaks RSI (§11.3): for tests of drivers, in virtual time, and
// for programs, over UDP (rccd rsisim).
//
//	Controller   program, RSI, drives and axes: makes the telegram of a cycle, takes answers, judges each of them
//	Line         what happens to telegrams and answers on their way: loss, delay, jitter, repetition
//	Station      both, cycle by cycle, on a Network; takes commands of a line each
//
// The program is that of figure 11.11: a first session in which positions are only read and a tool is loaded, then one in
// which the corrections move the robot, until the stop bit is set. Or only the second one.
//
// Faults that a real controller would not bear stop the simulated one, with a reason: answers that do not come in time, steps of
// corrections that are faster than the axes, changes of their speed that the gears do not stand, corrections beyond the
// limits of AXISCORR and AXISCORRMON, a motion while positions are read.
//
// Whatever else happens, plant.Judge looks at each answer: what it asks of an axis in one cycle that the axis cannot do is a
// jump, which is reported and counted. A driver never causes one. What the controller does is in docs/facts/kuka-rsi.md.
package rsisim
