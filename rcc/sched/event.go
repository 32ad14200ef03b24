package sched

// Kind is the kind of an event.
type Kind uint8

// The kinds of events.
const (
	NetStarted    Kind = iota // Time is that of the first cycle, which may still lie ahead
	NetCancelling             // cancellation was requested, the net goes on
	NetEnded                  // with its Cause
	NetGone                   // the slot is free again, and the Ref is invalid
	RuleFired                 // Time is that of the tick at which it takes effect
	RuleFailed                // Err is the precondition that was not met; nothing was changed
	RuleInactive              // it cannot become true any more
	ProbeGone                 // the cycle no longer uses the probe
)

// String returns the kind for messages.
func (k Kind) String() string {
	switch k {
	case NetStarted:
		return "started"
	case NetCancelling:
		return "cancelling"
	case NetEnded:
		return "ended"
	case NetGone:
		return "gone"
	case RuleFired:
		return "fired"
	case RuleFailed:
		return "failed"
	case ProbeGone:
		return "probe gone"
	default:
		return "inactive"
	}
}

// Cause is the reason why a net ended.
type Cause uint8

// The causes.
const (
	Terminated Cause = iota // the net wanted to (outTerminate)
	Failed                  // the net wanted to and named a code (outFail)
	Aborted                 // by a command, or because the scheduler was closed
	Replaced                // by a rule
	Overrun                 // it took longer than its period
	Overloaded              // there was not enough time for all nets
)

// String returns the cause for messages.
func (c Cause) String() string {
	switch c {
	case Terminated:
		return "terminated"
	case Failed:
		return "failed"
	case Aborted:
		return "aborted"
	case Replaced:
		return "replaced"
	case Overrun:
		return "overrun"
	default:
		return "overload"
	}
}

// Event is an event of a net, a rule or a probe.
type Event struct {
	Kind  Kind
	Net   Ref
	Rule  RuleID
	Probe ProbeID
	Cause Cause
	Code  int32  // of a net that failed
	Cycle uint64 // of the net: the last one that ran
	Time  int64  // logical Unix time in nanoseconds
	Err   error  // of a rule that failed; of a net that has to make room, an OverloadError
}

// note is an event or an answer on its way out of the cycle.
type note struct {
	kind    noteKind
	event   Kind
	cause   Cause
	code    int32
	net     Ref
	rule    RuleID
	index   uint32 // of the command or the rule
	cycle   uint64
	time    int64
	refusal refusal
}

type noteKind uint8

const (
	noteEvent noteKind = iota
	noteAnswer
	noteBegun
	noteProbe
	noteClosed
)

// note sends a record out (turn). The ring cannot overflow: a slot causes at most notesPerSlot records before it is free
// for the next net, a rule, a probe and a command one each, and all of these are freed by the reader of the ring.
func (s *Scheduler) note(n note) {
	at := s.noted.Load()
	*s.notes.at(at) = n
	s.noted.Store(at + 1)
	s.rings = true
}

const notesPerSlot = 5 // started, begun, cancelling, ended, gone

// deliver delivers events and answers in order until the scheduler is closed.
func (s *Scheduler) deliver() {
	defer close(s.delivered)
	for read := uint64(0); ; {
		s.bell.Wait()
		for ; read != s.noted.Load(); read++ {
			if !s.tell(*s.notes.at(read)) {
				return
			}
		}
	}
}

func (s *Scheduler) tell(n note) bool {
	switch n.kind {
	case noteAnswer:
		s.answered(n)
	case noteBegun:
		if s.config.OnBegun != nil {
			s.config.OnBegun(n.net)
		}
	case noteProbe:
		if e := (Event{Kind: ProbeGone, Probe: s.freeProbe(n.index, true)}); s.config.OnEvent != nil {
			s.config.OnEvent(e)
		}
	case noteEvent:
		e := Event{Kind: n.event, Net: n.net, Rule: n.rule, Cause: n.cause, Code: n.code, Cycle: n.cycle, Time: n.time}
		e.Err = s.errorOf(n.refusal)
		switch n.event {
		case NetEnded:
			s.leaveLane(n.net)
		case NetGone:
			s.free(n.net)
		case RuleFired, RuleFailed, RuleInactive:
			s.freeRule(n.index)
		}
		if s.config.OnEvent != nil {
			s.config.OnEvent(e)
		}
	}
	return n.kind != noteClosed
}
