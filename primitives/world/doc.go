// Package world holds the primitives that compute with positions, rotations and motions in space: vectors, rotations,
// frames, twists and wrenches (package geom), as one value and as arrays.
//
// Lengths are in m, angles in rad. A is an angle about Z, B about Y and C about X (R = Rz(A)·Ry(B)·Rx(C)); where a twist
// or a wrench is made of six numbers, they are in that order as well. Twists are seen from the reference with respect to
// the moving point.
//
// A null operand makes the result null, also where the operand is a double: there is no vector of which one coordinate is
// missing. NaN goes through, coordinate by coordinate where the formula lets it.
//
// Vectors and rotations are set as values. Frames, twists and wrenches have more words than the compiler keeps in
// registers and are computed half by half, into the out port: that takes half of the time (docs/performance-history.md).
package world
