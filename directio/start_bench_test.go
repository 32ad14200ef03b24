package directio

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// BenchmarkFirstValue measures from nest to the first value of the net at the client, in real time with cycles of 1 ms: of a client that
// asks for values every 1 ms, and of one that asks for them every 10 ms.
func BenchmarkFirstValue(b *testing.B) {
	catalogue, err := spec.NewCatalogue(core.Primitives())
	if err != nil {
		b.Fatal(err)
	}
	cell, err := rcc.New(rcc.Config{Catalogue: catalogue})
	if err != nil {
		b.Fatal(err)
	}
	s, err := Listen(cell, http.NotFoundHandler(), Config{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			b.Error(err)
		}
		<-served
		_ = cell.Close(ctx)
	})
	const text = `{on=Core::BooleanValue(Value='true'),out=Core::BooleanNetcommOut(inValue=on.outValue,Key='out'),outTerminate=Core::BooleanValue(Value='false').outValue}`
	for _, interval := range []string{"0.001", "0.01"} {
		b.Run(interval, func(b *testing.B) {
			c := dial(b, s)
			defer c.leave()
			var times []time.Duration
			for b.Loop() {
				name := c.name(fmt.Sprintf(`nene("%s","","",0.001,1)`, text))
				c.ask(fmt.Sprintf(`gne("%s",%s)`, name, interval))
				from := time.Now()
				c.say(fmt.Sprintf(`s=nest("%s")`, name))
				c.await(func(m string) bool { return strings.Contains(m, "=nc(") })
				times = append(times, time.Since(from))
				c.ask(fmt.Sprintf(`neab("%s")`, name))
				c.ask(fmt.Sprintf(`neun("%s")`, name))
				c.await(func(m string) bool { return strings.HasSuffix(m, `ns("UNLOADED")`) })
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}
