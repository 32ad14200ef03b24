package generic

import "github.com/softrobot-rcc/rccd/rcc/spec"

// Window joins the last samples in a tree, whose leaves are the second half. A running sum would be shorter, but it
// collects the errors of every addition, and one NaN would stay in it for ever.
type Window[T any] struct {
	parts []Part[T]
	join  func(a, b *Part[T]) T
	at    int    // next leaf
	epoch uint64 // parts of an older one count as empty
}

// Part is what some samples have been joined to.
type Part[T any] struct {
	V     T
	Count int64 // samples with a value

	epoch uint64
}

// NewWindow makes a window of that many samples. join joins two parts that both have samples.
func NewWindow[T any](env *spec.Env, samples int, join func(a, b *Part[T]) T) (Window[T], error) {
	parts, err := spec.Make[Part[T]](env, 2*samples)
	return Window[T]{parts: parts, join: join, epoch: 1}, err
}

// Reset forgets all samples (cycle).
func (w *Window[T]) Reset() {
	w.epoch++
	w.at = 0
}

// Add puts a sample in place of the oldest one (cycle).
func (w *Window[T]) Add(v T) { w.add(v, 1) }

// Skip puts a sample without value in place of the oldest one (cycle).
func (w *Window[T]) Skip() {
	var none T
	w.add(none, 0)
}

// All returns what all samples are joined to, or nil without any (cycle).
func (w *Window[T]) All() *Part[T] { return w.part(1) }

func (w *Window[T]) add(v T, count int64) {
	leaves := len(w.parts) / 2
	if w.at >= leaves {
		w.at = 0
	}
	i := w.at + leaves
	w.at++
	w.set(i, v, count)
	for i /= 2; i > 0; i /= 2 {
		a, b := w.part(2*i), w.part(2*i+1)
		switch {
		case a != nil && b != nil:
			w.set(i, w.join(a, b), a.Count+b.Count)
		case a != nil:
			w.set(i, a.V, a.Count)
		case b != nil:
			w.set(i, b.V, b.Count)
		default:
			w.set(i, v, 0)
		}
	}
}

func (w *Window[T]) set(i int, v T, count int64) {
	if all := w.parts; i >= 0 && i < len(all) {
		all[i] = Part[T]{V: v, Count: count, epoch: w.epoch}
	}
}

// part returns a part that has samples, or nil.
func (w *Window[T]) part(i int) *Part[T] {
	if all := w.parts; i >= 0 && i < len(all) && all[i].epoch == w.epoch && all[i].Count > 0 {
		return &all[i]
	}
	return nil
}
