package rcc

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Values are the published variables of a net at the end of a cycle. Many observers may share one Values; it is printed once for all
// of them.
type Values struct {
	Cycle uint64
	board *spec.Board
	words []uint64
	texts []atomic.Pointer[string] // of variables that somebody has asked for
}

// KeyValue is a variable with its value in text form.
type KeyValue struct {
	Key, Value string
}

// takeValues copies what the newest cycle has published.
func takeValues(board *spec.Board) *Values {
	v := &Values{board: board, words: make([]uint64, board.Size()), texts: make([]atomic.Pointer[string], len(board.Vars()))}
	v.Cycle = board.Snapshot(v.words)
	return v
}

// Time returns the Unix time of their tick, in ns; 0 before the first one.
func (v *Values) Time() int64 { return v.board.TickOf(v.words) }

// Reported returns the values that applications receive (§7.6.3): those that the net has ever set and that differ
// from those in prev; without prev, all of them.
func (v *Values) Reported(prev *Values) []KeyValue {
	var list []KeyValue
	for key, text := range v.Changes(prev) {
		list = append(list, KeyValue{key, text})
	}
	return list
}

// Changes is an iterator over the values that Reported returns: key and value in text form.
func (v *Values) Changes(prev *Values) iter.Seq2[string, string] {
	return func(yield func(key, text string) bool) {
		vars := v.board.Vars()
		for i := range vars {
			w, given := v.of(&vars[i])
			if !vars[i].Report || !given {
				continue
			}
			if prev != nil {
				if before, was := prev.of(&vars[i]); was && slices.Equal(before, w) {
					continue
				}
			}
			if !yield(vars[i].Key, v.text(i, w)) {
				return
			}
		}
	}
}

// sharedText is how long the text of a value may be to be kept for others: of large arrays it would be more than the array.
const sharedText = 256

// text prints variable number i.
func (v *Values) text(i int, words []uint64) string {
	if printed := v.texts[i].Load(); printed != nil {
		return *printed
	}
	var room [64]byte
	text := string(v.board.Vars()[i].Text(room[:0], words))
	if len(text) <= sharedText {
		v.texts[i].Store(&text)
	}
	return text
}

// All returns every variable; those that were never set have their initial value (§7.6.1).
func (v *Values) All() []KeyValue {
	var list []KeyValue
	vars := v.board.Vars()
	for i := range vars {
		w, given := v.of(&vars[i])
		if vars[i].WhenGiven && !given {
			continue
		}
		list = append(list, KeyValue{Key: vars[i].Key, Value: string(vars[i].Text(nil, w))})
	}
	return list
}

// of returns the words of a variable and whether the net has ever given it a value.
func (v *Values) of(x *spec.Var) ([]uint64, bool) {
	at := x.Offset()
	return v.words[at+1 : at+1+len(x.Initial)], v.words[at] != 0
}

// Values returns what the net published in its newest cycle, nil when it is rejected. A later call never returns the values of an
// earlier cycle.
func (n *Net) Values() *Values {
	if n.program == nil {
		return nil
	}
	board := n.program.Board
	for {
		last := n.latest.Load()
		if last != nil && last.Cycle >= board.Edition().Number() {
			return last
		}
		v := takeValues(board)
		if last != nil && last.Cycle >= v.Cycle {
			return last
		}
		if n.latest.CompareAndSwap(last, v) {
			return v
		}
	}
}

// Flag is a Boolean variable of a net, for readers in every cycle.
type Flag struct {
	Key   string
	truth spec.Truth
}

// True reports whether the newest cycle has set it to true.
func (f *Flag) True() bool {
	is, _ := f.truth.Read()
	return is != 0
}

// Flags returns the Boolean variables.
func (n *Net) Flags() (list []Flag) {
	if n.program == nil {
		return nil
	}
	for _, v := range n.program.Board.Vars() {
		if v.Type == value.TypeBool {
			list = append(list, Flag{v.Key, n.program.Board.Truth(v.Offset())})
		}
	}
	return list
}

// Newest returns the cycle that published values last, 0 before the first one.
func (n *Net) Newest() uint64 {
	if n.program == nil {
		return 0
	}
	return n.program.Board.Edition().Number()
}

// Inputs returns the values that the application last set, with their keys.
func (n *Net) Inputs() []KeyValue {
	if n.program == nil {
		return nil
	}
	var list []KeyValue
	vars := n.program.Inbox.Vars()
	for i := range vars {
		list = append(list, KeyValue{Key: vars[i].Key, Value: string(vars[i].Text(nil, n.program.Inbox.Latest(&vars[i])))})
	}
	return list
}

// Check reports whether Set would take the values: it returns the first key that is unknown (ErrNoKey) or whose value
// does not fit (ErrValue).
func (n *Net) Check(values []KeyValue) error {
	_, err := n.updates(values)
	return err
}

// Set hands values to the net's NetcommIn primitives. They all arrive in one cycle, or none does.
func (n *Net) Set(values []KeyValue) error {
	updates, err := n.updates(values)
	if err != nil || len(updates) == 0 {
		return err
	}
	n.program.Inbox.Put(n.nets.unixNow(), updates...)
	return nil
}

func (n *Net) updates(values []KeyValue) ([]spec.Update, error) {
	if n.program == nil {
		return nil, refuse(ErrState, n.place(), "it is rejected")
	}
	updates := make([]spec.Update, 0, len(values))
	for _, kv := range values {
		v, ok := n.program.Inbox.Find(kv.Key)
		if !ok {
			return nil, refuse(ErrNoKey, n.place(), "it has no input %q", kv.Key)
		}
		words, err := v.Parse(lenient(v.Type, kv.Value))
		if err != nil {
			return nil, refuse(ErrValue, n.place(), "%s: %v", kv.Key, err)
		}
		updates = append(updates, spec.Update{Var: v, Words: words})
	}
	return updates, nil
}

// lenient reads bools as clients expect, also those of an array: anything that is not true is false.
func lenient(t value.Type, text string) string {
	switch t {
	case value.TypeBool:
		return strconv.FormatBool(text == "true")
	case value.ArrayOf(value.TypeBool):
		return lenientBools(text)
	}
	return text
}

// lenientBools leaves what is no array as it is, to be refused.
func lenientBools(text string) string {
	inner, opened := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed || strings.TrimSpace(inner) == "" {
		return text
	}
	elements := strings.Split(inner, ",")
	for i, e := range elements {
		elements[i] = strconv.FormatBool(strings.TrimSpace(e) == "true")
	}
	return "[" + strings.Join(elements, ",") + "]"
}

// HasInput reports whether the net has an input with a key.
func (n *Net) HasInput(key string) bool {
	if n.program == nil {
		return false
	}
	_, ok := n.program.Inbox.Find(key)
	return ok
}
