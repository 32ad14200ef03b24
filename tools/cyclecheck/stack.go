package cyclecheck

import "slices"

// depth measures the stack that functions need.
type depth struct {
	*walk
	known map[*function]need
	open  map[*function]bool // of the way that is being measured
}

// need is what a function needs, and the call that needs most of it; none when it is the function itself.
type need struct {
	bytes int
	call  edge
}

// deepest returns the way that needs most of the stack. A function that may call itself, also over others, is a finding,
// because of its stack nothing can be said.
func (w *walk) deepest() (bytes int, way []Step) {
	d := depth{w, map[*function]need{}, map[*function]bool{}}
	var from *function
	for _, root := range w.edges[nil] {
		if n := d.of(root.to) + w.image.returnAddress(); n > bytes {
			bytes, from = n, root.to
		}
	}
	for f := from; f != nil; {
		call := d.known[f].call
		if call.to == nil || call.reviewed {
			return bytes, append(way, Step{Function: w.show(f)})
		}
		way = append(way, w.step(call))
		f = call.to
	}
	return bytes, way
}

func (d *depth) of(f *function) int {
	if n, ok := d.known[f]; ok {
		return n.bytes
	}
	d.open[f] = true
	n := need{bytes: f.frame()}
	for _, e := range d.edges[f] {
		below := 0
		switch {
		case e.reviewed:
			below = e.to.frame()
		case d.open[e.to]:
			d.recursion(e)
			continue
		default:
			below = d.of(e.to)
		}
		if e.stack+below > n.bytes {
			n = need{e.stack + below, e}
		}
	}
	delete(d.open, f)
	d.known[f] = n
	return n.bytes
}

// recursion reports a call that closes a circle: the way to its function, and around.
func (d *depth) recursion(last edge) {
	circle := []edge{last}
	if last.from != last.to {
		by := map[*function]edge{}
		for next := []*function{last.to}; len(next) > 0; next = next[1:] {
			for _, e := range d.edges[next[0]] {
				if _, ok := by[e.to]; !ok && !e.reviewed {
					by[e.to] = e
					next = append(next, e.to)
				}
			}
		}
		for f := last.from; f != last.to; f = by[f].from {
			circle = append(circle, by[f])
		}
	}
	slices.Reverse(circle)
	way := d.path(d.by[last.to])
	way = way[:len(way)-1]
	for _, e := range circle {
		way = append(way, d.step(e))
	}
	d.add(Finding{"recursion of " + d.show(last.to), append(way, Step{Function: d.show(last.to)})})
}
