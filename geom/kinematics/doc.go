// Package kinematics computes where arms are, how they move, and how they get somewhere.
package kinematics
