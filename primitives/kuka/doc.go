// Package kuka has the primitives of KUKA's lightweight robots (§9.4.4): torques and forces, control strategies and their
// parameters, the payload, and kinematics that know where the elbow is.
//
// ControlStrategy, ToolParameters and those of impedance claim what they change, so that two nets that change the same cannot
// run at the same time (§6.2). Within a net several may stand for the same, but only one of them may have a value in a
// cycle: of several, none takes effect. The first one of a cycle cannot see those that come after it; those with an error
// port say it, the first one a cycle later.
package kuka
