package rcc_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestArraysTravel: arrays go in, through a net, to another one and back, in the length that was decided at load.
func TestArraysTravel(t *testing.T) {
	c := newCell(t)
	first := c.load(`{v=Core::DoubleArrayNetcommIn(Key='v',Value='[1,2,3]'),
		all=Core::DoubleArrayNetcommOut(Key='all',inValue=v.outValue), two=Core::DoubleArrayNetcommOut(Key='two',inValue=v.outValue,Value='[0,0]'),
		four=Core::DoubleArrayNetcommOut(Key='four',inValue=v.outValue,Value='[0,0,0,9]'), outTerminate=Core::BooleanValue().outValue}`)
	c.must(first.Set([]rcc.KeyValue{{Key: "inv", Value: "[4,5,6]"}}))
	c.must(first.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	want := []rcc.KeyValue{{Key: "outall", Value: "[4,5,6]"}, {Key: "outtwo", Value: "[4,5]"}, {Key: "outfour", Value: "[4,5,6,9]"}}
	if diff := cmp.Diff(want, first.Values().Reported(nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	second := c.load(`{get=Core::DoubleArrayInterNetcommIn(RemoteRCC='',RemoteNet='` + first.Name() + `',RemoteKey='all'),
		slice=Core::DoubleArraySlice(inArray=get.outValue,Size='2',Start='1'),
		put=Core::DoubleArrayInterNetcommOut(RemoteRCC='',RemoteNet='` + first.Name() + `',RemoteKey='v',inValue=slice.outArray),
		out=Core::DoubleArrayNetcommOut(Key='out',inValue=slice.outArray), outTerminate=Core::BooleanValue().outValue}`)
	c.must(second.Start(t.Context()))
	c.advance(time.Second) // two elements move up in every round, the last one stays as it was at the beginning
	want = []rcc.KeyValue{{Key: "outall", Value: "[3,3,3]"}, {Key: "outtwo", Value: "[3,3]"}, {Key: "outfour", Value: "[3,3,3,9]"}}
	if diff := cmp.Diff(want, first.Values().Reported(nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]rcc.KeyValue{{Key: "outout", Value: "[3,3]"}}, second.Values().Reported(nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
