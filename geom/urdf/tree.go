package urdf

import (
	"math"
	"strings"
)

// resolveMimics finds the joint with a value of its own behind each one that follows, also by way of others.
func (p *parser) resolveMimics() {
	for i := range p.m.Joints {
		p.resolve(i)
	}
}

// The states of a joint that follows.
const (
	untouched = iota
	active    // somewhere on the way that is being followed
	resolved
)

func (p *parser) resolve(i int) {
	j, at := &p.m.Joints[i], &p.places[i]
	if j.Mimic == nil || at.state == resolved {
		return
	}
	if at.state == active {
		p.add(at.mimic.at, "joint %s follows itself", quote(j.Name))
		at.state = resolved
		return
	}
	at.state = active
	leader := p.leader(at)
	if leader < 0 {
		at.state = resolved
		return
	}
	p.resolve(leader)
	j.Mimic.Joint = leader
	if other := p.m.Joints[leader].Mimic; other != nil {
		m := Mimic{other.Joint, other.Multiplier * j.Mimic.Multiplier, j.Mimic.Multiplier*other.Offset + j.Mimic.Offset}
		if max(math.Abs(m.Multiplier), math.Abs(m.Offset)) > largest {
			p.add(at.mimic.at, "joint %s follows joint %s with more than %v in amount", quote(j.Name), quote(at.leader), largest)
		}
		*j.Mimic = m
	}
	at.state = resolved
}

// leader returns the index of the joint that another one follows, -1 if it cannot.
func (p *parser) leader(at *place) int {
	a, _ := at.mimic.attr("joint")
	i, known := p.joints[at.leader]
	switch {
	case !known:
		p.add(a.at, "there is no joint %s%s", quote(at.leader), p.hint(at.leader, p.m.joints()))
	case !p.m.Joints[i].Kind.moves():
		p.add(a.at, "joint %s is %s, expected one with a value to follow", quote(at.leader), p.m.Joints[i].Kind)
	default:
		return i
	}
	return -1
}

// tree connects the links, and finds what is no tree.
func (p *parser) tree(root *element) {
	for i := range p.m.Joints {
		j := &p.m.Joints[i]
		if j.Parent < 0 || j.Child < 0 || j.Parent == j.Child {
			continue
		}
		child := &p.m.Links[j.Child]
		if child.Joint >= 0 {
			p.add(p.places[i].child, "link %s has two parents, it is also the child of joint %s in line %d",
				quote(child.Name), quote(p.m.Joints[child.Joint].Name), p.line(p.places[child.Joint].at))
			p.unwired = true
			continue
		}
		child.Joint = i
		p.m.Links[j.Parent].Carries = append(p.m.Links[j.Parent].Carries, i)
	}
	if !p.unwired { // otherwise the rest is a consequence
		p.roots()
	}
}

// roots finds the root, others beside it, and circles, which hang on no root.
func (p *parser) roots() {
	reached := make([]bool, len(p.m.Links))
	for i := range p.m.Links {
		if p.m.Links[i].Joint >= 0 {
			continue
		}
		if p.m.Root < 0 {
			p.m.Root = i
		} else {
			p.add(p.linkAt[i], "link %s is the child of no joint, and neither is link %s in line %d, expected one root",
				quote(p.m.Links[i].Name), quote(p.m.Links[p.m.Root].Name), p.line(p.linkAt[p.m.Root]))
		}
		p.m.walk(i, func(link int) bool { reached[link] = true; return true })
	}
	for i := range p.m.Links {
		if !reached[i] {
			p.circle(i, reached)
		}
	}
}

// walk visits a link and what it carries, each after its parent, and goes on behind those that say so.
func (m *Model) walk(from int, visit func(link int) bool) {
	for next := []int{from}; len(next) > 0; {
		link := next[len(next)-1]
		next = next[:len(next)-1]
		if !visit(link) {
			continue
		}
		for _, j := range m.Links[link].Carries {
			next = append(next, m.Joints[j].Child)
		}
	}
}

// mostNames of a circle are reported.
const mostNames = 5

// circle reports the circle on which a link is or hangs, and marks all of that as reached.
func (p *parser) circle(link int, reached []bool) {
	parent := func(link int) int { return p.m.Joints[p.m.Links[link].Joint].Parent }
	passed := map[int]bool{}
	for !passed[link] {
		passed[link] = true
		link = parent(link)
	}
	names := []string{quote(p.m.Links[link].Name)}
	for on := parent(link); on != link; on = parent(on) {
		if names = append(names, quote(p.m.Links[on].Name)); len(names) == mostNames {
			names = append(names, "…")
			break
		}
	}
	p.add(p.places[p.m.Links[link].Joint].at, "links carry each other in a circle: %s", strings.Join(names, ", "))
	p.m.walk(link, func(link int) bool {
		before := reached[link]
		reached[link] = true
		return !before
	})
}
