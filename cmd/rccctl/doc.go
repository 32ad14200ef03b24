// Command rccctl is for people and scripts that work with rccd.
//
//	rccctl nets [--json]                             the nets that are loaded
//	rccctl rules [N] [--json]                        the synchronization rules, or one with its record
//	rccctl sync COND [--stop N] [--cancel N] [--start N] [--description D] [--wait] [--json]
//	                                                 adds a rule; --wait tells what has become of it
//	rccctl doctor [--json] [--cpus 2,3] [--pid N]    what keeps this machine from being real-time, and what to do
//	rccctl version [--json]
//	rccctl help
//
// The first three talk to the daemon at --url, by default http://127.0.0.1:8080.
//
// Exit codes: 0 done, for doctor all that is needed is there, for sync --wait the rule has fired; 1 it is not so, or the
// daemon has refused; 2 wrong usage; 3 no connection.
package main
