// Command rccctl is for people and scripts that work with rccd: it loads, starts, feeds, watches and ends nets, tells
// what there is, and finds out what keeps a machine from being real-time. rccctl help lists the commands,
// docs/guide-rccctl.md shows them.
//
// Answers are tables for people; with --json they are what the daemon has said. All that a daemon says is printed without
// the characters that a terminal would obey.
//
// Exit codes: 0 done, for doctor all that is needed is there, for sync --wait the rule has fired; 1 it is not so, or the
// daemon has refused, with its message on standard error; 2 wrong usage; 3 no connection.
package main
