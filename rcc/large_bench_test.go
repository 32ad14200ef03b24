package rcc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// largeNet is a net of n primitives of several kinds, in any order.
func largeNet(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	entries := make([]string, n)
	for i := range entries {
		a, b := random.IntN(max(1, i)), random.IntN(max(1, i))
		switch {
		case i == 0:
			entries[i] = "p0=Core::Clock()"
		case i%4 == 1:
			entries[i] = fmt.Sprintf("p%d=Core::DoubleMultiply(inFirst=p%d.outValue,Second='0.5')", i, a)
		case i%16 == 2:
			entries[i] = fmt.Sprintf("p%d=Core::DoublePre(inValue=p%d.outValue)", i, a)
		default:
			entries[i] = fmt.Sprintf("p%d=Core::DoubleAdd(inFirst=p%d.outValue,inSecond=p%d.outValue)", i, a, b)
		}
	}
	entries[0] = fmt.Sprintf("%s,end=Core::DoubleGreater(inFirst=p%d.outValue,Second='1e300'),outTerminate=end.outValue", entries[0], n-1)
	random.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return "{" + strings.Join(entries, ",") + "}"
}

// BenchmarkLarge loads nets from 500 to 50,000 primitives, and runs them in virtual time.
func BenchmarkLarge(b *testing.B) {
	for _, n := range []int{500, 5_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			catalogue, err := spec.NewCatalogue(core.Primitives())
			if err != nil {
				b.Fatal(err)
			}
			c, err := rcc.New(rcc.Config{Catalogue: catalogue, Clock: rt.NewVirtual(time.Unix(0, 0))})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = c.Close(closed()) }()
			text := largeNet(n)
			var loading, running time.Duration
			for b.Loop() {
				begun := rt.Stopwatch()
				net, err := c.Nets.Load(rcc.LoadRequest{Text: text, Period: 10 * time.Millisecond})
				loading += time.Duration(rt.Stopwatch() - begun)
				if err != nil || net.State() != rcc.Ready {
					b.Fatal(err, net.Problems())
				}
				if err := net.Start(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := c.Clock.Advance(b.Context(), 500*time.Millisecond); err != nil {
					b.Fatal(err)
				}
				stats, _ := net.Stats()
				running += stats.Execution.Mean
				if err := net.Abort(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := net.Unload(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(loading.Microseconds())/float64(b.N)/1000, "ms/load")
			b.ReportMetric(float64(running.Nanoseconds())/float64(b.N)/float64(n), "ns/primitive")
		})
	}
}
