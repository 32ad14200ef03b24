// Command rccctl is for people and scripts that work with rccd.
//
//	rccctl doctor [--json] [--cpus 2,3] [--pid N]    what keeps this machine from being real-time, and what to do
//	rccctl version [--json]
//	rccctl help
//
// Exit codes: 0 done, and for doctor all that is needed is there; 1 it is not; 2 wrong usage.
package main
