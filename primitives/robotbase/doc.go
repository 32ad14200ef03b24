// Package robotbase has the primitives of everything that drives (device.Base, §9.2): what a base and its wheels do,
// velocities for it, and a controller that goes to a place; and the page that every base has.
//
// Twists are those of the base seen from itself: X ahead, Y to the left, turning about Z. Places are seen from where the
// base counts its way from.
//
// BaseVelocity claims the base, so that two nets with the same one cannot run at the same time (§6.2). Within a net several
// may stand for it, but only one may have a value in a cycle: of several, none is commanded, and all say so.
package robotbase
