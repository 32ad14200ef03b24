// Package realtime makes a process fit for real time: which CPUs are for executors and which for everything else, priorities,
// locked memory, CPUs that do not fall asleep. It finds out by trying what the machine allows, and reports once what is
// missing and which command grants it.
package realtime
