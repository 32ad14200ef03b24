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

// TestValuesHaveTheirTime: values come with the tick of the cycle that left them, the very same: a net that publishes the time of its
// clock publishes how long its first tick is ago.
func TestValuesHaveTheirTime(t *testing.T) {
	c := newCell(t)
	n := c.load(`{t=Core::DoubleNetcommOut(inValue=Core::Clock().outValue,Key='T'),outTerminate=Core::BooleanValue(Value='false').outValue}`)
	if v := n.Values(); v.Time() != 0 || v.Cycle != 0 {
		t.Errorf("before the first cycle: cycle %d, time %d", v.Cycle, v.Time())
	}
	c.must(n.Start(t.Context()))
	c.advance(n.Period())
	first := n.Values()
	if first.Cycle == 0 {
		t.Fatal("no cycle")
	}
	begin := first.Time() - int64(first.Cycle-1)*int64(n.Period())
	if age := c.clock.Unix(c.clock.Now()) - first.Time(); age < 0 || age > int64(2*n.Period()) {
		t.Errorf("the time of the tick is %v ago", time.Duration(age))
	}
	for range 5 {
		c.advance(3 * n.Period())
		v := n.Values()
		if want := begin + int64(v.Cycle-1)*int64(n.Period()); v.Time() != want {
			t.Errorf("cycle %d has time %d, not %d", v.Cycle, v.Time(), want)
		}
	}
}
