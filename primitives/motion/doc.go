// Package motion holds primitives that plan and watch motions (§2.3, §2.5, §11.2): profiles of one axis, joints from point to
// point, generators that follow goals, paths in space, the time that passes for a motion, and monitors of limits. Packages
// motion and geom compute them; here are the ports.
//
// # Planned once, or in every cycle
//
// A profile is planned in the first cycle in which all values that it needs are there, and again in a cycle with inReset. Values that
// come in later have no effect. A path and its motion are known when the net is loaded. In between both are functions of time:
// of that in which the primitive has been active, or of inTime, so that a net can run them at another speed, hold them, or run
// them backwards. Motion::Pace is such a time, which keeps the limits of the axes while its rate changes. The first cycle shows the end
// of that cycle, as Core::Clock does, because commands are for the end of a cycle.
//
// A generator plans whenever something is new, from where it is. Its goal and its limits may change at any time.
//
// # Null and special values
//
// Values that are null, NaN or infinite are not there, except for an infinite limit of jerk, which is none. A profile waits for
// what is missing, a generator that misses its goal or a limit brakes, and begins at rest after cycles in which it was not
// active. A monitor has no limit where none is there.
package motion
