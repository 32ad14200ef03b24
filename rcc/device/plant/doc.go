// Package plant simulates joints with their drives: the response of actuators to commands.
//
// Each joint is a system of second order: its drive pulls it towards the commanded position with a bandwidth and a damping.
// A step is not integrated but exact, for commands that change linearly in it, and stable however long it is. Measured values are
// those of some time ago (Lag), with noise that is the same in every run. Torques from outside deflect a joint as its stiffness
// lets them.
//
// Drives lose power by command, by an emergency stop or because a joint has failed; the brakes of the joint then bring it to
// rest and hold it where it is. A script (Script) lets that happen at given times.
package plant
