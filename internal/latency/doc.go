// Package latency measures how real-time this machine is: how late threads wake up at the ticks of a grid, beside cyclictest
// where that is installed, and what that means for nets of several cycle times.
package latency
