package value

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom/text"
)

// Matrix is a matrix of doubles, whose rows and columns are fixed when the net is loaded. Its text is an array of rows:
// [[1,2],[3,4]].
type Matrix struct {
	Rows, Cols int
	V          []float64 // row by row
}

// NewMatrix returns a matrix of zeros, if one may be as large (load).
func NewMatrix(rows, cols int32) (Matrix, error) {
	if rows < 0 || cols < 0 || max(int64(rows), int64(cols), int64(rows)*int64(cols)) > MaxLength {
		return Matrix{}, fmt.Errorf("a matrix has 0 to %d elements, not %d x %d", MaxLength, rows, cols)
	}
	return Matrix{int(rows), int(cols), make([]float64, int(rows)*int(cols))}, nil
}

// At returns an element, 0 outside of the matrix (cycle).
func (m *Matrix) At(row, col int) float64 {
	if i := row*m.Cols + col; col >= 0 && col < m.Cols && i >= 0 && i < len(m.V) {
		return m.V[i]
	}
	return 0
}

// Set changes an element, nothing outside of the matrix (cycle).
func (m *Matrix) Set(row, col int, v float64) {
	if i := row*m.Cols + col; col >= 0 && col < m.Cols && i >= 0 && i < len(m.V) {
		m.V[i] = v
	}
}

var matrix = Codec[Matrix]{
	Type:   TypeMatrix,
	Parse:  func(in string) (Matrix, error) { return parse(in, TypeMatrix, readMatrix) },
	Append: appendMatrix,
	Words:  func(v Matrix) int { return len(v.V) },
	Put:    func(dst []uint64, v *Matrix) { putDoubles(dst, v.V) },
	Get:    func(src []uint64, v *Matrix) { getDoubles(src, v.V) },
	Copy:   copyMatrix,
	Clone:  func(v Matrix) Matrix { return Matrix{v.Rows, v.Cols, append([]float64{}, v.V...)} },
	Fits: func(v, like Matrix) error {
		if v.Rows != like.Rows || v.Cols != like.Cols {
			return fmt.Errorf("it has %d x %d elements, not %d x %d", v.Rows, v.Cols, like.Rows, like.Cols)
		}
		return nil
	},
}

// copyMatrix copies what is in both matrices.
func copyMatrix(dst, src *Matrix) {
	if dst.Cols == src.Cols {
		copy(dst.V, src.V)
		return
	}
	for row := range min(dst.Rows, src.Rows) {
		for col := range min(dst.Cols, src.Cols) {
			dst.Set(row, col, src.At(row, col))
		}
	}
}

func readMatrix(s *text.Scanner) Matrix {
	m := Matrix{V: []float64{}}
	list(s, func(s *text.Scanner) struct{} {
		row := list(s, (*text.Scanner).Double)
		if m.Rows == 0 {
			m.Cols = len(row)
		}
		m.Rows++
		m.V = append(m.V, row...)
		switch {
		case len(row) != m.Cols:
			s.Fail("it has rows of %d and of %d elements", m.Cols, len(row))
		case len(m.V) > MaxLength:
			s.Fail("it has more than %d elements", MaxLength)
		}
		return struct{}{}
	})
	return m
}

func appendMatrix(dst []byte, v Matrix) []byte {
	dst = append(dst, '[')
	for row := range v.Rows {
		if row > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for col := range v.Cols {
			if col > 0 {
				dst = append(dst, ',')
			}
			dst = text.AppendDouble(dst, v.At(row, col))
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}
