// Package robotarm has the primitives of everything with joints (§9.2, MultiJointInterface): what joints do, set-points for
// them, and the loads that they carry.
//
// JointPosition and ToolParameters claim the joint, or its tool, so that two nets with the same joint cannot run at the same
// time (§6.2). Within a net several may stand for one joint, but only one of them may have a value in a cycle: of several,
// none is commanded, and all say so. The first one of a cycle cannot see those that come after it and says it one cycle
// later.
package robotarm
