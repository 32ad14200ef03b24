package sched

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is the scheduler of one period as a page of ordinary code: what is known of nets and resources between ticks.
type model struct {
	now  int // ticks
	nets map[Ref]*modelNet
}

type modelNet struct {
	state     State
	needs     []int
	cycles, n int
	retired   bool // it goes when it has ended
}

// startable says whether Switch may start nets.
func (m *model) startable(stop, start []Ref) bool {
	for _, s := range start {
		if m.nets[s].state != Ready {
			return false
		}
		for r, other := range m.nets {
			if r != s && m.runs(other) && !slices.Contains(stop, r) && meets(other.needs, m.nets[s].needs) {
				return false
			}
			if r != s && slices.Contains(start, r) && meets(other.needs, m.nets[s].needs) {
				return false
			}
		}
	}
	return true
}

func (*model) runs(n *modelNet) bool { return n.state == Running || n.state == Cancelling }

func meets(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

func (m *model) change(stop, cancel, start []Ref) bool {
	if !m.startable(stop, start) {
		return false
	}
	for _, r := range stop {
		if m.runs(m.nets[r]) {
			m.nets[r].state = Ended
		}
	}
	for _, r := range cancel {
		if m.nets[r].state == Running {
			m.nets[r].state = Cancelling
		}
	}
	for _, r := range start {
		m.nets[r].state = Running
	}
	m.unloadEnded()
	return true
}

func (m *model) tick() {
	m.now++
	for _, n := range m.nets {
		if m.runs(n) {
			if n.n++; n.n == n.cycles {
				n.state = Ended
			}
		}
	}
	m.unloadEnded()
}

// retireExecutor forgets the nets that are retired and do not run.
func (m *model) unloadEnded() {
	maps.DeleteFunc(m.nets, func(_ Ref, n *modelNet) bool { return n.retired && !m.runs(n) })
}

// Random schedules do what the model does: the same is refused, and every net has the same state and cycles.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newCell(t, Config{Slots: 8, Resources: 4})
		defer l.close()
		m := &model{nets: map[Ref]*modelNet{}}
		refs := func() []Ref {
			all := make([]Ref, 0, len(m.nets))
			for r := range m.nets {
				all = append(all, r)
			}
			slices.SortFunc(all, func(a, b Ref) int { return int(a.slot) - int(b.slot) })
			return all
		}
		rt.Repeat(map[string]func(*rapid.T){
			"admit": func(rt *rapid.T) {
				if len(m.nets) == 8 {
					rt.Skip("full")
				}
				n := &modelNet{
					needs:  rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 0, 2, rapid.ID).Draw(rt, "needs"),
					cycles: rapid.IntRange(0, 5).Draw(rt, "cycles"),
				}
				p := part{period: ms, cycles: uint64(n.cycles)}
				for _, r := range n.needs {
					p.resources = append(p.resources, joint(r)...)
				}
				m.nets[l.admit(p)] = n
			},
			"switch": func(rt *rapid.T) {
				var lists [3][]Ref
				for _, r := range refs() {
					if k := rapid.IntRange(0, 5).Draw(rt, "list"); k < 3 {
						lists[k] = append(lists[k], r)
					}
				}
				err := l.Switch(t.Context(), Switch{lists[0], lists[1], lists[2]})
				if want := m.change(lists[0], lists[1], lists[2]); want != (err == nil) {
					rt.Fatalf("switch %v: %v, the model says %v", lists, err, want)
				}
			},
			"tick": func(*rapid.T) {
				l.advance(ms)
				m.tick()
			},
			"retire": func(rt *rapid.T) {
				if len(m.nets) == 0 {
					rt.Skip("empty")
				}
				r := rapid.SampledFrom(refs()).Draw(rt, "net")
				if err := l.Retire(t.Context(), r); m.nets[r].retired != (err != nil) {
					rt.Fatalf("retire %v: %v while the net is %v", r, err, m.nets[r].state)
				}
				m.nets[r].retired = true
				m.unloadEnded()
				l.must(l.Settle(t.Context()))
			},
			"": func(rt *rapid.T) {
				l.must(l.Settle(t.Context()))
				for r, n := range m.nets {
					stats, err := l.Stats(r)
					if err != nil || stats.Cycles != uint64(n.n) || l.nets.at(r.slot).state != n.state {
						rt.Fatalf("net %v is %v after %d (%v), the model says %v after %d",
							r, l.nets.at(r.slot).state, stats.Cycles, err, n.state, n.n)
					}
				}
			},
		})
	})
}
