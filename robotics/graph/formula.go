package graph

import (
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/text"
)

// formula computes what a pure primitive gives (§7.3), in the very operations of the daemon, so that all bits are the same: v are the values of
// its in ports in the order of their declaration, nil for null, and so are the results. The daemon's own examples hold it to
// what the daemon does.
type formula struct {
	total    bool // never null
	operands bool // a null takes the parameter that the net gives
	of       func(v []any, p *Primitive) []any
}

// fact returns what an out port can be: everything, unless all that comes in is known.
func (f *formula) fact(s *facts, p *Primitive, out int) (gives fact) {
	const mostPorts = 8
	var can [mostPorts][]any
	ports := p.decl.In
	for i := range ports {
		at := s.at(p, i)
		switch {
		case at.many == several:
			return fact{null: !f.total, many: several}
		case at.many == one:
			v, err := parse(at.value, ports[i].Type)
			if err != nil {
				return fact{null: !f.total, many: several} // the daemon says what is wrong
			}
			can[i] = append(can[i], v)
		}
		if at.null {
			v, err := f.null(p, i)
			if err != nil {
				return fact{null: !f.total, many: several}
			}
			can[i] = append(can[i], v)
		}
	}
	v := make([]any, len(ports))
	var from func(i int)
	from = func(i int) {
		if i == len(ports) {
			gives.add(factOf(f.of(v, p)[out]))
			return
		}
		for _, v[i] = range can[i] {
			from(i + 1)
		}
	}
	from(0)
	return gives
}

// null returns what a null is at an in port.
func (f *formula) null(p *Primitive, in int) (any, error) {
	port := &p.decl.In[in]
	if k := p.decl.param(port.Param); f.operands && k >= 0 && p.set[k] {
		return parse(p.params[k], port.Type)
	}
	return nil, nil
}

// factOf returns the fact of a computed value. A value that the text of the net cannot give to the last bit is left to the daemon.
func factOf(v any) fact {
	if v == nil {
		return fact{null: true}
	}
	if text := string(appendValue(nil, v)); exact(text, v) {
		return fact{many: one, value: text}
	}
	return fact{many: several}
}

// exact reports whether a text reads back as the very value that it was printed for. The text of a double does, and with it that
// of all types which consist of doubles. A rotation is printed as three angles, and few quaternions have angles that are read as all
// their bits. The last bit matters: a path of length 0 and one of 1e-17 m end in different cycles.
func exact(text string, v any) bool {
	switch v := v.(type) {
	case geom.Rotation:
		back, err := geom.ParseRotation(text)
		return err == nil && sameBits(back, v)
	case geom.Frame:
		back, err := geom.ParseFrame(text)
		return err == nil && sameBits(back.Rot, v.Rot)
	}
	return true
}

// sameBits distinguishes 0 from -0, and a quaternion from its negative.
func sameBits(r, s geom.Rotation) bool {
	bits := func(r geom.Rotation) [4]uint64 {
		x, y, z, w := r.Quaternion()
		return [4]uint64{math.Float64bits(x), math.Float64bits(y), math.Float64bits(z), math.Float64bits(w)}
	}
	return bits(r) == bits(s)
}

// parse reads a value of a type.
func parse(s string, t Type) (any, error) {
	switch t {
	case Bool:
		return s == yes, nil
	case Int:
		n, err := strconv.ParseInt(s, 10, 32)
		return int32(n), err
	case Double:
		return text.ParseDouble(s)
	case Vector:
		return geom.ParseVector(s)
	case Rotation:
		return geom.ParseRotation(s)
	case Frame:
		return geom.ParseFrame(s)
	case Twist:
		return geom.ParseTwist(s)
	case Wrench:
		return geom.ParseWrench(s)
	}
	return nil, strconv.ErrSyntax
}

var nan = math.NaN()

// orNaN returns what double arithmetic takes for null (§7.3.5) if the net gives nothing else.
func orNaN(v any) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return nan
}

func oneDouble(f func(v float64) float64) formula {
	return formula{true, true, func(v []any, _ *Primitive) []any { return []any{f(orNaN(v[0]))} }}
}

func twoDoubles[R bool | float64](f func(a, b float64) R) formula {
	return formula{true, true, func(v []any, _ *Primitive) []any { return []any{f(orNaN(v[0]), orNaN(v[1]))} }}
}

// all makes a formula that gives null when anything is null.
func all(f func(v []any) []any, outs int) formula {
	return formula{of: func(v []any, _ *Primitive) []any {
		for _, one := range v {
			if one == nil {
				return make([]any, outs)
			}
		}
		return f(v)
	}}
}

func unaryOf[T, R any](f func(v T) R) formula {
	return all(func(v []any) []any { return []any{f(v[0].(T))} }, 1)
}

func binaryOf[T, U, R any](f func(a T, b U) R) formula {
	return all(func(v []any) []any { return []any{f(v[0].(T), v[1].(U))} }, 1)
}

// ints makes a formula of ints, which is null where the result is none.
func ints(f func(a, b int64) (int64, bool)) formula {
	result := all(func(v []any) []any {
		r, ok := f(int64(v[0].(int32)), int64(v[1].(int32)))
		if !ok || r < math.MinInt32 || r > math.MaxInt32 {
			return []any{nil}
		}
		return []any{int32(r)}
	}, 1)
	result.operands = true
	return result
}

func composed(f func(x, y, z float64) any) formula {
	return all(func(v []any) []any { return []any{f(v[0].(float64), v[1].(float64), v[2].(float64))} }, 1)
}

var formulas = map[string]formula{
	"Core::DoubleAdd":      twoDoubles(func(a, b float64) float64 { return a + b }),
	"Core::DoubleMultiply": twoDoubles(func(a, b float64) float64 { return a * b }),
	"Core::DoubleDivide":   twoDoubles(func(a, b float64) float64 { return a / b }),
	"Core::DoubleModulo":   twoDoubles(math.Mod),
	"Core::DoublePower":    {true, true, power},
	"Core::DoubleMin":      twoDoubles(func(a, b float64) float64 { return min(a, b) }),
	"Core::DoubleMax":      twoDoubles(func(a, b float64) float64 { return max(a, b) }),
	"Core::DoubleAtan2":    twoDoubles(math.Atan2),
	"Core::DoubleGreater":  twoDoubles(func(a, b float64) bool { return a > b }),
	"Core::DoubleEquals":   {true, true, equal},

	"Core::DoubleAbs":        oneDouble(math.Abs),
	"Core::DoubleSign":       oneDouble(sign),
	"Core::DoubleFloor":      oneDouble(math.Floor),
	"Core::DoubleCeil":       oneDouble(math.Ceil),
	"Core::DoubleRound":      oneDouble(math.Round),
	"Core::DoubleExp":        oneDouble(math.Exp),
	"Core::DoubleLog":        oneDouble(math.Log),
	"Core::DoubleSin":        oneDouble(math.Sin),
	"Core::DoubleCos":        oneDouble(math.Cos),
	"Core::DoubleTan":        oneDouble(math.Tan),
	"Core::DoubleAsin":       oneDouble(math.Asin),
	"Core::DoubleAcos":       oneDouble(math.Acos),
	"Core::DoubleSquareRoot": oneDouble(math.Sqrt),

	"Core::IntAdd":      ints(func(a, b int64) (int64, bool) { return a + b, true }),
	"Core::IntMultiply": ints(func(a, b int64) (int64, bool) { return a * b, true }),
	"Core::IntDivide":   ints(func(a, b int64) (int64, bool) { return guarded(a, b, func() int64 { return a / b }) }),
	"Core::IntModulo":   ints(func(a, b int64) (int64, bool) { return guarded(a, b, func() int64 { return a % b }) }),
	"Core::IntMin":      ints(func(a, b int64) (int64, bool) { return min(a, b), true }),
	"Core::IntMax":      ints(func(a, b int64) (int64, bool) { return max(a, b), true }),
	"Core::IntGreater":  {true, true, greaterInt},
	"Core::IntEquals":   {true, true, equalInts},

	"Core::DoubleFromInt": unaryOf(func(v int32) float64 { return float64(v) }),
	"Core::IntFromDouble": {of: truncate},

	"World::VectorAdd":     binaryOf(geom.Vector.Add),
	"World::VectorCross":   binaryOf(geom.Vector.Cross),
	"World::VectorDot":     binaryOf(geom.Vector.Dot),
	"World::VectorScale":   binaryOf(geom.Vector.Scale),
	"World::VectorRotate":  binaryOf(func(v geom.Vector, r geom.Rotation) geom.Vector { return r.Rotate(v) }),
	"World::VectorFromXYZ": composed(func(x, y, z float64) any { return geom.Vector{X: x, Y: y, Z: z} }),
	"World::VectorToXYZ": all(func(v []any) []any {
		w := v[0].(geom.Vector)
		return []any{w.X, w.Y, w.Z}
	}, 3),

	"World::RotationTransform": binaryOf(geom.Rotation.Mul),
	"World::RotationInvert":    unaryOf(geom.Rotation.Invert),
	"World::RotationFromABC":   composed(func(a, b, c float64) any { return geom.FromABC(a, b, c) }),
	"World::RotationToABC": all(func(v []any) []any {
		a, b, c := v[0].(geom.Rotation).ABC()
		return []any{a, b, c}
	}, 3),

	"World::FrameTransform":  binaryOf(geom.Frame.Mul),
	"World::FrameInvert":     unaryOf(geom.Frame.Invert),
	"World::FrameFromPosRot": {of: compose},
	"World::FrameToPosRot": all(func(v []any) []any {
		f := v[0].(geom.Frame)
		return []any{f.Pos, f.Rot}
	}, 2),

	"World::TwistAdd":    binaryOf(func(a, b geom.Twist) geom.Twist { return geom.Twist{Vel: a.Vel.Add(b.Vel), Rot: a.Rot.Add(b.Rot)} }),
	"World::TwistRotate": binaryOf(func(t geom.Twist, r geom.Rotation) geom.Twist { return t.Rotate(r) }),
	"World::TwistToVelocities": all(func(v []any) []any {
		t := v[0].(geom.Twist)
		return []any{t.Vel, t.Rot}
	}, 2),
}

// power asks for null itself: IEEE 754 has powers of NaN that are numbers.
func power(v []any, _ *Primitive) []any {
	if v[0] == nil || v[1] == nil {
		return []any{nan}
	}
	return []any{math.Pow(v[0].(float64), v[1].(float64))}
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return v
}

// equal finds infinities equal to themselves, whose difference is NaN.
func equal(v []any, p *Primitive) []any {
	a, b := orNaN(v[0]), orNaN(v[1])
	eps, err := text.ParseDouble(p.param(p.decl.param("Epsilon")))
	return []any{err == nil && (math.Abs(a-b) <= eps || a == b && eps >= 0)}
}

func equalInts(v []any, p *Primitive) []any {
	if v[0] == nil || v[1] == nil {
		return []any{false}
	}
	a, b := int64(v[0].(int32)), int64(v[1].(int32))
	eps, err := strconv.ParseInt(p.param(p.decl.param("Epsilon")), 10, 32)
	return []any{err == nil && max(a-b, b-a) <= eps}
}

func greaterInt(v []any, _ *Primitive) []any {
	return []any{v[0] != nil && v[1] != nil && v[0].(int32) > v[1].(int32)}
}

func guarded(_, b int64, f func() int64) (int64, bool) {
	if b == 0 {
		return 0, false
	}
	return f(), true
}

// truncate compares before it converts: Go does not define the result for a number that does not fit.
func truncate(v []any, _ *Primitive) []any {
	if f := orNaN(v[0]); f > math.MinInt32-1 && f < math.MaxInt32+1 {
		return []any{int32(f)}
	}
	return []any{nil}
}

// compose makes a frame; if its port is open, six parameters give the value.
func compose(v []any, p *Primitive) []any {
	pos, rot := v[0], v[1]
	if p.in[0].Open() {
		x, y, z := p.three("X", "Y", "Z")
		pos = geom.Vector{X: x, Y: y, Z: z}
	}
	if p.in[1].Open() {
		rot = geom.FromABC(p.three("A", "B", "C"))
	}
	if pos == nil || rot == nil {
		return []any{nil}
	}
	return []any{geom.Frame{Pos: pos.(geom.Vector), Rot: rot.(geom.Rotation)}}
}

// three are parameters of type double. Set has seen that they are numbers.
func (p *Primitive) three(a, b, c string) (x, y, z float64) {
	number := func(name string) float64 {
		v, err := text.ParseDouble(p.param(p.decl.param(name)))
		if err != nil {
			return nan
		}
		return v
	}
	return number(a), number(b), number(c)
}
