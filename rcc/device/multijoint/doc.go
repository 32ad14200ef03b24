// Package multijoint is what devices with joints have in common, whether joints are simulated or at the end of a wire (§9.2).
//
// A Group is what a driver embeds to be a device.MultiJoint but for tools:
//
//	nets ──CommandPosition──> setpoint.Axes ──Values──> driver ──> joints
//	nets, people <──Joint──── Group <────────Report──── driver <──┘
//
// Nets and people ask in their threads, the driver reports in its own: nobody waits.
package multijoint
