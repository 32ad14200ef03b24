package urdf

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Chain returns the chain of joints from one link to another. Joints that cannot move – fixed ones, and those whose
// limits are one value – become part of the links. Joints that follow others have no value of their own; the joint that they follow
// has to be on the way, too. The way may lead towards the root and away from it again.
func (m *Model) Chain(base, tip string) (*kinematics.Chain, error) {
	way, err := m.way(base, tip)
	if err != nil {
		return nil, err
	}
	b := builder{m: m, segment: map[int]int{}}
	for _, s := range way {
		if err := b.add(s); err != nil {
			return nil, fmt.Errorf("chain from %s to %s: %w", quote(base), quote(tip), err)
		}
	}
	c, err := b.chain()
	if err != nil {
		return nil, fmt.Errorf("chain from %s to %s: %w", quote(base), quote(tip), err)
	}
	return c, nil
}

// stage is a joint on a way, against its direction when the way leads towards the root.
type stage struct {
	joint int
	up    bool
}

func (m *Model) way(base, tip string) ([]stage, error) {
	var toRoot [2][]int
	for k, name := range [...]string{base, tip} {
		link := m.Link(name)
		if link < 0 {
			return nil, fmt.Errorf("there is no link %s%s", quote(name), suggest.DidYouMean(name, m.links()))
		}
		for j := m.Links[link].Joint; j >= 0; j = m.Links[m.Joints[j].Parent].Joint {
			toRoot[k] = append(toRoot[k], j)
		}
	}
	up, down := toRoot[0], toRoot[1]
	for len(up) > 0 && len(down) > 0 && up[len(up)-1] == down[len(down)-1] { // both have that in common
		up, down = up[:len(up)-1], down[:len(down)-1]
	}
	way := make([]stage, 0, len(up)+len(down))
	for _, j := range up {
		way = append(way, stage{j, true})
	}
	for _, j := range slices.Backward(down) {
		way = append(way, stage{j, false})
	}
	return way, nil
}

// builder collects segments.
type builder struct {
	m        *Model
	segments []kinematics.Segment
	joints   []int       // of the segments
	segment  map[int]int // of the joints
	before   geom.Frame  // from the last segment to what comes next
}

func (b *builder) add(s stage) error {
	j := &b.m.Joints[s.joint]
	if j.Kind == Floating || j.Kind == Planar {
		return fmt.Errorf("joint %s is %s", quote(j.Name), j.Kind)
	}
	axis, behind := j.Axis, geom.Frame{}
	if s.up { // from the child to the parent, which is the inverse of Origin and then the motion
		axis, behind = axis.Neg(), j.Origin.Invert()
	} else {
		b.before = b.before.Mul(j.Origin)
	}
	if value, still := b.m.still(s.joint); still {
		motion := j.moved(value)
		if s.up {
			motion = motion.Invert()
		}
		b.before = b.before.Mul(motion).Mul(behind)
		return nil
	}
	b.segment[s.joint] = len(b.segments)
	b.joints = append(b.joints, s.joint)
	b.segments = append(b.segments, kinematics.Segment{Before: b.before, Axis: axis, Joint: j.joint()})
	b.before = behind
	return nil
}

// still reports whether a joint cannot move, and returns its value.
func (m *Model) still(joint int) (value float64, still bool) {
	j := &m.Joints[joint]
	switch {
	case j.Kind == Fixed:
		return 0, true
	case j.Mimic == nil:
		return j.Lower, j.Lower == j.Upper
	}
	value, still = m.still(j.Mimic.Joint)
	if j.Mimic.Multiplier == 0 {
		value, still = 0, true
	}
	return j.Mimic.Multiplier*value + j.Mimic.Offset, still
}

func (j *Joint) joint() kinematics.Joint {
	k := kinematics.Joint{Name: j.Name, Min: j.Lower, Max: j.Upper, Velocity: j.Velocity, Effort: j.Effort}
	if j.Kind == Prismatic {
		k.Kind = kinematics.Prismatic
	}
	return k
}

func (b *builder) chain() (*kinematics.Chain, error) {
	for i, joint := range b.joints {
		j := &b.m.Joints[joint]
		if j.Mimic == nil {
			continue
		}
		leader, on := b.segment[j.Mimic.Joint]
		if !on {
			return nil, fmt.Errorf("joint %s follows joint %s, which is not on the way",
				quote(j.Name), quote(b.m.Joints[j.Mimic.Joint].Name))
		}
		b.segments[i].Follow = &kinematics.Follow{Segment: leader, Factor: j.Mimic.Multiplier, Offset: j.Mimic.Offset}
	}
	return kinematics.New(b.segments, b.before)
}
