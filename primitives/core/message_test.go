package core_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

func primitive(t *testing.T, name string) *spec.Primitive {
	t.Helper()
	for _, p := range core.Primitives() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no primitive %s", name)
	return nil
}

// neighbours lends the messages of other nets.
type neighbours struct {
	boards  map[string]*spec.Board
	inboxes map[string]*spec.Inbox
}

func (n neighbours) Device(name string) (device.Device, error) {
	return nil, fmt.Errorf("no device %q", name)
}

func (n neighbours) Board(net string) (*spec.Board, error) {
	if b := n.boards[net]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no net %q", net)
}

func (n neighbours) Inbox(net string) (*spec.Inbox, error) {
	if b := n.inboxes[net]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no net %q", net)
}

// load makes n instances of a primitive with every in port connected to a cell of its own.
func load(t *testing.T, name string, n int, params map[string]string, env *spec.Env) (*spec.Block, error) {
	t.Helper()
	p := primitive(t, name)
	texts := make([]*string, len(p.Params))
	for name, text := range params {
		texts[p.Param(name)] = &text
	}
	block := p.New(n)
	for i := range n {
		for k := range p.In {
			block.Link(i, k, block.Source(i, k))
		}
		if err := block.Init(i, texts, env); err != nil {
			return nil, err
		}
	}
	return block, nil
}

func mustLoad(t *testing.T, name string, n int, params map[string]string, env *spec.Env) *spec.Block {
	t.Helper()
	block, err := load(t, name, n, params, env)
	if err != nil {
		t.Fatal(err)
	}
	return block
}

// TestNetcommInSources: the newest write holds, and in one cycle that of another net.
func TestNetcommInSources(t *testing.T) {
	net := kit.Single(t, "Core::IntNetcommIn", time.Millisecond, map[string]string{"Key": "k", "Value": "5"})
	v, ok := net.Env.Inbox.Find("ink")
	if !ok {
		t.Fatal("no variable ink")
	}
	out, updated := testkit.Out[int32](t, net, "outValue"), testkit.Out[value.Time](t, net, "outLastUpdated")
	app := func(n uint64, at int64) {
		net.Env.Inbox.Put(at, spec.Update{Var: v, Words: []uint64{n}})
	}
	peer := func(n uint64) { net.Env.Inbox.Send(v.Offset(), []uint64{n}) }
	steps := []struct {
		doc     string
		do      func()
		want    int32
		updated int64 // 0 for never, -1 for the time of the cycle
	}{
		{"before any write", func() {}, 5, 0},
		{"the application", func() { app(6, 100) }, 6, 100},
		{"another net", func() { peer(7) }, 7, -1},
		{"both", func() { peer(8); app(9, 200) }, 8, -1},
		{"the application again", func() { app(10, 300) }, 10, 300},
		{"the application within one instant", func() { app(11, 300) }, 11, 300},
	}
	for _, step := range steps {
		net.Next()
		step.do()
		net.Phases()
		want := step.updated
		if want < 0 {
			want = net.Cy.Time
		}
		if out.V != step.want || updated.Current(net.Cy) != (want != 0) || want != 0 && int64(updated.V) != want {
			t.Errorf("%s: %d updated %d (%t), not %d updated %d", step.doc, out.V, updated.V, updated.Current(net.Cy), step.want, want)
		}
	}
}

// TestNetcommInShared: several primitives with one key share its value, that of the first before the first write.
func TestNetcommInShared(t *testing.T) {
	env := &spec.Env{Period: time.Millisecond, Inbox: &spec.Inbox{}}
	first := mustLoad(t, "Core::IntNetcommIn", 1, map[string]string{"Key": "k", "Value": "1"}, env)
	second := mustLoad(t, "Core::IntNetcommIn", 1, map[string]string{"Key": "k", "Value": "2"}, env)
	if _, err := load(t, "Core::DoubleNetcommIn", 1, map[string]string{"Key": "k"}, env); err == nil || !strings.Contains(err.Error(), "ink is used with type int and with type double") {
		t.Errorf("a key of two types: %v", err)
	}
	env.Inbox.Seal()
	env.Inbox.Take()
	for i, block := range []*spec.Block{first, second} {
		cy := spec.Cycle{N: 1}
		block.Kernel(spec.Sense, 0, 1)(&cy)
		block.Kernel(spec.Run, 0, 1)(&cy)
		if got := block.Cell(0, block.Primitive.OutPort("outValue")).(*spec.Out[int32]).V; got != 1 {
			t.Errorf("primitive %d gives %d, not 1", i, got)
		}
	}
}

func TestNetcommOutReport(t *testing.T) {
	env := &spec.Env{Period: time.Millisecond, Board: &spec.Board{}}
	mustLoad(t, "Core::BooleanNetcommOut", 1, map[string]string{"Key": "a", "Report": "false"}, env)
	mustLoad(t, "Core::BooleanNetcommOut", 1, map[string]string{"Key": "b"}, env)
	for key, want := range map[string]bool{"outa": false, "outb": true} {
		if v, ok := env.Board.Find(key); !ok || v.Report != want {
			t.Errorf("%s is reported: %t", key, ok && v.Report)
		}
	}
}

// board is a net that publishes one int.
type board struct {
	*spec.Board
	offset int
	n      uint64
}

func newBoard(t *testing.T) *board {
	t.Helper()
	b := &board{Board: &spec.Board{}}
	var err error
	if b.offset, err = b.Add(spec.NewVar("outk", int32(0))); err != nil {
		t.Fatal(err)
	}
	b.Seal()
	return b
}

// cycle publishes a value, or none.
func (b *board) cycle(v int32, null bool) {
	b.n++
	if !null {
		b.Write(b.offset, []uint64{uint64(uint32(v))})
	}
	b.End(b.n)
}

func TestInterNetcommIn(t *testing.T) {
	source := newBoard(t)
	env := &spec.Env{Period: time.Millisecond, Host: neighbours{boards: map[string]*spec.Board{"net": source.Board}}}
	block := mustLoad(t, "Core::IntInterNetcommIn", 1, map[string]string{"RemoteRCC": "", "RemoteNet": "net", "RemoteKey": "k"}, env)
	sense, run := block.Kernel(spec.Sense, 0, 1), block.Kernel(spec.Run, 0, 1)
	out := block.Cell(0, block.Primitive.OutPort("outValue")).(*spec.Out[int32])
	updated := block.Cell(0, block.Primitive.OutPort("outLastUpdated")).(*spec.Out[value.Time])
	steps := []struct {
		doc     string
		do      func()
		null    bool
		want    int32
		updated value.Time
	}{
		{"nothing published", func() {}, true, 0, 0},
		{"a value", func() { source.cycle(4, false) }, false, 4, 2},
		{"no cycle of the source since", func() {}, false, 4, 2},
		{"a cycle without value", func() { source.cycle(0, true) }, true, 0, 2},
		{"a value again", func() { source.cycle(6, false) }, false, 6, 5},
		{"in the middle of a cycle", func() { source.Write(source.offset, []uint64{7}) }, false, 6, 5},
		{"still in the middle", func() {}, false, 6, 5},
		{"done", func() { source.n++; source.End(source.n) }, false, 7, 8},
	}
	for n, step := range steps {
		cy := spec.Cycle{N: uint64(n) + 1, Time: int64(n) + 1}
		step.do()
		sense(&cy)
		run(&cy)
		if out.Current(&cy) == step.null || !step.null && out.V != step.want {
			t.Errorf("%s: %d (%t), not %d", step.doc, out.V, out.Current(&cy), step.want)
		}
		if updated.Current(&cy) != (step.updated != 0) || step.updated != 0 && updated.V != step.updated {
			t.Errorf("%s: updated %d (%t), not %d", step.doc, updated.V, updated.Current(&cy), step.updated)
		}
	}
}

func TestInterNetcommRefusals(t *testing.T) {
	inbox := &spec.Inbox{}
	if _, err := inbox.Add(spec.NewVar("ink", true)); err != nil {
		t.Fatal(err)
	}
	inbox.Seal()
	empty := &spec.Board{}
	empty.Seal()
	env := &spec.Env{Period: time.Millisecond, Host: neighbours{
		boards: map[string]*spec.Board{"net": newBoard(t).Board, "empty": empty}, inboxes: map[string]*spec.Inbox{"net": inbox},
	}}
	for _, test := range []struct{ primitive, net, key, want string }{
		{"Core::DoubleInterNetcommIn", "net", "k", `net "net": value outk: type differs: int to double`},
		{"Core::DoubleInterNetcommIn", "net", "j", `net "net" has no value outj; it has outk`},
		{"Core::DoubleInterNetcommIn", "empty", "k", `net "empty" has no value outk; it has none`},
		{"Core::DoubleInterNetcommIn", "ten", "k", `no net "ten"`},
		{"Core::IntInterNetcommOut", "net", "k", `net "net": value ink: type differs: bool to int`},
		{"Core::IntInterNetcommOut", "ten", "k", `no net "ten"`},
	} {
		_, err := load(t, test.primitive, 1, map[string]string{"RemoteRCC": "", "RemoteNet": test.net, "RemoteKey": test.key}, env)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, not %s", test.primitive, err, test.want)
		}
	}
}

// TestInterNetcommHammer: two nets that pump values into a third in their own threads; each value arrives whole.
func TestInterNetcommHammer(t *testing.T) {
	env := &spec.Env{Period: time.Millisecond, Inbox: &spec.Inbox{}}
	receiver := mustLoad(t, "Core::IntNetcommIn", 1, map[string]string{"Key": "k"}, env)
	env.Inbox.Seal()
	host := neighbours{inboxes: map[string]*spec.Inbox{"net": env.Inbox}}
	const cycles = 50_000
	done := make(chan struct{})
	for range 2 {
		block := mustLoad(t, "Core::IntInterNetcommOut", 1, map[string]string{"RemoteRCC": "", "RemoteNet": "net", "RemoteKey": "k"},
			&spec.Env{Period: time.Millisecond, Host: host})
		in := block.Source(0, 0).(*spec.Out[int32])
		block.Link(0, 0, in)
		act := block.Kernel(spec.Act, 0, 1)
		go func() {
			for n := range uint64(cycles) {
				cy := spec.Cycle{N: n + 1}
				in.Set(&cy, int32(n))
				act(&cy)
			}
			done <- struct{}{}
		}()
	}
	sense, run := receiver.Kernel(spec.Sense, 0, 1), receiver.Kernel(spec.Run, 0, 1)
	out := receiver.Cell(0, receiver.Primitive.OutPort("outValue")).(*spec.Out[int32])
	cy := spec.Cycle{}
	for finished := 0; finished < 2; {
		select {
		case <-done:
			finished++
		default:
		}
		cy.N++
		env.Inbox.Take()
		sense(&cy)
		run(&cy)
		if out.V < 0 || out.V >= cycles {
			t.Fatalf("%d was never sent", out.V)
		}
	}
	cy.N++
	sense(&cy)
	run(&cy)
	if out.V != cycles-1 {
		t.Errorf("%d arrived last", out.V)
	}
}
