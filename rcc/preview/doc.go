// Package preview runs nets, and rules that switch between them, with the twin of a core, and tells what came of it: when they began and
// ended, what they published, what joints were commanded, and which limits that would have broken, where and when (ADR 0024).
//
// Time goes on from one cycle to the next until nothing that has begun goes on. A look at the twin in between does not change
// what happens there, so a plan has the same result every time, bit by bit, as long as devices are what they were.
package preview
