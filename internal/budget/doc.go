// Package budget keeps the memory that clients cause within bounds: everything is accounted before it is taken, in the
// name of an owner, and what exceeds a bound is refused with the owners and what each of them uses.
//
// Accounts are for loading, never for the cycle: nothing takes memory there.
package budget
