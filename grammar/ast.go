package grammar

// Pos is a place in a text: line and column count from 1, a column is one character.
type Pos struct {
	Line, Column int
}

// Node is a primitive or a fragment of a net (§7.4.1). The net itself is a fragment without name and arguments.
type Node struct {
	Name     string // empty for the root and for anonymous nodes
	Pos      Pos
	Fragment bool
	Type     string // type of a primitive, empty for a fragment
	Args     []Arg  // parameters and connected in ports, as written
	Nodes    []*Node
	Outs     []Out // out ports of a fragment
}

// Arg gives a parameter its value or connects an in port. It is a connection when From.Port is set.
type Arg struct {
	Name  string
	Pos   Pos
	Debug string // seconds of debug recording, as written between the brackets; empty without
	Value string // text of a parameter, unescaped
	From  Source
}

// Out is an out port of a fragment and where its value comes from.
type Out struct {
	Name  string
	Pos   Pos
	Debug string
	From  Source
}

// Source names an out port: of the node Name in the same fragment, of the anonymous node Inline, or, when Name is
// Parent, the in port of that name of the surrounding fragment.
type Source struct {
	Name   string
	Inline *Node
	Port   string
	Pos    Pos
}

// Parent is the name under which the inside of a fragment refers to the fragment's own in ports (§7.6.3).
const Parent = "parent"

// Connected distinguishes a connection from a parameter.
func (a *Arg) Connected() bool { return a.From.Port != "" }

// Statement is one DirectIO message in either direction (appendix A.2).
type Statement struct {
	Tag, Command string
	Params       []Param
}

// ParamKind is the kind of a parameter of a statement.
type ParamKind uint8

// The kinds of parameters.
const (
	String ParamKind = iota
	Int
	Float
	List
	Map
)

// Param is one parameter of a statement. Text is the unescaped string or the number as written, Items are the members
// of a list or the values of a map, Keys the keys of a map in the order in which they were written.
type Param struct {
	Kind  ParamKind
	Text  string
	Keys  []string
	Items []Param
}

// Op is the kind of a node of a condition.
type Op uint8

// The operators and leaves of a condition (§6.1).
const (
	True Op = iota
	Var
	Not
	And
	Or
)

// Cond is a synchronization condition: a variable of a net, or an operator over conditions. And and Or have two or
// more operands, Not has one.
type Cond struct {
	Op       Op
	Net, Key string
	Pos      Pos
	Operands []*Cond
}

// Limits bound the work that a text can cause, so that no text can exhaust stack or memory. A zero field stands for
// the one of DefaultLimits.
type Limits struct {
	Bytes      int // of the whole text
	Depth      int // of brackets of all kinds, and of negations
	Primitives int // and fragments
	Ports      int // arguments and out ports, in all
	Items      int // parameters of a statement or operands of a condition, in all
}

// DefaultLimits are generous for generated nets: the largest known one has 35 kB.
var DefaultLimits = Limits{Bytes: 8 << 20, Depth: 1000, Primitives: 100_000, Ports: 1_000_000, Items: 100_000}

// Error describes a refused text: where, what was found and what was expected.
type Error struct {
	Pos      Pos
	Found    string   // short, quoted; empty when the message says it all
	Expected []string // in the words of the grammar
	Message  string   // instead of Found and Expected: a limit, broken UTF-8
}
