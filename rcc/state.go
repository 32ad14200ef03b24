package rcc

// State is the state of a net in its life cycle (§5.3.3).
type State uint8

// The states in the order of a net's life.
const (
	Loading State = iota
	Rejected
	Ready
	Scheduled
	Running
	Cancelling
	Terminated
	Unloaded
)

var stateWords = [...]string{"LOADING", "REJECTED", "READY", "SCHEDULED", "RUNNING", "CANCELLING", "TERMINATED", "UNLOADED"}

// String returns the word of the wire.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return "INVALID"
}

// Active tells that the net is executed in this state.
func (s State) Active() bool { return s == Running || s == Cancelling }

// RuleState is the state of a synchronization rule.
type RuleState uint8

// The states of a rule. All but RuleActive are final.
const (
	RuleActive RuleState = iota
	RuleFired
	RuleFailed
	RuleInactive
)

var ruleWords = [...]string{"ACTIVE", "FIRED", "FIREFAILED", "INACTIVE"}

// String returns the word of the wire.
func (s RuleState) String() string {
	if int(s) < len(ruleWords) {
		return ruleWords[s]
	}
	return "INVALIDRULE"
}
