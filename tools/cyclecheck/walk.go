package cyclecheck

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// walk goes from the roots through everything that can be reached from them, nearer functions first.
type walk struct {
	*Subject
	policy *Policy

	reached []*function          // and looked into
	by      map[*function]edge   // first call of a function, on a shortest way from a root
	edges   map[*function][]edge // allowed calls of a function; roots are those of nil
	used    map[*Reviewed]bool

	refused map[offence]bool
	found   []Finding
}

// edge is a call, or a jump in place of one.
type edge struct {
	from, to *function // from is nil for a root
	at       place
	indirect bool
	stack    int  // that from has in use while it calls
	reviewed bool // and therefore not followed
}

// offence is what a finding is about. A line that was inlined into several functions counts once.
type offence struct {
	at   place
	what string
}

func newWalk(s *Subject, p *Policy) *walk {
	return &walk{
		Subject: s, policy: p, by: map[*function]edge{}, edges: map[*function][]edge{},
		used: map[*Reviewed]bool{}, refused: map[offence]bool{},
	}
}

func (w *walk) run() error {
	for _, r := range w.policy.Roots {
		if err := w.begin(r); err != nil {
			return fmt.Errorf("root %s: %w", r.Function, err)
		}
	}
	for i := 0; i < len(w.reached); i++ { // grows on the way
		f := w.reached[i]
		calls, err := w.calls(f)
		if err != nil {
			return err
		}
		for _, e := range calls {
			w.reach(e)
		}
	}
	return nil
}

func (w *walk) begin(r Root) error {
	list := w.image.named[r.Function]
	if len(list) == 0 {
		return errors.New("the program has no such function")
	}
	before := len(w.reached)
	for _, f := range list {
		if !r.Bodies {
			w.reach(edge{to: f})
			continue
		}
		calls, err := w.calls(f)
		if err != nil {
			return err
		}
		for _, e := range calls {
			if e.indirect {
				w.reach(edge{to: e.to})
			}
		}
	}
	if len(w.reached) == before {
		return errors.New("nothing begins there")
	}
	return nil
}

// reach judges a call.
func (w *walk) reach(e edge) {
	_, known := w.by[e.to]
	if !known {
		w.by[e.to] = e
	}
	r := w.review(e)
	switch {
	case r != nil:
		w.used[r], e.reviewed = true, true
	case !w.isOpen(e.to):
		w.refuse(e, "a call of "+w.show(e.to))
		return
	case !known:
		w.reached = append(w.reached, e.to)
	}
	w.edges[e.from] = append(w.edges[e.from], e)
}

func (w *walk) review(e edge) *Reviewed {
	for i := range w.policy.Reviewed {
		r := &w.policy.Reviewed[i]
		if r.Call == e.to.name && (r.In == "" || e.from != nil && r.In == e.from.name) {
			return r
		}
	}
	return nil
}

// isOpen reports whether a function is judged by what it calls. The others are judged by being there.
func (w *walk) isOpen(f *function) bool {
	pkg := packageOf(f.name)
	return pkg == "main" || pkg == w.sites.module || strings.HasPrefix(pkg, w.sites.module+"/") ||
		strings.HasPrefix(f.name, "type:.eq.") || slices.Contains(w.policy.Open, pkg)
}

func (w *walk) refuse(e edge, what string) {
	if o := (offence{e.at, what}); !w.refused[o] {
		w.refused[o] = true
		w.add(Finding{what, w.path(e)})
	}
}

func (w *walk) add(f Finding) { w.found = append(w.found, f) }

// calls returns the calls of a function. Those that lead nowhere that is known are findings.
func (w *walk) calls(f *function) ([]edge, error) {
	exits, err := w.exitsOf(f)
	if err != nil {
		return nil, err
	}
	var list []edge
	for _, x := range exits {
		for _, why := range x.unknown {
			w.refuse(x.edge, why)
		}
		for _, x.to = range x.targets {
			list = append(list, x.edge)
		}
	}
	return list, nil
}

// path returns a shortest way that ends with a call.
func (w *walk) path(last edge) []Step {
	var list []Step
	if last.to != nil {
		list = append(list, Step{Function: w.show(last.to)})
	}
	for e := last; e.from != nil; e = w.by[e.from] {
		list = append(list, w.step(e))
	}
	slices.Reverse(list)
	return list
}

func (w *walk) step(e edge) Step {
	file := e.at.file
	if rel, err := filepath.Rel(w.sites.dir, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	} else if _, tail, ok := strings.Cut(file, "/src/"); ok {
		file = tail
	}
	return Step{w.show(e.from), file, e.at.line}
}

// show returns the name of a function for people: without its module, and without the shape of its types.
func (w *walk) show(f *function) string {
	name := strings.TrimPrefix(f.name, w.sites.module+"/")
	if i := strings.IndexByte(name, '['); i >= 0 {
		tail := name[strings.LastIndexByte(name, ']')+1:]
		name = name[:i] + "[...]" + tail
	}
	return name
}
