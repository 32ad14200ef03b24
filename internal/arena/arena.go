// Package arena makes many small things of one kind in few allocations. It is for what a load makes and lets go of at once: the pieces
// of one allocation live as long as any of them.
package arena

// Of hands out slices of T. The zero value is ready for use.
type Of[T any] struct {
	free []T
	size int
}

const most = 256 // of one allocation, unless a piece is longer

// Take returns n new elements, which are zero.
func (a *Of[T]) Take(n int) []T {
	if n > len(a.free) {
		a.size = min(max(8, 2*a.size), most)
		a.free = make([]T, max(n, a.size))
	}
	piece := a.free[:n:n]
	a.free = a.free[n:]
	return piece
}

// One returns a new element.
func (a *Of[T]) One() *T { return &a.Take(1)[0] }

// Copy returns a copy of a slice, nil of one without elements.
func (a *Of[T]) Copy(s []T) []T {
	if len(s) == 0 {
		return nil
	}
	piece := a.Take(len(s))
	copy(piece, s)
	return piece
}
