package world_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

func at(x float64) geom.Frame {
	return geom.Frame{Pos: geom.Vector{X: x}, Rot: geom.FromABC(x, 0, 0)}
}

// product returns where a path without motion leads.
func product(t *testing.T, from, to *world.Frame) geom.Frame {
	t.Helper()
	steps, err := world.Path(from, to)
	if err != nil {
		t.Fatal(err)
	}
	all := geom.Frame{}
	for _, s := range steps {
		if s.By != nil {
			t.Fatalf("from %v to %v: %v moves", from, to, s.By)
		}
		all = all.Mul(s.At)
	}
	if len(steps) > 1 {
		t.Errorf("from %v to %v: %d steps that do not move are not joined", from, to, len(steps))
	}
	return all
}

// TestPath: whatever tree frames form, the way from one to another is the product of its relations.
func TestPath(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	frames := []*world.Frame{world.NewFrame("root")}
	where := []geom.Frame{{}}
	for i := 1; i < 50; i++ {
		by, stand := at(random.Float64()), random.IntN(len(frames))
		f, p := world.NewFrame("f"), where[stand]
		var err error
		switch i % 3 {
		case 0:
			f = frames[stand].Place("placed", by)
		case 1:
			_, err = world.Relate(frames[stand], f, by)
		default:
			_, err = world.Relate(f, frames[stand], by.Invert())
		}
		if err != nil {
			t.Fatal(err)
		}
		frames, where = append(frames, f), append(where, p.Mul(by))
	}
	for range 200 {
		i, j := random.IntN(len(frames)), random.IntN(len(frames))
		if have, want := product(t, frames[i], frames[j]), where[i].To(where[j]); !have.Near(want, 1e-9, 1e-9) {
			t.Errorf("from %d to %d: %v, not %v", i, j, have, want)
		}
	}
}

// TestMoving: what moves stays a step of its own, in its direction.
func TestMoving(t *testing.T) {
	ground, base, flange := world.NewFrame("ground"), world.NewFrame("base"), world.NewFrame("flange")
	tool := flange.Place("tool", at(1))
	for _, err := range []error{
		second(world.Relate(ground, base, at(2))), second(world.Couple(base, flange, "arm")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	steps, err := world.Path(tool, ground)
	if err != nil || len(steps) != 3 || steps[1].By != "arm" || !steps[1].Invert || steps[0].At != at(1).Invert() {
		t.Errorf("%+v, %v", steps, err)
	}
	steps, err = world.Path(ground, tool)
	if err != nil || len(steps) != 3 || steps[1].By != "arm" || steps[1].Invert || steps[2].At != at(1) {
		t.Errorf("%+v, %v", steps, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestErrors(t *testing.T) {
	a, b, c := world.NewFrame("a"), world.NewFrame("b"), world.NewFrame("c")
	ab, err := world.Relate(a, b, at(1))
	if err != nil {
		t.Fatal(err)
	}
	moving, err := world.Couple(b, c, "arm")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ have, want error }{
		"itself":           {second(world.Relate(a, a, at(1))), world.ErrItself},
		"at no place":      {second(world.Relate(a, world.NewFrame("d"), at(math.NaN()))), world.ErrPlace},
		"set to no place":  {ab.Set(at(math.Inf(1))), world.ErrPlace},
		"another way":      {second(world.Relate(c, a, at(1))), world.ErrRelated},
		"nothing":          {second(world.Relate(nil, a, at(1))), world.ErrNoFrame},
		"by nothing":       {second(world.Couple(a, world.NewFrame("d"), nil)), world.ErrNoFrame},
		"no way":           {second(world.Path(a, world.NewFrame("d"))), world.ErrUnrelated},
		"a way to nothing": {second(world.Path(a, nil)), world.ErrNoFrame},
		"set what moves":   {moving.Set(at(1)), world.ErrMoves},
	} {
		if !errors.Is(tt.have, tt.want) {
			t.Errorf("%s: %v", name, tt.have)
		}
	}
	if err := ab.Set(at(2)); err != nil {
		t.Error(err)
	}
	if have := product(t, a, b); have != at(2) {
		t.Errorf("%v", have)
	}
	ab.Break()
	ab.Break()
	if _, err := world.Path(a, b); !errors.Is(err, world.ErrUnrelated) {
		t.Errorf("%v", err)
	}
	if _, err := world.Relate(c, a, at(1)); err != nil {
		t.Error(err)
	}
}
