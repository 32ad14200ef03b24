package testkit

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Memory checks that no primitive takes more memory than is accounted for it, with the parameters of its first example.
func (k Kit) Memory(t *testing.T) {
	for _, p := range k.Primitives {
		accepted := func(e spec.Example) bool { return e.Reject == "" }
		if i := slices.IndexFunc(p.Examples, accepted); i >= 0 && p.Net == nil {
			k.memory(t, p, p.Examples[i])
		}
	}
}

// crowd is how many instances are made, so that their memory outweighs that of others.
const crowd = 200

// aNet is what a net takes in any case, for what has no place in a primitive.
const aNet = 2 << 10

func (k Kit) memory(t *testing.T, p *spec.Primitive, e spec.Example) {
	t.Helper()
	linked := func(port string) bool { _, is := e.In[port]; return is || p.In[p.InPort(port)].Required }
	s := setup{instances: 1, period: 10 * time.Millisecond, params: e.Params, linked: linked}
	feeding, err := k.rig(p, s)
	if err != nil {
		t.Errorf("%s: %s: %v", p.Name, e.Doc, err)
		return
	}
	texts, _ := parameters(p, e.Params) // the rig has read them
	accounted := int64(0)
	least := alloc.Live(func() int64 { return accounted }, func() any {
		quota := budget.New(math.MaxInt64)
		memory := quota.Open("", "", 0)
		block := p.New(crowd)
		env := &spec.Env{
			Period: s.period, Host: feeding.host, Memory: memory, Inbox: spec.NewInbox(memory), Board: spec.NewBoard(memory),
		}
		for i := range crowd {
			for port, cell := range feeding.in[0] {
				if cell != nil {
					block.Link(i, port, cell)
				}
			}
			if err := block.Init(i, texts, env); err != nil {
				t.Errorf("%s: %s: %v", p.Name, e.Doc, err)
				return nil
			}
		}
		env.Inbox.Seal()
		env.Board.Seal()
		accounted = quota.Usage().Used + p.Bytes(crowd) + aNet
		return [...]any{block, env.Inbox, env.Board}
	})
	if least > accounted {
		t.Errorf("%s: %s: %d instances take %d bytes, of which %d are accounted", p.Name, e.Doc, crowd, least, accounted)
	}
}
