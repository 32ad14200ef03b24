package image

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

var anySlaves = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Slave {
	size := rapid.OneOf(rapid.IntRange(0, 8), rapid.IntRange(0, 300), rapid.SampledFrom([]int{1486, 1487, 4000}))
	return Slave{size.Draw(t, "outputs"), size.Draw(t, "inputs"), rapid.Bool().Draw(t, "no LRW")}
}), 0, 12)

// Whatever the slaves: each has what it needs, none has what another one has, segments cover all of it and nothing twice,
// they are no longer than they may be, and working counters are those of the slaves in them.
func TestPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slaves := anySlaves.Draw(t, "slaves")
		most := rapid.IntRange(1, wire.MostData).Draw(t, "most")
		l, err := Plan(slaves, most)
		if err != nil {
			t.Fatal(err)
		}
		owner := make([]int, l.Size)
		own := func(n int, r Range) {
			for b := r.From; b < r.End(); b++ {
				if owner[b] != 0 {
					t.Fatalf("byte %d is of slaves %d and %d", b, owner[b]-1, n)
				}
				owner[b] = n + 1
			}
		}
		for i, p := range l.Places {
			if p.Outputs.Length != slaves[i].Outputs || p.Inputs.Length != slaves[i].Inputs {
				t.Fatalf("slave %d has %+v", i, p)
			}
			own(i, p.Outputs)
			own(i, p.Inputs)
		}
		at, shares := 0, map[int]uint16{}
		for _, s := range l.Segments {
			if s.From != at || s.Length < 1 || s.Length > most {
				t.Fatalf("segment %+v at %d", s, at)
			}
			at = s.End()
			sum := uint16(0)
			for _, share := range s.Shares {
				sum += share.Counts
				shares[share.Slave] += share.Counts
				if slaves[share.Slave].NoLRW == (s.Command == wire.LRW) {
					t.Fatalf("slave %d in %v", share.Slave, s.Command)
				}
			}
			if sum != s.Expected {
				t.Fatalf("%d, not %d", s.Expected, sum)
			}
		}
		if at != l.Size {
			t.Fatalf("%d of %d bytes are carried", at, l.Size)
		}
		for i, s := range slaves {
			want := uint16(0)
			if s.Outputs > 0 {
				want += map[bool]uint16{true: 1, false: 2}[s.NoLRW]
			}
			if s.Inputs > 0 {
				want++
			}
			if fits := s.Outputs+s.Inputs <= most; fits && shares[i] != want || !fits && shares[i] < want {
				t.Fatalf("slave %d counts %d, not %d", i, shares[i], want)
			}
		}
	})
}

func TestPlanned(t *testing.T) {
	l, err := Plan([]Slave{{0, 0, false}, {2, 0, false}, {4, 6, false}, {3, 3, true}, {0, 8, false}, {0, 1, true}}, 16)
	if err != nil {
		t.Fatal(err)
	}
	want := &Layout{
		Size: 27,
		Places: []Place{
			{Range{0, 0}, Range{0, 0}},
			{Range{0, 2}, Range{2, 0}},
			{Range{2, 4}, Range{6, 6}},
			{Range{20, 3}, Range{23, 3}},
			{Range{12, 0}, Range{12, 8}},
			{Range{23, 0}, Range{26, 1}},
		},
		Segments: []Segment{
			{wire.LRW, Range{0, 12}, 5, []Share{{1, 2, Range{2, 0}}, {2, 3, Range{6, 6}}}},
			{wire.LRW, Range{12, 8}, 1, []Share{{4, 1, Range{12, 8}}}},
			{wire.LWR, Range{20, 3}, 1, []Share{{3, 1, Range{23, 0}}}},
			{wire.LRD, Range{23, 4}, 2, []Share{{3, 1, Range{23, 3}}, {5, 1, Range{26, 1}}}},
		},
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []Slave{{-1, 0, false}, {Most + 1, 0, false}} {
		if _, err := Plan([]Slave{bad}, 100); err == nil {
			t.Error(bad)
		}
	}
	if _, err := Plan(nil, 0); err == nil {
		t.Error("segments of nothing")
	}
	if _, err := Plan([]Slave{{Most, Most, false}}, 1000); err == nil {
		t.Error("too long")
	}
}

// Values are read as they were written, and nothing beside them changes.
func TestView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := View(rapid.SliceOfN(rapid.Byte(), 12, 12).Draw(t, "bytes"))
		before := append(View{}, v...)
		at, bits := rapid.IntRange(0, 31).Draw(t, "at"), rapid.IntRange(1, 64).Draw(t, "bits")
		value := rapid.Uint64().Draw(t, "value")
		v.Set(at, bits, value)
		if want := value << (64 - bits) >> (64 - bits); v.Get(at, bits) != want {
			t.Fatalf("%#x, not %#x", v.Get(at, bits), want)
		}
		if want := int64(value<<(64-bits)) >> (64 - bits); v.Signed(at, bits) != want {
			t.Fatalf("%d, not %d", v.Signed(at, bits), want)
		}
		for i := range 96 {
			if inside := i >= at && i < at+bits; inside && v.Bit(i) != (value>>(i-at)&1 != 0) || !inside && v.Bit(i) != before.Bit(i) {
				t.Fatalf("bit %d", i)
			}
		}
		one := rapid.IntRange(0, 95).Draw(t, "one")
		v.SetBit(one, true)
		on := v.Bit(one)
		v.SetBit(one, false)
		if !on || v.Bit(one) {
			t.Fatal("one bit")
		}
	})
	v := View{1}
	v.Set(8, 8, 3)
	v.SetBit(-1, true)
	v.SetBit(8, true)
	v.Set(-20, 8, 3)
	if v[0] != 1 || v.Get(8, 8) != 0 || v.Bit(-1) || v.Get(-9, 4) != 0 || v.Signed(0, 65) != 0 {
		t.Error("outside", v)
	}
}
