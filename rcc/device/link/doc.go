// Package link is the wire of robots that call (§9.4.4, §11.3): a robot sends a telegram in each of its cycles, and wants the
// answer at once.
//
//	robot ──telegram──> socket ──Answer──> driver ──> answer ──> robot      one thread from the first arrow to the last
//	                              Lost                   │
//	                              set-points of nets ────┘ by way of package setpoint
//
// A driver has a Link, which receives, keeps account and answers; the driver knows what telegrams mean. The Link calls
// the driver in the thread of the wire, which is detached from the runtime where the machine allows it: a Driver is cycle
// code (docs/architecture.md). Everything else of a Link may be called by any thread.
//
// # Sessions
//
// The first telegram that the driver understands begins a session with the sender of it. Until that session has ended,
// telegrams of others are counted, and neither answered nor shown to the driver. A session ends when no telegram has come
// for some cycles (Options.Lapse), when the robot has started again or has said farewell (Kind), or when the device is closed.
// How each one ended is kept (Link.Sessions).
//
// # Without a wire
//
// Virtual is the same with a network of its own, in virtual time. Drivers are tested with it:
// they get the function that opens a Link, Open or Virtual.Open, and do not see a difference.
package link
