package generic

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Arrays lists what there is for arrays of every type. Their names follow from those of the elements.
func Arrays[E any](extension, prefix string, element Sample) []*spec.Primitive {
	prefix += "Array"
	whole := Sample{Zero: list(), A: list(element.A, element.B), B: list(element.B, element.A)}
	return slices.Concat([]*spec.Primitive{
		sources[E](extension, prefix, element),
		gets[E](extension, prefix, element),
		sets[E](extension, prefix, element),
		slicings[E](extension, prefix, element),
		arraySetNulls[E](extension, prefix, element),
		isNulls[[]E](extension, prefix, whole),
	}, messages[[]E](extension, prefix, whole, list(element.Zero, element.Zero)))
}

// elements makes room for the elements of an out port, as many as parameter Size says.
func elements[E any](env *spec.Env, out *spec.Out[[]E], size int32) (err error) {
	if out.V, err = Array[E](env, size); err != nil {
		return fmt.Errorf("parameter Size: %w", err)
	}
	return nil
}

// Array returns an array of n zeros for an out port, if one may be as long and the net may take as much memory.
func Array[E any](env *spec.Env, n int32) ([]E, error) {
	if n < 0 || n > value.MaxLength {
		_, err := value.NewArray[E](n)
		return nil, err
	}
	return spec.Make[E](env, int(n))
}

// source makes arrays out of nothing. Their elements are replaced one after another, by Set.
type source[E any] struct {
	Size spec.Param[int32] `rcc:"Size" default:"1" must:">= 0; <= 65536" doc:"number of elements"`
	Out  spec.Out[[]E]     `rcc:"outArray" doc:"array of zero values"`
}

func (p *source[E]) Init(env *spec.Env) error { return elements(env, &p.Out, p.Size.V) }

func emitArray[E any](run []source[E], cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Touch(cy)
	}
}

func sources[E any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix, Extension: extension, Doc: "gives an array of zero values", Pure: true,
		Examples: []spec.Example{
			{Doc: "two elements", Params: params{"Size": "2"}, Out: series{"outArray": {list(s.Zero, s.Zero)}}},
			{Doc: "the default", Out: series{"outArray": {list(s.Zero)}}},
			{Doc: "none", Params: params{"Size": "0"}, Out: series{"outArray": {list()}}},
			{Doc: "fewer than none", Params: params{"Size": "-1"}, Reject: "parameter Size: it is -1, but must be at least 0"},
		},
	}, spec.Kernels[source[E]]{Run: emitArray[E]})
}

// get reads an element. Size says nothing but what Index may be: arrays of other lengths are taken as well.
type get[E any] struct {
	Array spec.In[[]E]      `rcc:"inArray" required:"true" doc:"array to read"`
	Size  spec.Param[int32] `rcc:"Size" default:"1" must:">= 0; <= 65536" doc:"number of elements of the array"`
	Index spec.Param[int32] `rcc:"Index" default:"0" must:">= 0; < Size" doc:"number of the element, from 0"`
	Out   spec.Out[E]       `rcc:"outValue" doc:"the element, null when the array is null or ends before it"`
}

func pick[E any](run []get[E], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Array.Get(cy)
		if at := int(p.Index.V); ok && at >= 0 && at < len(v) {
			p.Out.Set(cy, v[at])
		}
	}
}

func gets[E any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Get", Extension: extension, Doc: "gives an element of an array", Pure: true,
		Examples: []spec.Example{
			{
				Doc: "the second of two", Params: params{"Size": "2", "Index": "1"},
				In: series{"inArray": {list(s.A, s.B), "null", list(s.B, s.A)}}, Out: series{"outValue": {s.B, "null", s.A}},
			},
			{Doc: "the default is the first", In: series{"inArray": {list(s.A, s.B)}}, Out: series{"outValue": {s.A}}},
			{Doc: "a shorter array", Params: params{"Size": "2", "Index": "1"}, In: series{"inArray": {list(s.A)}}, Out: series{"outValue": {"null"}}},
			{
				Doc: "an element that cannot be", Params: params{"Size": "2", "Index": "2"}, In: series{"inArray": {list(s.A, s.B)}},
				Reject: "parameter Index: it is 2, but must be below Size, which is 2",
			},
			{Doc: "no array", Reject: "inArray must be connected"},
		},
	}, spec.Kernels[get[E]]{Run: pick[E]})
}

// set replaces an element.
type set[E any] struct {
	Array spec.In[[]E]      `rcc:"inArray" required:"true" doc:"array to copy; one shorter than Size counts as null"`
	Value spec.In[E]        `rcc:"inValue" required:"true" doc:"the new element"`
	Size  spec.Param[int32] `rcc:"Size" default:"1" must:">= 0; <= 65536" doc:"number of elements of the array"`
	Index spec.Param[int32] `rcc:"Index" default:"0" must:">= 0; < Size" doc:"number of the element, from 0"`
	Out   spec.Out[[]E]     `rcc:"outArray" doc:"the first Size elements of the array with the new one in its place, null when an input is null"`
}

func (p *set[E]) Init(env *spec.Env) error {
	return elements(env, &p.Out, p.Size.V)
}

func replace[E any](run []set[E], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, okArray := p.Array.Get(cy)
		element, okValue := p.Value.Get(cy)
		to := p.Out.V
		if at := int(p.Index.V); okArray && okValue && len(from) >= len(to) && at >= 0 && at < len(to) {
			copy(to, from)
			to[at] = element
			p.Out.Touch(cy)
		}
	}
}

func sets[E any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Set", Extension: extension, Doc: "replaces an element of an array", Pure: true,
		Examples: []spec.Example{
			{
				Doc: "the second of two", Params: params{"Size": "2", "Index": "1"},
				In:  series{"inArray": {list(s.A, s.A), "null", list(s.B, s.B), list(s.A, s.B)}, "inValue": {s.B, s.B, "null", s.A}},
				Out: series{"outArray": {list(s.A, s.B), "null", "null", list(s.A, s.A)}},
			},
			{Doc: "a longer array", In: series{"inArray": {list(s.A, s.A)}, "inValue": {s.B}}, Out: series{"outArray": {list(s.B)}}},
			{
				Doc: "a shorter array", Params: params{"Size": "2", "Index": "1"},
				In: series{"inArray": {list(s.A)}, "inValue": {s.B}}, Out: series{"outArray": {"null"}},
			},
			{
				Doc: "an element that cannot be", Params: params{"Index": "-1"}, In: series{"inArray": {list(s.A)}, "inValue": {s.B}},
				Reject: "parameter Index: it is -1, but must be at least 0",
			},
			{Doc: "too many elements", Params: params{"Size": "65537"}, In: series{"inArray": {list(s.A)}, "inValue": {s.B}}, Reject: "parameter Size"},
			{Doc: "no value", In: series{"inArray": {list(s.A)}}, Reject: "inValue must be connected"},
		},
	}, spec.Kernels[set[E]]{Run: replace[E]})
}

// slicing takes a part.
type slicing[E any] struct {
	Array spec.In[[]E]      `rcc:"inArray" required:"true" doc:"array to take a part of"`
	Size  spec.Param[int32] `rcc:"Size" default:"1" must:">= 0; <= 65536" doc:"number of elements of the part"`
	Start spec.Param[int32] `rcc:"Start" default:"0" must:">= 0" doc:"number of its first element in the array, from 0"`
	Out   spec.Out[[]E]     `rcc:"outArray" doc:"the part, null when the array is null or ends before the part"`
}

func (p *slicing[E]) Init(env *spec.Env) error {
	return elements(env, &p.Out, p.Size.V)
}

func cut[E any](run []slicing[E], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Array.Get(cy)
		if at := int(p.Start.V); ok && at >= 0 && at <= len(v) && len(v)-at >= len(p.Out.V) {
			spec.SetElements(&p.Out, cy, v[at:])
		}
	}
}

func slicings[E any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "Slice", Extension: extension, Doc: "takes a part of an array", Pure: true,
		Unrelated: "the part need not begin at 0; it ends where the array does that comes in",
		Examples: []spec.Example{
			{
				Doc: "two in the middle", Params: params{"Size": "2", "Start": "1"},
				In: series{"inArray": {list(s.A, s.B, s.B, s.A), "null"}}, Out: series{"outArray": {list(s.B, s.B), "null"}},
			},
			{Doc: "the default is the first", In: series{"inArray": {list(s.A, s.B)}}, Out: series{"outArray": {list(s.A)}}},
			{
				Doc: "beyond the end", Params: params{"Size": "2", "Start": "1"},
				In: series{"inArray": {list(s.A, s.B)}}, Out: series{"outArray": {"null"}},
			},
			{Doc: "before the beginning", Params: params{"Start": "-1"}, In: series{"inArray": {list(s.A)}}, Reject: "parameter Start"},
			{Doc: "fewer than none", Params: params{"Size": "-1"}, In: series{"inArray": {list(s.A)}}, Reject: "parameter Size"},
			{Doc: "no array", Reject: "inArray must be connected"},
		},
	}, spec.Kernels[slicing[E]]{Run: cut[E]})
}

// arraySetNull is setNull for arrays.
type arraySetNull[E any] struct {
	Value spec.In[[]E]      `rcc:"inValue" required:"true" doc:"array to hand on; one shorter than Size counts as null"`
	Null  spec.In[bool]     `rcc:"inNull" or:"=false" required:"true" doc:"takes the array away; null does not"`
	Size  spec.Param[int32] `rcc:"Size" default:"1" must:">= 0; <= 65536" doc:"number of elements of the array"`
	Out   spec.Out[[]E]     `rcc:"outValue" doc:"the first Size elements of the array, or null"`
}

func (p *arraySetNull[E]) Init(env *spec.Env) error { return elements(env, &p.Out, p.Size.V) }

func takeArrayAway[E any](run []arraySetNull[E], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok && !p.Null.Or(cy, false) && len(v) >= len(p.Out.V) {
			spec.SetElements(&p.Out, cy, v)
		}
	}
}

func arraySetNulls[E any](extension, prefix string, s Sample) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: prefix + "SetNull", Extension: extension, Doc: "takes an array away while a signal is true", Pure: true,
		Examples: []spec.Example{
			{
				Doc: "while inNull is true", Params: params{"Size": "2"},
				In:  series{"inValue": {list(s.A, s.B), list(s.A, s.B), list(s.B, s.A), "null"}, "inNull": {"false", "true", "null", "false"}},
				Out: series{"outValue": {list(s.A, s.B), "null", list(s.B, s.A), "null"}},
			},
			{Doc: "the default is one element", In: series{"inValue": {list(s.A, s.B)}, "inNull": {"false"}}, Out: series{"outValue": {list(s.A)}}},
			{Doc: "a shorter array", Params: params{"Size": "2"}, In: series{"inValue": {list(s.A)}, "inNull": {"false"}}, Out: series{"outValue": {"null"}}},
			{Doc: "too many elements", Params: params{"Size": "65537"}, In: series{"inValue": {list(s.A)}, "inNull": {"false"}}, Reject: "parameter Size"},
			{Doc: "no signal", In: series{"inValue": {list(s.A)}}, Reject: "inNull must be connected"},
		},
	}, spec.Kernels[arraySetNull[E]]{Run: takeArrayAway[E]})
}
