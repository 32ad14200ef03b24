// Package multijoint has what devices with joints have in common, whether joints are simulated or at the end of a wire (§9.2).
//
// A driver embeds a Group to be a device.MultiJoint, except for tools:
//
//	nets ──CommandPosition──> setpoint.Axes ──Values──> driver ──> joints
//	nets, people <──Joint──── Group <────────Report──── driver <──┘
//
// Nets and people ask in their threads, the driver reports in its own: neither waits.
package multijoint
