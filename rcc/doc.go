// Package rcc is the robot control core behind every front end: it takes nets, sessions, rules and devices through
// their lives, and informs observers (the Registry of §7.1).
//
// A front end holds a *Core. Nets, sessions and rules have names that are global to the process and never reused.
// Everything here runs in ordinary goroutines; the cycle belongs to package sched, to which this package only sends commands, and
// from which it receives events.
//
// Observers are never called back. They get a bell from Core.Watch, and when it rings they read what they are interested in: the
// transitions of a net since their last look (Net.Since), its values, the states of rules and devices. So a slow observer costs
// nobody anything.
package rcc
