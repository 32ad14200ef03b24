// Package cyclecheck reads the compiled program and reports whether its cycle obeys the rules of the cycle
// (docs/architecture.md): whether anything that is called in the cycle can allocate, store a pointer into the heap, wait,
// panic, or need more stack than a real-time thread has.
//
// It asks the machine code and not the source, because the compiler decides what escapes, where a store needs a write
// barrier, and which checks of bounds are left. From the roots it follows calls through the image of the program. Where a
// call goes through a pointer, a table says which functions it may reach; the table is generated from the source. A function that
// belongs neither to the module nor to a few packages of calculations is refused, unless the reviewed list allows it with a
// reason; so is every call through a pointer that the table does not cover. Anything that the checker does not understand is an
// error (ADR 0011).
//
// Two things it cannot see, because no call is made: a nil pointer that is read, which loading and fuzzing exclude, and a
// loop that does not end.
//
//	policy.go   roots, open packages, reviewed list: what a developer changes
//	check.go    from a program to findings
//	image.go    functions of the program, by name and by line; lines.go reads the table of the linker
//	code.go     calls in machine code; x86.go and arm.go know the instructions
//	sites.go    the table of indirect calls, from the source
//	exits.go    calls of a function, with what they may reach
//	walk.go     from the roots to everything that is reached
//	stack.go    the longest way, in bytes of stack
package cyclecheck
