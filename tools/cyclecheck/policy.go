package cyclecheck

import "github.com/softrobot-rcc/rccd/internal/rt"

// Policy is what a program is judged by.
type Policy struct {
	Roots    []Root
	Open     []string // packages of the standard library that are looked into, as the module itself is
	Reviewed []Reviewed
	Room     int // bytes of stack
}

// Root is where a cycle begins: a function, or all functions that one calls through a pointer.
type Root struct {
	Function string // as in "path/of/package.Type.Method", whatever the receiver is
	Bodies   bool   // not the function, but what it calls through a pointer
}

// Reviewed allows a function that is called in the cycle and not looked into.
type Reviewed struct {
	Call string
	In   string // the only function that may call it, or empty
	Why  string
}

func (r *Reviewed) where() string {
	if r.In == "" {
		return ""
	}
	return " in " + r.In
}

const module = "github.com/softrobot-rcc/rccd"

// Cycle is the policy of the daemon.
var Cycle = Policy{
	Roots: []Root{
		{Function: module + "/internal/rt.within", Bodies: true},
	},
	Open: []string{"cmp", "math", "math/bits", "slices", "sync/atomic"},
	Room: rt.Room, // above the guard, on which the assembler's and the runtime's small functions run

	Reviewed: []Reviewed{
		{Call: "runtime.morestack_noctxt", Why: "asks for more stack, but the stack of a real-time thread has Room, and the deepest way needs less"},
		{Call: "runtime.morestack", Why: "the same, of closures"},
		{Call: "runtime.memmove", Why: "copies bytes; copies with pointers would call typedmemmove or typedslicecopy instead"},
		{Call: "runtime.memclrNoHeapPointers", Why: "clears bytes; memory with pointers would be cleared by memclrHasPointers instead"},
		{Call: "runtime.nanotime", Why: "reads the monotonic clock through the vDSO, on the stack of the system; no processor is needed"},
		{Call: "golang.org/x/sys/unix.RawSyscall", Why: "the system call and nothing else: the scheduler does not hear of it"},
		{Call: "golang.org/x/sys/unix.RawSyscall6", Why: "the same, with more arguments"},
		{
			Call: "math.pow", In: "math.pow",
			Why: "once, from a base of minus infinity to one of minus zero, which the first cases answer",
		},
		{
			Call: "runtime.panicBounds", In: "math.trigReduce",
			Why: "the table has 20 digits; the exponent of any float64 that is not below π/4 leads to digits 0 to 19, that of an infinity too",
		},
	},
}
