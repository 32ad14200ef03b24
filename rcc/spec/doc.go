// Package spec is the contract between primitives and the daemon: how a primitive is declared, and what it may use.
//
// A primitive is a struct whose fields are its ports, parameters and state, and up to four kernels that work on a run
// of instances at once:
//
//	type add[T int32 | float64] struct {
//		First  spec.In[T]  `rcc:"inFirst" or:"First=0" doc:"first summand"`
//		Second spec.In[T]  `rcc:"inSecond" or:"Second=0" doc:"second summand"`
//		Sum    spec.Out[T] `rcc:"outValue" doc:"sum"`
//	}
//
// Field tags:
//
//	rcc:"inFirst"     the port's name on the wire; In, InOr and Operand fields are in ports, Out fields are out ports
//	or:"First=0"      parameter that gives the value of an open in port, with its default; or:"=false" has no parameter
//	default:"1"       default of a Param field; a Param without this tag is required
//	must:"> 0"        what the value of the parameter must be, else the net is rejected (parseLimits has the forms)
//	should:"<= Max"   what it should be, else the net is warned of it
//	any:"…"           why there is neither
//	unique:"…"        no other primitive of the net has the same value for it
//	required:"true"   the net is rejected while this in port is open
//	doc:"…"           one line, lower case, with the unit
//
// An open port whose value several parameters give gets it in Init (In.StandIn).
//
// An empty default is the zero value of the type: or:"True=" in a primitive of several types. Fields without tags are
// state; an embedded struct contributes its fields. A primitive does not declare the port inActive: every primitive has it, and
// the compiler skips inactive ones (architecture: values and no value).
//
// # Kernels
//
// Kernels are ordinary functions over a slice of instances, func(run []T, cy *Cycle), because a loop over equal
// instances costs a third of a call each (ADR 0002). They obey the rules of the cycle: no allocation, lock, channel, map,
// defer, log, pointer store or panic; they never wait. The phases of §5.3.2:
//
//	Sense  phase 1: read devices and messages into the instance; ports must not be used
//	Run    phase 2: read in ports, set out ports
//	Keep   end of phase 2, after every Run: take over values for the next cycle (only Pre needs it)
//	Act    phase 3: hand commands to devices, publish values; only for instances that ran in this cycle
//
// State lives in numbers and in memory that Init allocated. Only Init may fail or allocate. Make allocates memory whose length a
// parameter gives; it limits the memory of a net.
//
// # Arrays
//
// An array is a slice on a port of type Out[[]E] or In[[]E]. Its length is decided when the net is loaded: by a
// parameter, by the initial value of a message, or by the array that an in port is linked to (In.Source). Init gives the
// out port its memory, the kernel writes elements:
//
//	func (p *scaled) Init(env *spec.Env) (err error) {
//		p.Out.V, err = generic.Array[float64](env, p.Size.V)
//		return err
//	}
//
//	func scale(run []scaled, cy *spec.Cycle) {
//		for i := range run {
//			p := &run[i]
//			if v, ok := p.Array.Get(cy); ok {
//				for k := 0; k < len(v) && k < len(p.Out.V); k++ {
//					p.Out.V[k] = v[k] * p.Factor.V
//				}
//				p.Out.Touch(cy)
//			}
//		}
//	}
//
// The slices that Get and Ref return may only be read, and only in this cycle: they are memory of another instance.
// Neither Out.Set nor an assignment of a slice to state is allowed, because both store a pointer; the checker of the
// cycle refuses them. Matrices (value.Matrix) are treated the same way.
//
// A generic kernel that serves scalars and arrays moves values by Copy of value.Of[T](), from In.Ref, or by Get out of the
// words of a message, into memory that Init has cloned, and then calls Touch. That costs a call; scalars that must be fast
// have a kernel with Set.
package spec
