package core

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// matrixSolve solves linear equations by Householder reflections, which do as well when there are more equations than
// unknowns.
type matrixSolve struct {
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"factors of the equations, a row for each"`
	Result spec.In[[]float64]    `rcc:"inResult" required:"true" doc:"right sides, one for each row"`
	Size   spec.Param[int32]     `rcc:"Size" default:"0" must:">= 0" doc:"number of unknowns; 0: as many as the matrix has columns"`
	Out    spec.Out[[]float64]   `rcc:"outValue" doc:"vector with matrix times vector = result, with the least sum of squared errors when there are more equations than unknowns; null when several vectors do as well"`

	work value.Matrix // the equations, with the right sides as their last column
}

func (p *matrixSolve) Init(env *spec.Env) (err error) {
	m := p.Matrix.Source()
	switch unknowns := int(orElse(p.Size.V, m.Cols)); {
	case unknowns != m.Cols:
		return fmt.Errorf("parameter Size: a matrix of %d x %d does not have %d unknowns", m.Rows, m.Cols, unknowns)
	case m.Cols > m.Rows:
		return fmt.Errorf("a matrix of %d x %d has more unknowns than equations", m.Rows, m.Cols)
	case len(*p.Result.Source()) < m.Rows:
		return fmt.Errorf("a matrix of %d x %d needs %d right sides, not %d", m.Rows, m.Cols, m.Rows, len(*p.Result.Source()))
	}
	if p.Out.V, err = spec.Make[float64](env, m.Cols); err == nil {
		p.work, err = newMatrix(env, int32(m.Rows), int32(m.Cols+1))
	}
	return err
}

func solve(run []matrixSolve, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m := p.Matrix.Ref(cy)
		right, ok := p.Result.Get(cy)
		unknowns := len(p.Out.V)
		if m == nil || !ok {
			continue
		}
		move(&p.work, 0, 0, m, 0, 0, p.work.Rows, unknowns)
		for row := 0; row < p.work.Rows && row < len(right); row++ {
			p.work.Set(row, unknowns, right[row])
		}
		if triangulate(&p.work, unknowns) {
			substitute(p.Out.V, &p.work)
			p.Out.Touch(cy)
		}
	}
}

// triangulate makes the first columns of a matrix an upper triangle by reflections of all its columns. It reports whether
// the columns are independent of each other.
func triangulate(m *value.Matrix, cols int) bool {
	const rounding = 1e-13
	for k := range cols {
		above, below := squares(m, k, 0, k), squares(m, k, k, m.Rows)
		length := math.Sqrt(below)
		if !(length > rounding*math.Sqrt(above+below)) {
			return false
		}
		diagonal := -math.Copysign(length, m.At(k, k))
		m.Set(k, k, m.At(k, k)-diagonal) // the column is now the normal of the reflection
		normal := squares(m, k, k, m.Rows)
		for col := k + 1; col < m.Cols; col++ {
			reflect(m, k, col, normal)
		}
		m.Set(k, k, diagonal)
	}
	return true
}

// squares adds up those of a part of a column.
func squares(m *value.Matrix, col, from, to int) (sum float64) {
	for row := from; row < to; row++ {
		sum += m.At(row, col) * m.At(row, col)
	}
	return sum
}

// reflect reflects column col by the normal in column k, whose length has the square normal, which is not zero.
func reflect(m *value.Matrix, k, col int, normal float64) {
	product := 0.0
	for row := k; row < m.Rows; row++ {
		product += m.At(row, k) * m.At(row, col)
	}
	product *= 2 / normal
	for row := k; row < m.Rows; row++ {
		m.Set(row, col, m.At(row, col)-product*m.At(row, k))
	}
}

// substitute solves the equations of a triangle from the last to the first.
func substitute(x []float64, m *value.Matrix) {
	for row := len(x) - 1; row >= 0; row-- {
		sum := m.At(row, len(x))
		for col := row + 1; col < len(x); col++ {
			sum -= m.At(row, col) * x[col]
		}
		x[row] = sum / m.At(row, row)
	}
}

func equations() *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: "Core::MatrixSolve", Extension: extension, Doc: "solves linear equations",
		Examples: []spec.Example{
			{
				Doc: "two equations", Params: params{"Size": "2"},
				In:  series{"inMatrix": {square, "[[0,1],[1,0]]", "[[1,2],[2,4]]", "[[nan,0],[0,1]]", "null"}, "inResult": {"[5,11]"}},
				Out: series{"outValue": {"[1,2]", "[11,5]", "null", "null", "null"}},
			},
			{
				Doc: "a line through three points", In: series{"inMatrix": {"[[0,1],[1,1],[2,1]]"}, "inResult": {"[1,3,5]", "[0,0,3]"}},
				Out: series{"outValue": {"[2,1]", "[1.5,-0.5]"}},
			},
			{Doc: "too few equations", In: series{"inMatrix": {wide}, "inResult": {"[1,2]"}}, Reject: "has more unknowns than equations"},
			{
				Doc: "another number of unknowns", Params: params{"Size": "10"}, In: series{"inMatrix": {square}, "inResult": {"[1,2]"}},
				Reject: "a matrix of 2 x 2 does not have 10 unknowns",
			},
			{Doc: "too few right sides", In: series{"inMatrix": {square}, "inResult": {"[1]"}}, Reject: "needs 2 right sides, not 1"},
		},
	}, spec.Kernels[matrixSolve]{Run: solve})
}
