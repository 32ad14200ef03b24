// Package simquad has a simulated quadcopter with the tracking system that sees it (§11.2.3):
//
//	quadcopter_sim    one of the size of a Crazyflie
//
// It keeps attitude and thrust by itself, as fast as its propellers allow, and is carried away by air that moves: where it is
// only the tracking system knows, which is a little late and not quite exact. Without a command it keeps upright and sinks to the ground;
// without power it falls. It stands on the ground, which is at height 0, until its thrust is more than its weight.
//
// The parameter faults says what goes wrong and when: a script such as "2s lost; 3s seen; 4s off" (package script). The draft and
// the power change while the quadcopter exists.
package simquad
