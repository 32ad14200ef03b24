// Command rccctl lets people and scripts work with rccd: it loads, starts, feeds, watches and ends nets, lists devices, rules and
// sessions, and finds out what keeps a machine from being real-time. rccctl help lists the commands; docs/guide-rccctl.md shows
// them.
//
// Answers are tables for people; with --json they are the answers of the daemon. Control characters in texts of the daemon are
// never sent to a terminal.
//
// Exit codes: 0 success (doctor: everything needed is there; sync --wait: the rule has fired); 1 otherwise, or the daemon has
// refused, with its message on standard error; 2 wrong usage; 3 no connection.
package main
