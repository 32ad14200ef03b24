// Package rcc is the robot control core behind every front end: it takes nets, sessions, rules and devices through
// their lives, and tells observers what happens to them (the Registry of §7.1).
//
// A front end holds a *Core. Nets, sessions and rules have names that are global to the process and never reused.
// Everything here runs in ordinary goroutines; the cycle is the business of package sched, which this package only
// sends commands to and hears events from.
//
// Observers are never called back. They ask for a bell with Core.Watch, and when it rings they look at what they
// are interested in: the transitions of a net since their last look (Net.Since), its values, the states of rules
// and devices. So a slow observer costs nobody anything.
package rcc
