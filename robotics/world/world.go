// Package world knows where things are: frames, and relations between them (§10.2.3). A relation is fixed, or configured, which
// means that a program may change it between two commands, or it moves: robots carry frames, sensors see them.
//
// Relations form trees, so there is at most one path from one frame to another, and no two of them contradict each other. A Path
// consists of steps; those that do not move are joined into one.
package world

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/softrobot-rcc/rccd/geom"
)

// Errors of frames.
var (
	ErrUnrelated = errors.New("no path leads from one frame to the other")
	ErrRelated   = errors.New("frames are already related")
	ErrMoves     = errors.New("relation moves by itself")
	ErrNoFrame   = errors.New("there is no frame")
	ErrItself    = errors.New("a frame cannot be related to itself")
	ErrPlace     = errors.New("frame pose must be finite")
)

// FrameError is what is wrong between two frames.
type FrameError struct {
	From, To string
	Err      error
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("from frame %q to frame %q: %v", e.From, e.To, e.Err)
}

// Unwrap returns the cause.
func (e *FrameError) Unwrap() error { return e.Err }

// Frame is a place with directions: of a robot, a tool, a workpiece. Frames are distinguished by identity; names are for people.
type Frame struct {
	name string

	// Under relations.
	to []*Relation
}

// relations guards all relations: they change rarely, and a path may lead through frames of several parts of a program.
var relations sync.Mutex

// NewFrame returns a frame that is related to nothing yet.
func NewFrame(name string) *Frame { return &Frame{name: name} }

func (f *Frame) String() string {
	if f == nil {
		return "none"
	}
	return f.name
}

// Place returns a new frame at a fixed place, seen from this one.
func (f *Frame) Place(name string, at geom.Frame) *Frame {
	placed := NewFrame(name)
	if f == nil {
		return placed // stands nowhere, as f does
	}
	placed.to = []*Relation{{from: f, to: placed, at: at}}
	relations.Lock()
	defer relations.Unlock()
	f.to = append(f.to, placed.to[0])
	return placed
}

// Relation is where a frame is, seen from another one.
type Relation struct {
	from, to *Frame
	at       geom.Frame // under relations
	by       any
}

// Relate says where a frame is, seen from another one, until Set says something else.
func Relate(from, to *Frame, at geom.Frame) (*Relation, error) { return relate(from, to, at, nil) }

// Couple sets by as the thing that knows where a frame is, seen from another one: what moves one of them, or sees it. Package
// mapping knows what it must be able to do.
func Couple(from, to *Frame, by any) (*Relation, error) {
	if by == nil {
		return nil, &FrameError{from.String(), to.String(), ErrNoFrame}
	}
	return relate(from, to, geom.Frame{}, by)
}

func relate(from, to *Frame, at geom.Frame, by any) (*Relation, error) {
	if from == nil || to == nil {
		return nil, &FrameError{from.String(), to.String(), ErrNoFrame}
	}
	if from == to {
		return nil, &FrameError{from.name, to.name, ErrItself}
	}
	if !at.Finite() {
		return nil, &FrameError{from.name, to.name, ErrPlace}
	}
	relations.Lock()
	defer relations.Unlock()
	if relationsBetween(from, to) != nil {
		return nil, &FrameError{from.name, to.name, ErrRelated}
	}
	r := &Relation{from: from, to: to, at: at, by: by}
	from.to, to.to = append(from.to, r), append(to.to, r)
	return r, nil
}

// Set changes where the frame is for commands that are started from now on.
func (r *Relation) Set(at geom.Frame) error {
	if r.by != nil {
		return &FrameError{r.from.name, r.to.name, ErrMoves}
	}
	if !at.Finite() {
		return &FrameError{r.from.name, r.to.name, ErrPlace}
	}
	relations.Lock()
	defer relations.Unlock()
	r.at = at
	return nil
}

// Break ends the relation, as when a gripper lets a workpiece go. It may be called twice.
func (r *Relation) Break() {
	relations.Lock()
	defer relations.Unlock()
	without := func(list []*Relation) []*Relation {
		return slices.DeleteFunc(slices.Clone(list), func(other *Relation) bool { return other == r })
	}
	r.from.to, r.to.to = without(r.from.to), without(r.to.to)
}

// Step is a part of the path from one frame to another.
type Step struct {
	At     geom.Frame // of a step that does not move
	By     any        // what knows a moving one
	Invert bool       // that goes against its relation
}

// Path returns the steps whose product is where a frame is, seen from another one. Of a frame seen from itself there are none.
func Path(from, to *Frame) ([]Step, error) {
	if from == nil || to == nil {
		return nil, &FrameError{from.String(), to.String(), ErrNoFrame}
	}
	relations.Lock()
	defer relations.Unlock()
	if from == to {
		return nil, nil
	}
	links := relationsBetween(from, to)
	if links == nil {
		return nil, &FrameError{from.name, to.name, ErrUnrelated}
	}
	var steps []Step
	for at := from; len(links) > 0; links = links[1:] {
		r := links[0]
		against := r.to == at
		at = r.other(at)
		steps = join(steps, r, against)
	}
	return steps, nil
}

// join adds a step, to the last one if both do not move.
func join(steps []Step, r *Relation, against bool) []Step {
	if r.by != nil {
		return append(steps, Step{By: r.by, Invert: against})
	}
	at := r.at
	if against {
		at = at.Invert()
	}
	if last := len(steps) - 1; last >= 0 && steps[last].By == nil {
		steps[last].At = steps[last].At.Mul(at)
		return steps
	}
	return append(steps, Step{At: at})
}

func (r *Relation) other(f *Frame) *Frame {
	if r.from == f {
		return r.to
	}
	return r.from
}

// relationsBetween returns the relations from one frame to another, nil if no path leads there. relations is held.
func relationsBetween(from, to *Frame) []*Relation {
	type arrival struct {
		by     *Relation
		before *Frame
	}
	seen := map[*Frame]arrival{from: {}}
	for open := []*Frame{from}; len(open) > 0; open = open[1:] {
		for _, r := range open[0].to {
			next := r.other(open[0])
			if _, known := seen[next]; known {
				continue
			}
			seen[next] = arrival{r, open[0]}
			open = append(open, next)
		}
	}
	var links []*Relation
	for at := to; at != from; at = seen[at].before {
		if seen[at].by == nil {
			return nil
		}
		links = append(links, seen[at].by)
	}
	slices.Reverse(links)
	return links
}
