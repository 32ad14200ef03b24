package protocol

import (
	"iter"
	"sync"

	"github.com/softrobot-rcc/rccd/grammar"
)

// parcel is what goes to the client together: the messages of one look, or one message.
type parcel struct {
	text []byte // of all messages
	ends []int  // of each of them

	state bool // it is a state of a net, to an older client
	first bool // and the first of its subscription
}

// parcels are free ones.
var parcels = sync.Pool{New: func() any { return new(parcel) }}

// keptParcel is how large one may be that is kept for other messages.
const keptParcel = 16 << 10

// release gives a parcel back.
func (p *parcel) release() {
	if cap(p.text) <= keptParcel {
		*p = parcel{text: p.text[:0], ends: p.ends[:0]}
		parcels.Put(p)
	}
}

// add adds a message.
func (p *parcel) add(st *grammar.Statement) {
	p.text = st.AppendText(p.text)
	p.ends = append(p.ends, len(p.text))
}

// addTexts adds a message with a map of texts, followed by others, and reports whether there are any in the first one.
func (p *parcel) addTexts(tag, command string, members iter.Seq2[string, string], others ...iter.Seq2[string, string]) bool {
	begin, some := len(p.text), false
	counted := func(yield func(string, string) bool) {
		members(func(key, text string) bool {
			some = true
			return yield(key, text)
		})
	}
	p.text = grammar.AppendTexts(p.text, tag, command, append([]iter.Seq2[string, string]{counted}, others...)...)
	if !some {
		p.text = p.text[:begin]
		return false
	}
	p.ends = append(p.ends, len(p.text))
	return true
}

// appendTo appends the messages to a list.
func (p *parcel) appendTo(list [][]byte) [][]byte {
	begin := 0
	for _, end := range p.ends {
		list = append(list, p.text[begin:end:end])
		begin = end
	}
	return list
}
