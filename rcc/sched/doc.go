// Package sched runs programs: cyclically, on one grid of ticks, started and stopped together where that is asked for
// (architecture: the way of a net; between ticks).
//
// A net is admitted to a slot of a fixed table and from then on known by its Ref. An executor runs the nets of one period
// and class that are on one CPU; its body, executor.tick, obeys the rules of the cycle, so that only what paces it decides how
// real-time it is. Goroutines talk to the cycle through a bounded mailbox, the cycle answers with a ring of fixed records.
//
// # The turn
//
// All decisions – starts, ends, cancellations, owners of resources, rules – belong to the turn: a section that one
// thread executes at a time, without anybody waiting for it. Whoever comes while the turn is taken leaves a mark and
// goes on, and the one who has it decides once more (Scheduler.pass), or leaves it to the next one when that has
// happened often. Every executor comes at the end of each of its ticks, when its done instant is published, so the last
// executor of a tick to get there sees the complete tick.
//
// # Decisions
//
// A decision holds from an instant on that no executor has reached yet. It is written to the mailboxes of all executors
// concerned and becomes visible everywhere at once, by one compare-and-swap on the word in which executors also count
// the ticks that they begin: when a tick has begun in between, another instant is chosen. So all nets of a decision
// start and stop at the same instant, on whatever executors they are, and nobody waits.
//
// An executor that is late breaks no hand-over: a net does not run while the one that it replaces is still in its last
// cycle, nor has that one a cycle when its successor has begun (executor.choose).
//
// # Resting
//
// On the real clock an executor that has nothing to do does not tick. It is woken by mail, and by commands when nobody
// else would take the turn soon; what starts on it starts late enough for it to be awake by then (executor.pace). It does
// not rest while a rule waits to start one of its nets. In virtual time, one goroutine ticks all executors that have
// something to do, and what an instant brings about is decided once, after all of them (Scheduler.drive).
//
// One file for each idea:
//
//	slot.go      nets and their resources, from Admit to NetGone
//	lane.go      which nets share what executes them (algorithms 8.1 and 8.2), on which CPU
//	command.go   what goroutines ask for, on its way into the turn
//	turn.go      when something is decided, and ends
//	change.go    one decision: what stands in its way, its instant, its mail
//	rule.go      rules, and what their conditions see
//	evidence.go  what rules have gone by, for those who ask
//	executor.go  a tick
//	blame.go     whose time was too long
//	pace.go      when executors tick on the real clock, rest, come and go
//	drive.go     the same in virtual time
//	event.go     what the cycle has to tell
package sched
