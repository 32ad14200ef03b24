// Package preview runs nets, and rules that switch between them, with the twin of a core, and reports the result: when they began
// and ended, what they published, how joints were commanded, and which limits that would have broken, where and when (ADR 0024).
//
// Time advances from cycle to cycle until everything that has begun has ended. Observing the twin does not change it, so a plan
// has the same result every time, bit by bit, as long as the devices are the same.
package preview
