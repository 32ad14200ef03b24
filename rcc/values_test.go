package rcc_test

import (
	"testing"
	"time"
)

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
