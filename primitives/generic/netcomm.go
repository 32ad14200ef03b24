package generic

import (
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// message is the form of a value on its way: a head word and the value's words, in memory of the instance.
type message struct {
	all  []uint64
	body []uint64 // all without its head
}

// newMessages makes n messages in one piece of memory: what a cycle touches together lies together.
func newMessages(n, words int) []message {
	words++
	messages, all := make([]message, n), make([]uint64, n*words)
	for i := range messages {
		messages[i].all = all[i*words : (i+1)*words : (i+1)*words]
		messages[i].body = messages[i].all[1:]
	}
	return messages
}

// netcommIn is §7.6.1 TNetcommIn. Applications write the value through the inbox, other nets through its second door;
// the newest write holds, and in one cycle that of the other net.
type netcommIn[T any] struct {
	Key     spec.Param[string] `rcc:"Key" must:"filled" doc:"name of the value; applications write it as in + Key"`
	Initial spec.Param[T]      `rcc:"Value" default:"" any:"every value of the type is one to begin with" agree:"Key" doc:"value before the first write; the same for all of a Key"`

	// what every cycle touches lies together
	inbox   *spec.Inbox
	updated value.Time
	Out     spec.Out[T]          `rcc:"outValue" doc:"value written last"`
	Updated spec.Out[value.Time] `rcc:"outLastUpdated" doc:"time of the last write, null before the first"`

	codec  *value.Codec[T]
	offset int
	app    message // last write of the application
	latest message
	peer   []uint64 // last write of another net
	seen   uint64   // its number
}

func (p *netcommIn[T]) Init(env *spec.Env) (err error) {
	p.inbox, p.codec = env.Inbox, value.Of[T]()
	p.Out.V = p.codec.Clone(p.Initial.V)
	messages := newMessages(3, p.codec.Words(p.Out.V))
	p.app, p.latest, p.peer = messages[0], messages[1], messages[2].body
	p.app.all[0] = unread
	p.offset, err = env.Inbox.Add(spec.NewVar("in"+p.Key.V, p.Initial.V))
	return err
}

// unread is the head of no write: the first cycle reads the initial value, which is that of the first of several
// primitives with one key.
const unread = ^uint64(0)

func receive[T any](run []netcommIn[T], cy *spec.Cycle) {
	if len(run) == 0 || !run[0].inbox.Changed() {
		return
	}
	for i := range run {
		p := &run[i]
		p.inbox.Read(p.offset, p.latest.all)
		if !slices.Equal(p.latest.all, p.app.all) {
			copy(p.app.all, p.latest.all)
			p.codec.Get(p.app.body, &p.Out.V)
			p.updated = value.Time(head(p.app.all))
		}
		if seen := p.inbox.Received(p.offset, p.seen, p.peer); seen != p.seen {
			p.seen = seen
			p.codec.Get(p.peer, &p.Out.V)
			p.updated = value.Time(cy.Time)
		}
	}
}

func head(words []uint64) uint64 {
	if len(words) == 0 {
		return 0
	}
	return words[0]
}

func deliver[T any](run []netcommIn[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Touch(cy)
		if p.updated != 0 {
			p.Updated.Set(cy, p.updated)
		}
	}
}

func netcommIns[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "NetcommIn", Extension: extension, Doc: "gives a value that the application writes while the net runs",
		Examples: []spec.Example{
			{
				Doc: "written before the second cycle", Params: params{"Key": "level", "Value": s.A}, In: series{"inlevel": {"null", s.B, s.B}},
				Out: series{"outValue": {s.A, s.B, s.B}, "outLastUpdated": {"null", "1010000000", "1020000000"}},
			},
			{
				Doc: "never written", Params: params{"Key": "level"},
				Out: series{"outValue": {s.Zero, s.Zero}, "outLastUpdated": {"null"}},
			},
			{Doc: "no key", Reject: "parameter Key is missing"},
			{Doc: "an empty key", Params: params{"Key": ""}, Reject: "parameter Key: it is empty, but must be given"},
		},
	}, spec.Kernels[netcommIn[T]]{Sense: receive[T], Run: deliver[T]})
}

// netcommOut is §7.6.1 TNetcommOut.
type netcommOut[T any] struct {
	// what every cycle touches lies together
	Value  spec.In[T] `rcc:"inValue" wanted:"true" doc:"value to publish; null publishes nothing"`
	board  *spec.Board
	codec  *value.Codec[T]
	offset int
	words  []uint64

	Key     spec.Param[string] `rcc:"Key" must:"filled" unique:"published value" doc:"name of the value; applications read it as out + Key"`
	Initial spec.Param[T]      `rcc:"Value" default:"" any:"every value of the type is one to begin with" doc:"value before the first cycle that has one; it decides how long an array is, when it is empty the array at inValue does"`
	Report  spec.Param[bool]   `rcc:"Report" default:"true" doc:"tell applications; otherwise only other nets read the value"`
}

func (p *netcommOut[T]) Init(env *spec.Env) (err error) {
	p.board, p.codec = env.Board, value.Of[T]()
	initial := p.Initial.V
	if p.codec.Words(initial) == 0 {
		initial = *p.Value.Source()
	}
	v := spec.NewVar("out"+p.Key.V, initial)
	v.Report, p.words = p.Report.V, slices.Clone(v.Initial)
	p.offset, err = env.Board.Add(v)
	return err
}

func publish[T any](run []netcommOut[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Ref(cy); v != nil {
			p.codec.Put(p.words, v)
			p.board.Write(p.offset, p.words)
		}
	}
}

func netcommOuts[T any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "NetcommOut", Extension: extension, Doc: "publishes a value to the application and to other nets",
		Examples: []spec.Example{
			{
				Doc: "the last value stays", Params: params{"Key": "level"}, In: series{"inValue": {"null", s.A, "null", s.B}},
				Out: series{"outlevel": {"null", s.A, s.A, s.B}},
			},
			{Doc: "nothing connected", Params: params{"Key": "level", "Report": "false"}, Out: series{"outlevel": {"null"}}},
			{Doc: "no key", In: series{"inValue": {s.A}}, Reject: "parameter Key is missing"},
		},
	}, spec.Kernels[netcommOut[T]]{Act: publish[T]})
}
