package rcc_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestValuesAreShared: who looks in the same cycle gets the same values, which say the same however often they are printed.
func TestValuesAreShared(t *testing.T) {
	c := newCell(t)
	n := c.load(counted2)
	c.must(n.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	one := n.Values()
	if n.Values() != one {
		t.Error("the values of a cycle are there twice")
	}
	first := one.Reported(nil)
	c.advance(10 * time.Millisecond)
	two := n.Values()
	if two == one || two.Cycle <= one.Cycle {
		t.Errorf("cycle %d after %d", two.Cycle, one.Cycle)
	}
	if diff := cmp.Diff(first, one.Reported(nil)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]rcc.KeyValue{{Key: "outn", Value: "4"}}, two.Reported(one)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]rcc.KeyValue{{Key: "outn", Value: "4"}, {Key: "outfixed", Value: "true"}}, two.Reported(nil)); diff != "" {
		t.Error(diff)
	}
}

// counted2 publishes the number of the cycle and a value that stays.
const counted2 = `{sum=Core::IntAdd(inFirst=last.outValue,Second='1'),pre=Core::IntPre(inValue=sum.outValue),first=Core::IntIsNull(inValue=pre.outValue),
	last=Core::IntConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),n=Core::IntNetcommOut(Key='n',inValue=sum.outValue),
	yes=Core::BooleanValue(Value='true'),fixed=Core::BooleanNetcommOut(Key='fixed',inValue=yes.outValue),
	outTerminate=Core::BooleanValue(Value='false').outValue}`

// TestValuesHammer: when somebody has seen the values of a cycle, nobody gets those of an earlier one any more.
func TestValuesHammer(t *testing.T) {
	c := newCell(t)
	n := c.load(counted2)
	c.must(n.Start(t.Context()))
	c.advance(10 * time.Millisecond)
	var seen atomic.Uint64
	var stop atomic.Bool
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			var before *rcc.Values
			for !stop.Load() {
				least := seen.Load()
				v := n.Values()
				if v.Cycle < least {
					t.Errorf("cycle %d, after somebody has seen %d", v.Cycle, least)
					return
				}
				for at := least; at < v.Cycle && !seen.CompareAndSwap(at, v.Cycle); {
					at = seen.Load()
				}
				if before != nil && v.Cycle > before.Cycle && len(v.Reported(before)) != 1 {
					t.Errorf("from cycle %d to %d: %v", before.Cycle, v.Cycle, v.Reported(before))
					return
				}
				before = v
			}
		})
	}
	c.advance(20 * time.Second)
	stop.Store(true)
	readers.Wait()
}
