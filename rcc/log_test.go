package rcc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestLogOfNets: who reads the log need not ask what is wrong with a net.
func TestLogOfNets(t *testing.T) {
	level, logs := observer.New(zap.InfoLevel)
	c := newCell(t, func(cfg *rcc.Config) { cfg.Log = zap.New(level) })
	for _, text := range []string{
		`{a=Foreign::Thing(),b=Core::DoubleAdd(inFirst=c.outValue),outTerminate=Core::BooleanValue().outValue}`,
		`{a=Core::IntValue(),outTerminate=a.outValue}`,
	} {
		if _, err := c.Nets.Load(rcc.LoadRequest{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	var got []map[string]any
	for _, e := range logs.All() {
		fields := e.ContextMap()
		fields[e.Level.String()] = e.Message
		got = append(got, fields)
	}
	want := []map[string]any{
		{"info": "net rejected", "net": "rpinet0", "problems": int64(2), "first": "a: unknown type Foreign::Thing"},
		{"warn": "net loaded", "net": "rpinet1", "warnings": int64(1), "first": "outTerminate: type differs: int from a.outValue to bool; the port counts as open, the net does not end by it"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
