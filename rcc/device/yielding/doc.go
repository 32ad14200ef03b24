// Package yielding is what robots that give way have in common, whether they are simulated or at the end of a wire (§9.4.4): the
// springs that nets set (Springs), what takes time until it is in force (Request, Loads), what the robot feels (Felt), and the
// body that springs move in a simulation (Body).
//
// Nets talk to a robot in their threads and the robot answers in its own: what both share is handed over whole, and neither
// waits.
package yielding
