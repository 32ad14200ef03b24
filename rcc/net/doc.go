// Package net compiles primitive nets (chapter 5): from the syntax tree to a program that the scheduler runs cyclically.
//
// The stages of a net, one file each:
//
//	flatten.go  tree -> flat lists of instances and fragments, names of each fragment
//	link.go     in ports -> out ports of primitives; ports of fragments are virtual and vanish here (§7.4.2)
//	fold.go     constants: primitives that run only once
//	order.go    the order of primitives: guards, split Pre primitives, fragments as blocks (§5.3.1)
//	arrange.go  an order with few runs and few guards
//	build.go    instances in memory, linked and initialized; runs and blocks of the program
//	record.go   ports that debugging records (§7.7.1)
//	program.go  the program
//
// A net is checked as a whole: all mistakes are reported at once, each with the path of its primitive. A wrong link
// counts as open elsewhere, so that one mistake is one problem.
//
// # Guards
//
// Every primitive and every fragment has an in port inActive. It never reaches a kernel: it compiles to the guard of a
// block of runs, which is skipped unless the guard is true in this cycle. Skipped primitives do not write their out ports,
// which therefore are null.
//
// # Order
//
// A fragment with a guard is one block, skipped whole. A fragment without is dissolved into what surrounds it, because
// longer runs of equal primitives are faster. Within a block, primitives of one type under one condition run together
// as soon as they can, also those that feed each other: a kernel goes through its run in order. When values leave a
// block and come back to it in the same cycle, the block is divided into pieces under the same guard. Only a cycle of
// primitives is an error.
//
// Primitives that are declared pure and fed only by constants run once, while the net is loaded, unless something could
// read them in a cycle in which a guard makes them null.
//
// A Pre is split (§5.3.1): its kernel Keep takes over all in ports when everything else has run, its kernel Run
// delivers in the next cycle and needs no in port. Run still waits for inReset and for the guards, unless their sources
// depend on its own value: then Run delivers without looking at them, and Keep sees them later in the same cycle. Which
// guards and resets these are depends on the net only, not on the order in which it is written.
package net
