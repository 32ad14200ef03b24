package robotics

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Command is something that robots do within one real-time context: a RuntimeCommand, a WaitCommand or a TransactionCommand.
// It is a description; it may be executed any number of times, and must not be changed while it is being mapped.
type Command interface {
	fmt.Stringer

	// Active is the state in which the command is being executed.
	Active() State
	// Started is entered with Active and never left.
	Started() State
	// Completed is entered in the last cycle in which the command is active, if it ends by itself or since it was
	// cancelled, and one later if it is stopped; it is never left. A command that has failed is not completed.
	Completed() State
	// Cancelled is entered when the command is to end, also before it has started, and never left.
	Cancelled() State
	// Failed is entered in the cycle in which an unhandled fault occurs, and never left.
	Failed() State

	// OnEntered has effects whenever a state is entered while the command is active; if the state is active when the command
	// begins, that counts as well.
	OnEntered(s State, effects ...Effect)
	// OnLeft has effects whenever a state is left that was active, while the command was, in the cycle before.
	OnLeft(s State, effects ...Effect)
	// OnFirstEntered has effects when that happens for the first time.
	OnFirstEntered(s State, effects ...Effect)
	// OnFirstLeft has effects when that happens for the first time.
	OnFirstLeft(s State, effects ...Effect)

	base() *common
}

// common is what all commands have.
type common struct {
	self     Command
	name     string
	handlers []handler
}

// itself returns the command of a constructor, also when an application has made it part of a type of its own.
func itself(c Command) Command {
	if mapping.Missing(c) {
		return nil
	}
	if self := c.base().self; self != nil {
		return self
	}
	return c
}

func (c *common) base() *common { return c }

func (c *common) String() string { return c.name }

func (c *common) Active() State    { return commandState{c.self, active} }
func (c *common) Started() State   { return commandState{c.self, started} }
func (c *common) Completed() State { return commandState{c.self, completed} }
func (c *common) Cancelled() State { return commandState{c.self, cancelled} }
func (c *common) Failed() State    { return commandState{c.self, failed} }

func (c *common) OnEntered(s State, effects ...Effect)      { c.on(s, entered, effects) }
func (c *common) OnLeft(s State, effects ...Effect)         { c.on(s, left, effects) }
func (c *common) OnFirstEntered(s State, effects ...Effect) { c.on(s, firstEntered, effects) }
func (c *common) OnFirstLeft(s State, effects ...Effect)    { c.on(s, firstLeft, effects) }

func (c *common) on(s State, e event, effects []Effect) {
	c.handlers = append(c.handlers, handler{s, e, effects})
}

// RuntimeCommand makes an actuator perform an action.
type RuntimeCommand struct {
	common
	actuator Actuator
	action   Action
	params   []Param
}

// NewCommand returns a command that makes an actuator perform an action. Parameters override the defaults of the actuator.
func NewCommand(actuator Actuator, action Action, params ...Param) *RuntimeCommand {
	c := &RuntimeCommand{actuator: actuator, action: action, params: params}
	who := typeName(nil)
	if !mapping.Missing(actuator) {
		who = actuator.String()
	}
	c.common = common{self: c, name: who + " " + nameOf(action)}
	return c
}

// Action returns the action.
func (c *RuntimeCommand) Action() Action { return c.action }

// Actuator returns the actuator.
func (c *RuntimeCommand) Actuator() Actuator { return c.actuator }

// State returns a state of the action or of the actuator in this command, such as Progress(0.8).
func (c *RuntimeCommand) State(key any) State { return partState{c, key} }

// Fault returns the state in which something is wrong with the action or the actuator while this command is active, by its name. A command that
// handles a fault itself, by a handler of its own, does not fail by it.
func (c *RuntimeCommand) Fault(name string) State { return faultState{c, name} }

// nameOf returns how an action is called in names of commands.
func nameOf(action Action) string {
	if mapping.Missing(action) {
		return typeName(nil)
	}
	if s, ok := action.(fmt.Stringer); ok {
		return s.String()
	}
	return typeName(action)
}

// WaitCommand does nothing for a time, or until it is cancelled.
type WaitCommand struct {
	common
	time    time.Duration
	forever bool
}

// NewWait returns a command that is active for a time, in whole cycles and one at least.
func NewWait(d time.Duration) *WaitCommand {
	c := &WaitCommand{time: d}
	c.common = common{self: c, name: fmt.Sprintf("wait %v", d)}
	return c
}

// NewWaitForCancel returns a command that is active until it is cancelled.
func NewWaitForCancel() *WaitCommand {
	c := &WaitCommand{forever: true}
	c.common = common{self: c, name: "wait"}
	return c
}

// TransactionCommand executes other commands in one real-time context, as its handlers say. It ends when none of them is active
// any more. When it is stopped they are stopped; when it is cancelled, they are not, unless a handler does that. Only a failure
// beside it cancels them with it, if no handler of the transaction is about its being cancelled.
type TransactionCommand struct {
	common
	children []Command
	starts   []start
}

// start is a command that is started with its transaction, if a state is active then.
type start struct {
	command Command
	when    State // nil: always
}

// NewTransaction returns a transaction with some commands, of which none is started.
func NewTransaction(commands ...Command) *TransactionCommand {
	t := &TransactionCommand{}
	t.common = common{self: t, name: "transaction"}
	t.Add(commands...)
	return t
}

// Add adds commands, which handlers may start.
func (t *TransactionCommand) Add(commands ...Command) {
	for _, c := range commands {
		t.children = append(t.children, itself(c))
	}
}

// AddStart adds commands that are started with the transaction. Those that it has already need not be added again.
func (t *TransactionCommand) AddStart(commands ...Command) {
	for _, c := range commands {
		t.AddStartWhen(c, nil)
	}
}

// AddStartWhen adds a command that is started only if a state is active in the first cycle of the transaction, and in the cycle
// after it.
func (t *TransactionCommand) AddStartWhen(c Command, when State) {
	if c = itself(c); !t.has(c) {
		t.Add(c)
	}
	t.starts = append(t.starts, start{c, when})
}

// ForwardCancel cancels commands when the transaction is cancelled; all that it has, if none are given.
func (t *TransactionCommand) ForwardCancel(commands ...Command) {
	if len(commands) == 0 {
		commands = t.children
	}
	for _, c := range commands {
		if !mapping.Missing(c) { // mapping reports it
			t.OnFirstEntered(t.Cancelled(), Cancel(c))
		}
	}
}

func (t *TransactionCommand) has(c Command) bool {
	for _, child := range t.children {
		if child == itself(c) {
			return true
		}
	}
	return false
}

// Sequence returns a transaction that executes commands one after the other, each from the cycle after the one in which the one
// before has completed. When it is cancelled all of them are: the ones that have not begun end as they do.
func Sequence(commands ...Command) *TransactionCommand {
	t := NewTransaction(commands...)
	t.name = "sequence"
	for i, c := range t.children {
		switch {
		case i == 0:
			t.AddStart(c)
		case c != nil && t.children[i-1] != nil:
			t.OnFirstEntered(t.children[i-1].Completed(), Start(c))
		}
	}
	t.ForwardCancel()
	return t
}

// Parallel returns a transaction that executes commands from the same cycle on. When it is cancelled all of them are.
func Parallel(commands ...Command) *TransactionCommand {
	t := NewTransaction(commands...)
	t.name = "parallel"
	t.AddStart(t.children...)
	t.ForwardCancel()
	return t
}

// Action is something that an actuator can do. It maps itself; converters turn its flow into one that the actuator understands.
// It is a value, and has no state.
type Action interface {
	MapAction(c *mapping.Context) mapping.Part
}

// Actuator is something that carries out actions. It is a proxy: only the daemon knows the real state.
type Actuator interface {
	fmt.Stringer
	// Understands returns prototypes of the flows that the actuator understands, the preferred ones first.
	Understands() []mapping.Flow
	// MapActuator returns the part of the net that acts on a flow of such a type.
	MapActuator(c *mapping.Context, flow mapping.Flow) mapping.Part
	// Defaults are parameters of actions and of the actuator, for commands that have no others.
	Defaults() []Param
}

// NewWaitUntil returns a command that is active until a state is, or until it is cancelled.
func NewWaitUntil(s State) *WaitCommand {
	c := NewWaitForCancel()
	c.OnEntered(s, Cancel(c))
	return c
}

// Name gives a transaction another name, by which errors and pages call it.
func (t *TransactionCommand) Name(name string) { t.name = name }
