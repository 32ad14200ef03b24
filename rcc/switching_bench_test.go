package rcc_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// BenchmarkSwitching counts how many ticks there are from the one in which a condition becomes true to the first one of the
// nets that its rule starts, with nothing else and while others load large nets. In turns with shifts that relieve each other
// as fast as they can there is one that is not relieved: what the machine misses without any switching, it misses with it.
// Each iteration is a round of both.
func BenchmarkSwitching(b *testing.B) {
	last := []int{runtime.NumCPU() - 1}
	first, ordinary := place{1, true}, place{1, false}
	for _, c := range []struct {
		name   string
		cpus   []int
		awake  []place // with a net that is there all the time
		places func(shift int) []place
	}{
		{"1_net", last, nil, func(int) []place { return []place{first} }},
		{"1_net_elsewhere", last, []place{first, ordinary}, func(shift int) []place { return []place{{1, shift%2 > 0}} }},
		{"1_net_where_nothing_runs", last, nil, func(shift int) []place { return []place{{1, shift%2 > 0}} }},
		{"16_nets", last, nil, func(int) []place { return spread(first, ordinary) }},
		{"16_nets_of_two_periods", last, nil, func(int) []place { return spread(everywhere...) }},
		{"16_nets_on_all_CPUs", all(runtime.NumCPU()), spread(everywhere...), func(int) []place { return spread(everywhere...) }},
	} {
		for _, load := range []struct {
			name  string
			begin func(*roster) (stop func() uint64)
		}{{"alone", nothing}, {"loading", (*roster).loadBeside}} {
			b.Run(c.name+"/"+load.name, func(b *testing.B) {
				r := newRoster(b, rt.NewReal(), time.Millisecond, detached(b, c.cpus))
				for _, p := range c.awake {
					r.engage(&shift{nets: []*rcc.Net{r.hire("{outTerminate=Core::BooleanValue().outValue}", p)}}, nil)
				}
				stop := load.begin(r)
				defer stop()
				var total tally
				var switching, quiet kept
				for b.Loop() {
					switching.add(r, func() { r.relieve(&total, c.places) })
					quiet.add(r, func() { r.stay(c.places) })
				}
				total.report(b)
				b.ReportMetric(float64(stop()), "nets-loaded")
				b.ReportMetric(float64(len(r.core.Executors.All())), "executors")
				b.ReportMetric(switching.missed(), "missed-‰")
				b.ReportMetric(quiet.missed(), "quiet-missed-‰")
			})
		}
	}
}

func all(count int) (cpus []int) {
	for cpu := range count {
		cpus = append(cpus, cpu)
	}
	return cpus
}

func nothing(*roster) (stop func() uint64) { return func() uint64 { return 0 } }

const (
	reliefs  = 20
	stayFor  = 80 // units, about as long as the reliefs take
	priority = 80
)

// relieve lets shifts relieve each other and counts how soon they do.
func (r *roster) relieve(c *tally, places func(shift int) []place) {
	list := r.schedule(reliefs+1, places)
	r.await(list[reliefs].nets)
	incidents := r.incidents()
	for i := range reliefs {
		f := r.relief(list[i], list[i+1])
		c.add(&f, incidents)
	}
	r.dismiss(list)
}

// stay lets a shift work that nobody relieves.
func (r *roster) stay(places func(shift int) []place) {
	s := r.staff(places(0), stayFor)
	r.engage(s, nil)
	r.await(s.nets)
	r.dismiss([]*shift{s})
}

// detached is a scheduler with real-time threads on CPUs, as far as the machine has them.
func detached(b *testing.B, cpus []int) sched.Config {
	for _, cpu := range cpus {
		t := rt.Thread{Name: "try", CPU: cpu, Priority: priority}
		if err := t.Detach(func() {}); err != nil {
			b.Log("ordinary pacing:", err)
			return sched.Config{Linger: time.Hour}
		}
	}
	return sched.Config{CPUs: cpus, Threads: &sched.Threads{Priority: priority}, Linger: time.Hour}
}

// kept is what became of the ticks of all executors.
type kept struct{ begun, left uint64 }

func (k *kept) add(r *roster, round func()) {
	k.count(r, -1)
	round()
	k.count(r, 1)
}

func (k *kept) count(r *roster, sign int) {
	for _, x := range r.core.Executors.All() {
		k.begun += uint64(sign) * x.Ticks
		k.left += uint64(sign) * x.Missed
	}
}

// missed is the part of the ticks that were missed, in thousandths.
func (k *kept) missed() float64 { return 1000 * float64(k.left) / float64(k.begun+k.left) }

func (c *tally) report(b *testing.B) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(c.switches), "switches")
	b.ReportMetric(float64(c.atOnce), "at-once")
	b.ReportMetric(float64(c.told), "later-with-incident")
	b.ReportMetric(float64(c.switches-c.atOnce-c.told), "later-without")
	b.ReportMetric(float64(c.longest), "ticks-at-most")
}
