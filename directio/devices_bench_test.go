package directio

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// breaker is a device whose state changes when it is told so, with or without a word of the driver.
type breaker struct {
	env   *device.Env
	state atomic.Uint32
}

var breakerType = device.Declare(device.Kind{Name: "breaker", Pages: []device.Page{
	device.DeclarePage(device.Sheet[*breaker, breakerTold]{Path: "state", Take: (*breaker).take}),
}}, func(env *device.Env, _ *device.Nothing) (device.Device, error) { return &breaker{env: env}, nil })

type breakerTold struct {
	Word string `rcc:"state" required:"true" enum:"off op" doc:"state"`
	Rung bool   `rcc:"rung" default:"false" doc:"those who watch are told"`
}

func (b *breaker) take(told *breakerTold) error {
	b.state.Store(uint32(device.Offline))
	if told.Word == device.Operational.Wire() {
		b.state.Store(uint32(device.Operational))
	}
	if told.Rung {
		b.env.Changed()
	}
	return nil
}

func (b *breaker) Status() device.Status { return device.Status{State: device.State(b.state.Load())} }

func (b *breaker) Interfaces() []device.Interface {
	return []device.Interface{
		{Name: "armkinematics"},
		{Name: "io", Params: map[string]string{"digin": "8", "digout": "8", "anin": "0", "anout": "8"}},
		{Name: "robotarm", Params: map[string]string{"jointcount": "7"}},
	}
}

func (b *breaker) Close() error { return nil }

// breakers returns a server with many of them.
func breakers(b *testing.B, n int) (s *Server, cell *rcc.Core) {
	s, _ = serveBeside(b, Config{}, func(c *rcc.Core) http.Handler {
		cell = c
		return http.NotFoundHandler()
	})
	for i := range n {
		if err := cell.Devices.Create(fmt.Sprintf("device%d", i), breakerType.Name, nil); err != nil {
			b.Fatal(err)
		}
	}
	return s, cell
}

// BenchmarkDeviceState measures how long a change of a state takes to a client that has subscribed: of drivers that tell of
// it, and of those that do it in their cycle, where nothing can be told.
func BenchmarkDeviceState(b *testing.B) {
	s, cell := breakers(b, 50)
	c := dial(b, s)
	defer c.leave()
	c.ask("gde()")
	for name, rung := range map[string]string{"told": "true", "seen": "false"} {
		b.Run(name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for _, word := range []string{"op", "off"} {
					from := time.Now()
					if err := cell.Devices.Tell("device7", "state", map[string]string{"state": word, "rung": rung}); err != nil {
						b.Fatal(err)
					}
					c.await(func(m string) bool { return strings.HasSuffix(m, fmt.Sprintf("=ds({device7:%q})", word)) })
					times = append(times, time.Since(from))
				}
			}
			spread(b, times)
		})
	}
}

// BenchmarkDevicesAnnounced measures the whole of a gde: da and ds of 200 devices.
func BenchmarkDevicesAnnounced(b *testing.B) {
	s, _ := breakers(b, 200)
	c := dial(b, s)
	defer c.leave()
	var times []time.Duration
	for b.Loop() {
		from := time.Now()
		c.say("g=gde()") // the same tag starts the subscription again
		c.await(func(m string) bool { return m == "g=ok()" })
		times = append(times, time.Since(from))
	}
	spread(b, times)
}

// spread reports half of the times, nearly all, and the longest.
func spread(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for unit, t := range map[string]time.Duration{
		"p50-ms": times[len(times)/2], "p99-ms": times[len(times)*99/100], "max-ms": times[len(times)-1],
	} {
		b.ReportMetric(float64(t.Microseconds())/1000, unit)
	}
}
