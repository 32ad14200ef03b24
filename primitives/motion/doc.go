// Package motion holds primitives that plan and watch motions (§2.3, §2.5, §11.2): profiles of one axis, generators that
// follow targets, paths, and monitors of limits. What they compute is that of packages motion and geom; here are the ports.
//
// # Planned once, or in every cycle
//
// A profile or a path is planned in the first cycle in which all values that it needs are there, and again in a cycle with
// inReset. What comes in later has no effect. In between it is a function of time: of that in which the primitive has been active,
// or of inTime, so that a net can run it at another speed (an override), hold it, or run it backwards. The first
// cycle shows the end of that cycle, as Core::Clock does, because commands are for the end of a cycle.
//
// A generator plans in every cycle, from where it is. Its target and its limits may change at any time.
//
// # Null and special values
//
// Values that are null, NaN or infinite are not there. A profile waits for them, a generator that misses its target brakes.
package motion
