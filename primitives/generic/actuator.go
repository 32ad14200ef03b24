package generic

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Actuator is what primitives that command something have in common (§9.2): each claims a resource for its net, and only one
// primitive of the net may have a value for it in a cycle. Of several none is to command.
type Actuator struct {
	users    *users
	refusals *spec.Refusals
	number   int    // among them
	last     uint64 // cycle in which there was a set-point
}

// Claim reserves a channel of a device for the net (load).
func (a *Actuator) Claim(env *spec.Env, of, channel string) {
	r := device.Resource{Device: of, Channel: channel}
	env.Claim(r)
	a.users = spec.Shared[users](env, r)
}

// Explain says in words why a device cannot be commanded, for those who ask why something was refused (load).
func (a *Actuator) Explain(env *spec.Env, of, channel string, fault func(fault int32, at spec.RefusedAs) string) {
	a.ExplainWithin(env, of, channel, fault, nil)
}

// ExplainWithin does so for set-points with limits, which bounds adds in words (load).
func (a *Actuator) ExplainWithin(env *spec.Env, of, channel string, fault func(fault int32, at spec.RefusedAs) string, bounds func() string) {
	if a.refusals = env.Refusals; a.refusals == nil {
		return
	}
	a.number = a.refusals.Add(device.Resource{Device: of, Channel: channel}, func(as spec.RefusedAs) string {
		switch {
		case as.Concurrent:
			return "several primitives of the net command it in one cycle"
		case as.Fault != 0:
			return fault(as.Fault, as)
		case as.Illegal == device.PositionOutOfRange && bounds != nil:
			return "the set-point is " + as.Illegal.String() + bounds()
		}
		return "the set-point is " + as.Illegal.String()
	})
}

// Enter notes that the primitive has a value in a cycle, and reports whether another one has one, too. The first one of a cycle
// cannot see those that come after it, and hears of them one cycle later (cycle).
func (a *Actuator) Enter(cy *spec.Cycle) (concurrent bool) { return a.users.enter(cy.N) }

// Alone tells, when all have entered, whether there was one only (cycle).
func (a *Actuator) Alone(cy *spec.Cycle) bool { return a.users.alone(cy.N) }

// users counts the primitives of a net that have a value for an actuator in a cycle. They share it under the resource.
type users struct {
	cycle  uint64
	count  int
	shared bool // in the cycle before there were several
}

func (u *users) enter(n uint64) (concurrent bool) {
	if u.cycle != n {
		u.shared = u.count > 1 && u.cycle+1 == n
		u.cycle, u.count = n, 0
	}
	u.count++
	return u.count > 1 || u.shared
}

func (u *users) alone(n uint64) bool { return u.cycle == n && u.count == 1 }

// ConcurrentAccess is the error of primitives that are not alone.
const ConcurrentAccess = -1

// Errors is what is wrong with a set-point.
type Errors struct {
	Code                        int32 // 0 if nothing is, else the first reason of those below
	Concurrent, Failed, Illegal bool
}

// Refuse notes that what a primitive wants is not followed, if anything is wrong: it is not alone, the device has a fault, or the value is
// illegal (cycle).
func (a *Actuator) Refuse(cy *spec.Cycle, concurrent bool, fault int32, illegal device.PositionFault) {
	if a.refusals != nil && (concurrent || fault != 0 || illegal != device.PositionGood) {
		a.refusals.Note(a.number, spec.RefusedAs{Concurrent: concurrent, Fault: fault, Illegal: illegal, Cycle: cy.N, Time: cy.Time})
	}
}

// Judge enters with a set-point, if there is one, and reports what is wrong: fault is why the device cannot be commanded, illegal
// what the device says about the value (cycle).
func (a *Actuator) Judge(cy *spec.Cycle, there bool, fault int32, illegal device.PositionFault) Errors {
	e := Errors{Concurrent: there && a.Enter(cy), Failed: fault != 0, Illegal: illegal != device.PositionGood}
	lately := there || a.last+1 == cy.N // the device says so of the set-point before
	if there {
		a.last = cy.N
	}
	if lately {
		a.Refuse(cy, e.Concurrent, fault, illegal)
	}
	switch {
	case e.Concurrent:
		e.Code = ConcurrentAccess
	case e.Failed:
		e.Code = fault
	default:
		e.Code = int32(illegal)
	}
	return e
}

// Tell writes it to the ports (cycle).
func (e Errors) Tell(cy *spec.Cycle, code *spec.Out[int32], concurrent, failed, illegal *spec.Out[bool]) {
	code.Set(cy, e.Code)
	concurrent.Set(cy, e.Concurrent)
	failed.Set(cy, e.Failed)
	illegal.Set(cy, e.Illegal)
}
