// Package mapping turns parts of commands into parts of primitive nets (§10.2): mappers of actions, actuators, sensors and
// converters work with it. Only authors of new actions, actuators, sensors or converters need this package, and nothing else:
// these are types that map themselves.
//
// A Net grows while a command is mapped. A mapper is given a Context, the net together with the life of the command that the
// part belongs to, and returns signals. It can share parts with others (Once, Net.Transform), so that the net has them once.
//
// # Set-points
//
// The signals from an action to an actuator are a Flow, whose Go type says what it means: positions of joints for the next
// cycle, a pose of one frame seen from another one, a goal to be approached. It is one signal or many, with what else must
// be known to use it. Where the action gives another type than the actuator takes, Connect looks for the shortest chain of
// converters: those of the actuator, of the action, and common ones.
//
// # Rules for all mappers
//
//   - A part whose command is not active must not act: primitives that act or remember are linked to Context.Active.
//   - Context.Cancelled stays true once it is; the part must then come to rest and say that it is done. It may be true from the
//     first cycle on: then nothing must begin.
//   - Done is true in the last cycle in which the part has something to say, not one later.
//   - Set-points begin where the actuator is, so that it never jumps, whatever it did before.
//   - Faults are true while something is wrong. The command decides what happens then.
package mapping
