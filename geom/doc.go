// Package geom computes with positions, rotations and motions in space: vectors, rotations, frames, twists and wrenches.
//
// All types are plain values without pointers. All functions are total and allocate nothing, so that they are fit for
// the cycle: NaN and infinities go through them as IEEE 754 says, and nothing panics.
//
// Lengths are in m, angles in rad, times in s. A rotation or frame is understood as a pose: that of a coordinate system
// as seen from its reference. a.Mul(b) is b as seen from the reference of a, so poses chain from left to right:
//
//	world.Mul(base).Mul(flange)
//
// Their texts are those of ports and parameters of nets (ParseFrame, String); package geom/text has what these have in
// common.
//
// The formulas are those of the literature: quaternions as in Kuipers, "Quaternions and Rotation Sequences", twists and
// exponentials as in Murray, Li and Sastry, "A Mathematical Introduction to Robotic Manipulation", chapter 2.
package geom
