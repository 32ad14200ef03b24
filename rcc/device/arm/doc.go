// Package arm has what the configurations of arms have in common, whether they are simulated or real: limits of joints, what
// the flange carries, the measures of their links, as a table of Denavit and Hartenberg or as lengths, and the external axes
// beside them.
package arm
