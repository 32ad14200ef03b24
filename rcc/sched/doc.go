// Package sched runs programs: cyclically, on one grid of ticks, and starts and stops them together on request
// (architecture: the way of a net; between ticks).
//
// A net is admitted to a slot of a fixed table and from then on known by its Ref. An executor runs the nets of one period
// and class that are on one CPU; its body, executor.tick, obeys the rules of the cycle, so that only what paces it decides how
// real-time it is. Goroutines talk to the cycle through a bounded mailbox, the cycle answers with a ring of fixed records.
//
// # The turn
//
// All decisions – starts, ends, cancellations, owners of resources, rules – belong to the turn: a section that one
// thread executes at a time, without other threads waiting for it. A thread that finds the turn taken leaves a mark and
// goes on; the thread that has the turn then decides once more (Scheduler.pass), or leaves that to the next thread when
// it has happened often. Every executor tries at the end of each of its ticks, when its done instant is published, so
// the last executor of a tick sees the complete tick.
//
// # Decisions
//
// A decision takes effect at an instant that no executor has reached yet. It is written to the mailboxes of all
// executors concerned and becomes visible everywhere at once, by one compare-and-swap on the word in which executors
// also count the ticks that they begin: when a tick has begun in between, another instant is chosen. So all nets of a
// decision start and stop at the same instant, on whatever executors they are, and no thread waits.
//
// A late executor does not break a hand-over: a net does not run while the net that it replaces is still in its last
// cycle, and that net has no cycle after its successor has begun (executor.choose).
//
// # Resting
//
// On the real clock an executor that has nothing to do does not tick. Mail wakes it, and so do commands when no other
// thread would take the turn soon; a net starts on it late enough for it to be awake by then (executor.pace). It does not
// rest while a rule waits to start one of its nets. In virtual time, one goroutine ticks all executors that have
// something to do, and the decisions of an instant are made once, after all of them (Scheduler.drive).
//
// One file for each idea:
//
//	slot.go      nets and their resources, from Admit to NetGone
//	lane.go      which nets share what executes them (algorithms 8.1 and 8.2), on which CPU
//	command.go   commands of goroutines, on their way into the turn
//	turn.go      when decisions are made, and ends
//	change.go    one decision: conflicts, its instant, its mail
//	rule.go      rules, and what their conditions see
//	evidence.go  what rules have read, for observers
//	executor.go  a tick
//	blame.go     which net took too long
//	pace.go      when executors tick on the real clock, rest, come and go
//	drive.go     the same in virtual time
//	event.go     what the cycle reports
package sched
