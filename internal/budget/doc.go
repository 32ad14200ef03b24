// Package budget keeps the memory that clients cause within bounds: everything is accounted before it is taken, in the
// name of somebody who can be told, and what is beyond the bounds is refused with the names of those who use how much.
//
// Accounts are for loading, never for the cycle: nothing takes memory there.
package budget
