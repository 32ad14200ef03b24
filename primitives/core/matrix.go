package core

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Primitives of matrices. How large a matrix is, is decided when the net is loaded: by Rows and Cols, which are those of
// the result, or by the matrices that go in. A matrix that is too small counts as null.

// result is the out port of what makes a matrix.
type result struct {
	Rows spec.Param[int32]      `rcc:"Rows" default:"0" must:">= 0" doc:"rows of the result; 0: as many as it has by itself"`
	Cols spec.Param[int32]      `rcc:"Cols" default:"0" must:">= 0" doc:"columns of the result; 0: as many as it has by itself"`
	Out  spec.Out[value.Matrix] `rcc:"outMatrix" doc:"the result, null when something that goes in is null or too small"`
}

// allocate makes room for a result that has rows and cols by itself.
func (p *result) allocate(env *spec.Env, rows, cols int) (err error) {
	p.Out.V, err = newMatrix(env, orElse(p.Rows.V, rows), orElse(p.Cols.V, cols))
	return err
}

// newMatrix returns a matrix of zeros, if the net may take as much memory.
func newMatrix(env *spec.Env, rows, cols int32) (value.Matrix, error) {
	if rows > 0 && cols > 0 && int64(rows)*int64(cols) <= value.MaxLength {
		if err := env.Take(8 * int64(rows) * int64(cols)); err != nil {
			return value.Matrix{}, err
		}
	}
	m, err := value.NewMatrix(rows, cols)
	clear(m.V) // so that the system has given the memory before a cycle asks for it
	return m, err
}

func orElse(param int32, otherwise int) int32 {
	if param == 0 {
		return int32(min(otherwise, value.MaxLength))
	}
	return param
}

// contains reports whether a matrix has a block of some rows and columns.
func contains(m *value.Matrix, b *block, rows, cols int) bool {
	return int(b.Row.V)+rows <= m.Rows && int(b.Col.V)+cols <= m.Cols
}

// move copies the elements of a block to another place. Each matrix starts at its own first row and column.
func move(dst *value.Matrix, dstRow, dstCol int, src *value.Matrix, srcRow, srcCol, rows, cols int) {
	for row := range rows {
		for col := range cols {
			dst.Set(dstRow+row, dstCol+col, src.At(srcRow+row, srcCol+col))
		}
	}
}

// fill copies as much as dst has; it reports whether src has as much.
func fill(dst, src *value.Matrix) bool {
	if src == nil || src.Rows < dst.Rows || src.Cols < dst.Cols {
		return false
	}
	move(dst, 0, 0, src, 0, 0, dst.Rows, dst.Cols)
	return true
}

// checkCell checks that an element is one of a matrix.
func checkCell(row, col int32, m *value.Matrix) error {
	if row < 0 || col < 0 || int(row) >= m.Rows || int(col) >= m.Cols {
		return fmt.Errorf("no element %d, %d in a matrix of %d x %d", row, col, m.Rows, m.Cols)
	}
	return nil
}

type matrixCreate struct {
	Rows spec.Param[int32]      `rcc:"Rows" default:"1" must:">= 0" doc:"number of rows"`
	Cols spec.Param[int32]      `rcc:"Cols" default:"1" must:">= 0" doc:"number of columns"`
	Out  spec.Out[value.Matrix] `rcc:"outMatrix" doc:"matrix of zeros"`
}

func (p *matrixCreate) Init(env *spec.Env) (err error) {
	p.Out.V, err = newMatrix(env, p.Rows.V, p.Cols.V)
	return err
}

func emitMatrix(run []matrixCreate, cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Touch(cy)
	}
}

type matrixGet struct {
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to read"`
	Row    spec.Param[int32]     `rcc:"Row" default:"0" must:">= 0" doc:"row of the element, from 0"`
	Col    spec.Param[int32]     `rcc:"Col" default:"0" must:">= 0" doc:"column of the element, from 0"`
	Out    spec.Out[float64]     `rcc:"outValue" doc:"the element"`
}

func (p *matrixGet) Init(*spec.Env) error { return checkCell(p.Row.V, p.Col.V, p.Matrix.Source()) }

func pickCell(run []matrixGet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if m := p.Matrix.Ref(cy); m != nil {
			p.Out.Set(cy, m.At(int(p.Row.V), int(p.Col.V)))
		}
	}
}

type matrixSet struct {
	result
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to copy"`
	Value  spec.In[float64]      `rcc:"inValue" required:"true" doc:"the new element"`
	Row    spec.Param[int32]     `rcc:"Row" default:"0" must:">= 0" doc:"row of the element, from 0"`
	Col    spec.Param[int32]     `rcc:"Col" default:"0" must:">= 0" doc:"column of the element, from 0"`
}

func (p *matrixSet) Init(env *spec.Env) error {
	m := p.Matrix.Source()
	if err := p.allocate(env, m.Rows, m.Cols); err != nil {
		return err
	}
	return checkCell(p.Row.V, p.Col.V, &p.Out.V)
}

func replaceCell(run []matrixSet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Value.Get(cy); ok && fill(&p.Out.V, p.Matrix.Ref(cy)) {
			p.Out.V.Set(int(p.Row.V), int(p.Col.V), v)
			p.Out.Touch(cy)
		}
	}
}

type matrixScale struct {
	result
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to scale"`
	Value  spec.In[float64]      `rcc:"inValue" or:"Value=0" any:"every number is one to reckon with" doc:"factor"`
}

func (p *matrixScale) Init(env *spec.Env) error {
	m := p.Matrix.Source()
	return p.allocate(env, m.Rows, m.Cols)
}

func scaleMatrices(run []matrixScale, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if factor, ok := p.Value.Get(cy); ok && fill(&p.Out.V, p.Matrix.Ref(cy)) {
			cells := p.Out.V.V
			for k := range cells {
				cells[k] *= factor
			}
			p.Out.Touch(cy)
		}
	}
}

type matrixTranspose struct {
	result
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to transpose"`
}

func (p *matrixTranspose) Init(env *spec.Env) error {
	m := p.Matrix.Source()
	return p.allocate(env, m.Cols, m.Rows)
}

func transpose(run []matrixTranspose, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m, out := p.Matrix.Ref(cy), &p.Out.V
		if m == nil || m.Rows < out.Cols || m.Cols < out.Rows {
			continue
		}
		for row := range out.Rows {
			for col := range out.Cols {
				out.Set(row, col, m.At(col, row))
			}
		}
		p.Out.Touch(cy)
	}
}

type matrixMultiply struct {
	result
	First  spec.In[value.Matrix] `rcc:"inMatrix1" required:"true" doc:"first factor"`
	Second spec.In[value.Matrix] `rcc:"inMatrix2" required:"true" doc:"second factor, with as many rows as the first one has columns"`
}

func (p *matrixMultiply) Init(env *spec.Env) error {
	first, second := p.First.Source(), p.Second.Source()
	if first.Cols != second.Rows {
		return fmt.Errorf("a matrix of %d x %d cannot be multiplied by one of %d x %d", first.Rows, first.Cols, second.Rows, second.Cols)
	}
	return p.allocate(env, first.Rows, second.Cols)
}

func multiplyMatrices(run []matrixMultiply, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		first, second, out := p.First.Ref(cy), p.Second.Ref(cy), &p.Out.V
		if first == nil || second == nil || first.Rows < out.Rows || second.Cols < out.Cols {
			continue
		}
		for row := range out.Rows {
			for col := range out.Cols {
				sum := 0.0
				for k := range first.Cols {
					sum += first.At(row, k) * second.At(k, col)
				}
				out.Set(row, col, sum)
			}
		}
		p.Out.Touch(cy)
	}
}

type matrixApply struct {
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix"`
	Vector spec.In[[]float64]    `rcc:"inVector" required:"true" doc:"vector, with as many elements as the matrix has columns"`
	Size   spec.Param[int32]     `rcc:"Size" default:"0" must:">= 0" doc:"elements of the result; 0: as many as the matrix has rows"`
	Out    spec.Out[[]float64]   `rcc:"outValue" doc:"matrix times vector, null when one of them is null or too small"`
}

func (p *matrixApply) Init(env *spec.Env) (err error) {
	p.Out.V, err = generic.Array[float64](env, orElse(p.Size.V, p.Matrix.Source().Rows))
	return err
}

func apply(run []matrixApply, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m := p.Matrix.Ref(cy)
		v, ok := p.Vector.Get(cy)
		out := p.Out.V
		if m == nil || !ok || len(v) < m.Cols || m.Rows < len(out) {
			continue
		}
		for row := range out {
			sum := 0.0
			for col := 0; col < m.Cols && col < len(v); col++ {
				sum += m.At(row, col) * v[col]
			}
			out[row] = sum
		}
		p.Out.Touch(cy)
	}
}

// block is a part of a matrix.
type block struct {
	Row   spec.Param[int32] `rcc:"StartRow" default:"0" must:">= 0" doc:"first row of the block, from 0"`
	Col   spec.Param[int32] `rcc:"StartCol" default:"0" must:">= 0" doc:"first column of the block, from 0"`
	Width spec.Param[int32] `rcc:"BlockWidth" default:"1" must:">= 1" doc:"columns of the block"`
}

// rows returns how many rows of a block hold n elements, and how many columns.
func (b *block) rows(n int) (rows, cols int) {
	width := int(b.Width.V)
	if width < 1 {
		return 0, 0
	}
	return (n + width - 1) / width, min(n, width)
}

type matrixArrayGet struct {
	block
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to read"`
	Size   spec.Param[int32]     `rcc:"Size" default:"1" must:">= 0" doc:"number of elements, row by row of the block"`
	Out    spec.Out[[]float64]   `rcc:"outArray" doc:"the elements, null when the matrix is null or does not have them"`
}

func (p *matrixArrayGet) Init(env *spec.Env) (err error) {
	p.Out.V, err = generic.Array[float64](env, p.Size.V)
	return err
}

func readBlocks(run []matrixArrayGet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m, out := p.Matrix.Ref(cy), p.Out.V
		if m == nil {
			continue
		}
		if rows, cols := p.rows(len(out)); !contains(m, &p.block, rows, cols) {
			continue
		}
		row, col := 0, 0
		for k := range out {
			out[k] = m.At(int(p.Row.V)+row, int(p.Col.V)+col)
			if col++; col >= int(p.Width.V) {
				row, col = row+1, 0
			}
		}
		p.Out.Touch(cy)
	}
}

type matrixArraySet struct {
	result
	block
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to copy"`
	Array  spec.In[[]float64]    `rcc:"inArray" or:"Array=" any:"every number is one to reckon with" doc:"new elements, row by row of the block"`
}

func (p *matrixArraySet) Init(env *spec.Env) error {
	m := p.Matrix.Source()
	return p.allocate(env, m.Rows, m.Cols)
}

func writeBlocks(run []matrixArraySet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.Array.Get(cy)
		if !ok {
			continue
		}
		rows, cols := p.rows(len(v))
		if !contains(&p.Out.V, &p.block, rows, cols) || !fill(&p.Out.V, p.Matrix.Ref(cy)) {
			continue
		}
		row, col := 0, 0
		for k := range v {
			p.Out.V.Set(int(p.Row.V)+row, int(p.Col.V)+col, v[k])
			if col++; col >= int(p.Width.V) {
				row, col = row+1, 0
			}
		}
		p.Out.Touch(cy)
	}
}

type matrixBlockGet struct {
	block
	Matrix spec.In[value.Matrix]  `rcc:"inMatrix" required:"true" doc:"matrix to read"`
	Height spec.Param[int32]      `rcc:"BlockHeight" default:"1" must:">= 1" doc:"rows of the block"`
	Out    spec.Out[value.Matrix] `rcc:"outMatrix" doc:"the block, null when the matrix is null or does not have it"`
}

func (p *matrixBlockGet) Init(env *spec.Env) (err error) {
	p.Out.V, err = newMatrix(env, p.Height.V, p.Width.V)
	return err
}

func cutBlocks(run []matrixBlockGet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m, out := p.Matrix.Ref(cy), &p.Out.V
		if m != nil && contains(m, &p.block, out.Rows, out.Cols) {
			move(out, 0, 0, m, int(p.Row.V), int(p.Col.V), out.Rows, out.Cols)
			p.Out.Touch(cy)
		}
	}
}

type matrixBlockSet struct {
	result
	block
	Matrix spec.In[value.Matrix] `rcc:"inMatrix" required:"true" doc:"matrix to copy"`
	Block  spec.In[value.Matrix] `rcc:"inBlock" required:"true" doc:"matrix with the new elements"`
	Height spec.Param[int32]     `rcc:"BlockHeight" default:"1" must:">= 1" doc:"rows of the block"`
}

func (p *matrixBlockSet) Init(env *spec.Env) error {
	m := p.Matrix.Source()
	return p.allocate(env, m.Rows, m.Cols)
}

func pasteBlocks(run []matrixBlockSet, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		from, rows, cols := p.Block.Ref(cy), int(p.Height.V), int(p.Width.V)
		if from == nil || from.Rows < rows || from.Cols < cols {
			continue
		}
		if contains(&p.Out.V, &p.block, rows, cols) && fill(&p.Out.V, p.Matrix.Ref(cy)) {
			move(&p.Out.V, int(p.Row.V), int(p.Col.V), from, 0, 0, rows, cols)
			p.Out.Touch(cy)
		}
	}
}

type matrixSelect struct {
	Matrix  spec.In[value.Matrix]  `rcc:"inMatrix" required:"true" doc:"matrix to read"`
	Rows    spec.Param[[]int32]    `rcc:"SelectedRows" default:"" must:">= 0" doc:"numbers of the rows, from 0"`
	Cols    spec.Param[[]int32]    `rcc:"SelectedCols" default:"" must:">= 0" doc:"numbers of the columns, from 0"`
	NumRows spec.Param[int32]      `rcc:"RowDimension" default:"0" must:">= 0" doc:"rows of the result; not used, as SelectedRows tells"`
	NumCols spec.Param[int32]      `rcc:"ColumnDimension" default:"0" must:">= 0" doc:"columns of the result; not used, as SelectedCols tells"`
	Out     spec.Out[value.Matrix] `rcc:"outMatrix" doc:"the elements where they cross"`
}

func (p *matrixSelect) Init(env *spec.Env) (err error) {
	m := p.Matrix.Source()
	for _, row := range p.Rows.V {
		if row < 0 || int(row) >= m.Rows {
			return fmt.Errorf("parameter SelectedRows: no row %d in a matrix of %d x %d", row, m.Rows, m.Cols)
		}
	}
	for _, col := range p.Cols.V {
		if col < 0 || int(col) >= m.Cols {
			return fmt.Errorf("parameter SelectedCols: no column %d in a matrix of %d x %d", col, m.Rows, m.Cols)
		}
	}
	p.Out.V, err = newMatrix(env, int32(len(p.Rows.V)), int32(len(p.Cols.V)))
	return err
}

func selectCells(run []matrixSelect, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		m := p.Matrix.Ref(cy)
		if m == nil {
			continue
		}
		for row, fromRow := range p.Rows.V {
			for col, fromCol := range p.Cols.V {
				p.Out.V.Set(row, col, m.At(int(fromRow), int(fromCol)))
			}
		}
		p.Out.Touch(cy)
	}
}
