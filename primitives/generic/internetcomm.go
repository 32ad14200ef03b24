package generic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// remote addresses a value of another net (§7.6.1) of this RCC: as long as there is one only, that of another cannot be reached.
type remote struct {
	RCC spec.Param[string] `rcc:"RemoteRCC" any:"loading asks whether it is this RCC" doc:"RCC of the other net: empty, or an address of this one"`
	Net spec.Param[string] `rcc:"RemoteNet" any:"loading looks for a net of this name" doc:"name of the other net"`
	Key spec.Param[string] `rcc:"RemoteKey" any:"loading asks the other net whether it has one" doc:"key of the other net's value, without in or out"`
}

// local refuses nets of other control cores.
func (r *remote) local(env *spec.Env) error {
	if r.RCC.V == "" || env.Here != nil && env.Here(r.RCC.V) {
		return nil
	}
	return fmt.Errorf("parameter RemoteRCC: %q is not an address at which this daemon listens; leave it empty, nets of other control cores cannot be reached", r.RCC.V)
}

// lookup finds a variable of the type that the primitive needs.
func (r *remote) lookup(key string, want value.Type, find func(key string) (*spec.Var, bool), all []spec.Var) (*spec.Var, error) {
	v, ok := find(key)
	switch {
	case !ok:
		return nil, fmt.Errorf("net %q has no value %s; it has %s", r.Net.V, key, keys(all))
	case v.Type != want:
		return nil, fmt.Errorf("net %q: value %s: type differs: %s to %s", r.Net.V, key, v.Type, want)
	}
	return v, nil
}

// keys lists what there is, in one line.
func keys(all []spec.Var) string {
	const most = 10
	names := []string{}
	for i := range all {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, all[i].Key)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// interIn is §7.6.1 TInterNetcommIn.
type interIn[T any] struct {
	remote
	Out     spec.Out[T]          `rcc:"outValue" doc:"value of the other net, null unless it published one in its last cycle"`
	Updated spec.Out[value.Time] `rcc:"outLastUpdated" doc:"time at which a value was last read, null before the first"`

	board  *spec.Board
	codec  *value.Codec[T]
	offset int
	words  []uint64

	current bool
	cycle   uint64 // of the other net, read last
	missed  bool   // the last read was in vain
	updated value.Time
}

// Copies of the other net's value that are kept, in words: what was read, and the out port, which may have room for as many elements
// again as its text has.
const (
	inCopies  = 3
	outCopies = 1
)

func (p *interIn[T]) Init(env *spec.Env) error {
	if err := p.local(env); err != nil {
		return err
	}
	board, err := env.Host.Board(p.Net.V)
	if err != nil {
		return err
	}
	p.board, p.codec = board, value.Of[T]()
	v, err := p.lookup("out"+p.Key.V, p.codec.Type, board.Find, board.Vars())
	if err != nil {
		return err
	}
	if err := env.Take(inCopies * 8 * int64(len(v.Initial))); err != nil {
		return err
	}
	p.offset, p.words = v.Offset(), make([]uint64, len(v.Initial))
	clear(p.words) // so that the system has given the memory before a cycle asks for it
	p.Out.V, err = spec.InitialOf[T](v)
	return err
}

// listen reads the other net's last complete cycle. When that net publishes faster than its value can be copied, the value
// before holds, but only once: that nothing arrives must not stay hidden.
func listen[T any](run []interIn[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		written, published, ok := p.board.Read(p.offset, p.words)
		if !ok {
			p.current = p.current && !p.missed
			p.missed = true
			continue
		}
		p.missed = false
		p.current = written != 0 && written == published
		if p.current && p.cycle != published {
			p.cycle = published
			p.codec.Get(p.words, &p.Out.V)
			p.updated = value.Time(cy.Time)
		}
	}
}

func pass[T any](run []interIn[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.current {
			p.Out.Touch(cy)
		}
		if p.updated != 0 {
			p.Updated.Set(cy, p.updated)
		}
	}
}

// interOut is §7.6.1 TInterNetcommOut.
type interOut[T any] struct {
	remote
	Value spec.In[T] `rcc:"inValue" wanted:"true" doc:"value to write to the other net, of an array as many elements as both have; null writes nothing"`

	inbox  *spec.Inbox
	codec  *value.Codec[T]
	offset int
	words  []uint64
}

func (p *interOut[T]) Init(env *spec.Env) error {
	if err := p.local(env); err != nil {
		return err
	}
	inbox, err := env.Host.Inbox(p.Net.V)
	if err != nil {
		return err
	}
	p.inbox, p.codec = inbox, value.Of[T]()
	v, err := p.lookup("in"+p.Key.V, p.codec.Type, inbox.Find, inbox.Vars())
	if err != nil {
		return err
	}
	if err := env.Take(outCopies * 8 * int64(len(v.Initial))); err != nil {
		return err
	}
	p.offset, p.words = v.Offset(), slices.Clone(v.Initial)
	return nil
}

func send[T any](run []interOut[T], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v := p.Value.Ref(cy); v != nil {
			p.codec.Put(p.words, v)
			p.inbox.Send(p.offset, p.words)
		}
	}
}

func interNetcomms[T any](extension, prefix string, s Sample, zeros string) []*spec.Primitive {
	other := func(net, key string) params { return params{"RemoteRCC": "", "RemoteNet": net, "RemoteKey": key} }
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: prefix + "InterNetcommIn", Extension: extension, Doc: "reads what another net publishes",
			Examples: []spec.Example{
				{
					Doc: "a net that publishes zeros", Params: other("other", "value"),
					Out: series{"outValue": {zeros, zeros}, "outLastUpdated": {"1000000000", "1010000000"}},
				},
				{
					Doc: "a net of another control core", Params: params{"RemoteRCC": "http://10.0.0.2:8080", "RemoteNet": "other", "RemoteKey": "value"},
					Reject: "is not an address at which this daemon listens",
				},
				{Doc: "no such net", Params: other("another", "value"), Reject: `no net "another"`},
				{Doc: "no such value", Params: other("other", "speed"), Reject: `net "other" has no value outspeed; it has outvalue`},
			},
		}, spec.Kernels[interIn[T]]{Sense: listen[T], Run: pass[T]}),
		spec.Declare(spec.Decl{
			Name: prefix + "InterNetcommOut", Extension: extension, Doc: "writes to a NetcommIn of another net",
			Examples: []spec.Example{
				{Doc: "a value", Params: other("other", "value"), In: series{"inValue": {"null", s.A}}},
				{Doc: "nothing connected", Params: other("other", "value")},
				{Doc: "no such value", Params: other("other", "speed"), Reject: `net "other" has no value inspeed; it has invalue`},
			},
		}, spec.Kernels[interOut[T]]{Act: send[T]}),
	}
}
