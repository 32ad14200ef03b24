//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"
)

// BenchmarkLookedAt has ten clients of the stream on a net of 200 primitives: each watches all topics and twenty ports at 20 Hz, and as many of
// them as may have a scope that captures two ports without a gap. They read what comes as fast as it comes.
func BenchmarkLookedAt(b *testing.B) {
	const clients, scopes, ports = 10, 8, 20
	m := newSubject(b, "")
	var heard, bytes atomic.Int64
	alone, looked := m.beside(positions(33), func(ctx context.Context, name string) {
		var done sync.WaitGroup
		for i := range clients {
			requests := everything()
			requests = append(requests, probeOf(name, i, ports))
			if i < scopes {
				requests = append(requests, scopeOf(name, i))
			}
			done.Go(func() { m.watch(ctx, requests, &heard, &bytes) })
		}
		done.Wait()
	})
	for unit, part := range map[string]float64{"p50": 0.5, "p99": 0.99, "p99.9": 0.999} {
		b.ReportMetric(below(looked.wakeup, part)/below(alone.wakeup, part), "wakeup-"+unit+"-ratio")
		b.ReportMetric(below(looked.busy, part)/below(alone.busy, part), "busy-"+unit+"-ratio")
	}
	b.ReportMetric(1000*below(alone.wakeup, 0.99), "alone-p99-ns")
	b.ReportMetric(1000*below(looked.wakeup, 0.99), "looked-p99-ns")
	b.ReportMetric(float64(heard.Load())/(besideRounds*besideLasts.Seconds()), "messages/s")
	b.ReportMetric(float64(bytes.Load())/(besideRounds*besideLasts.Seconds())/1000, "kB/s")
}

// everything asks for all topics.
func everything() (requests []string) {
	for _, topic := range []string{"nets", "rules", "sessions", "devices", "executors", "incidents", "log"} {
		requests = append(requests, fmt.Sprintf(`"watch":%q`, topic))
	}
	return requests
}

// probeOf asks for so many ports, others for each client.
func probeOf(net string, client, count int) string {
	var list []string
	for i := range count {
		primitive := []string{"way", "position", "chosen"}[(client+i)%3]
		list = append(list, fmt.Sprintf(`{"path":"%s%d","port":"outValue"}`, primitive, (3*client+i)%33))
	}
	return fmt.Sprintf(`"probe":{"net":%q,"rate":20,"ports":[%s]}`, net, strings.Join(list, ","))
}

// scopeOf captures two ports without a gap.
func scopeOf(net string, client int) string {
	channel := func(name, path string) string {
		return fmt.Sprintf(`{"name":%q,"source":{"net":%q,"path":"%s%d","port":"outValue"}}`, name, net, path, client)
	}
	return fmt.Sprintf(`"scope":{"name":"s%d","channels":[%s,%s],"before":0,"after":0.1,"mode":"auto","trigger":{"kind":"none"}}`, client, channel("a", "way"), channel("b", "chosen"))
}

// watch asks for things and reads what comes, until the time is over.
func (m *subject) watch(ctx context.Context, requests []string, heard, bytes *atomic.Int64) {
	ws, answer, err := websocket.DefaultDialer.DialContext(ctx, "ws"+strings.TrimPrefix(m.url, "http")+"/stream", nil)
	if err != nil {
		m.Error(err)
		return
	}
	_ = answer.Body.Close()
	over := context.AfterFunc(ctx, func() { _ = ws.Close() })
	defer over()
	for i, request := range requests {
		if err := ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"id":%d,%s}`, i+1, request)); err != nil {
			m.Error(err)
			return
		}
	}
	for ctx.Err() == nil {
		_, message, err := ws.ReadMessage()
		switch {
		case ctx.Err() != nil:
		case err != nil:
			m.Error(err)
			return
		case strings.Contains(string(message[:min(len(message), 40)]), `"error"`):
			m.Errorf("%s", message)
			return
		}
		heard.Add(1)
		bytes.Add(int64(len(message)))
	}
}
