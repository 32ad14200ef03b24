// Package refmodel says what a cell of nets, rules and resources has to do, as plainly as it can be said: without threads,
// slots, mailboxes or any care for time. Tests let a real core do the same and compare (rcc.TestAgainstReference).
//
// It is written from the documents: chapters 5.3.3, 6 and 8.2, ADR 0008. A sentence of theirs is a line here wherever that
// can be had. Time is a number of milliseconds.
//
//	cell.go    nets, their states, what applications ask for
//	rule.go    rules, and when they are decided
//	change.go  what a decision does: stops, cancellations, starts, owners
//	tick.go    a tick of the grid
//	cond.go    conditions in three-valued logic
//	plan.go    what a net is going to do, as the model and as text of a net
package refmodel
