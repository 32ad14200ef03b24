package urdf

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Frames returns the frames of all links as seen from the root, in the order of Links, for values of joints by name. A joint that
// is not named is at 0, or at the limit that is nearest to it. Joints that follow others do so whatever is said of them.
func (m *Model) Frames(values map[string]float64) ([]geom.Frame, error) {
	at := make([]float64, len(m.Joints))
	known := 0
	for i := range m.Joints {
		j := &m.Joints[i]
		at[i] = min(max(0, j.Lower), j.Upper)
		v, given := values[j.Name]
		if !given {
			continue
		}
		if !j.Kind.moves() {
			return nil, fmt.Errorf("joint %s is %s, it has no value", quote(j.Name), j.Kind)
		}
		at[i] = v
		known++
	}
	if known < len(values) {
		return nil, m.unknown(values)
	}
	frames := make([]geom.Frame, len(m.Links))
	if m.Root < 0 || m.Root >= len(m.Links) {
		return frames, nil
	}
	m.walk(m.Root, func(link int) bool {
		if i := m.Links[link].Joint; i >= 0 {
			j := &m.Joints[i]
			v := at[i]
			if j.Mimic != nil {
				v = j.Mimic.Multiplier*at[j.Mimic.Joint] + j.Mimic.Offset
			}
			frames[link] = frames[j.Parent].Mul(j.Origin).Mul(j.moved(v))
		}
		return true
	})
	return frames, nil
}

// unknown names a joint that is not there.
func (m *Model) unknown(values map[string]float64) error {
	first := ""
	for name := range values {
		if m.Joint(name) < 0 && (first == "" || name < first) {
			first = name
		}
	}
	return fmt.Errorf("there is no joint %s%s", quote(first), suggest.DidYouMean(first, m.joints()))
}

// moved returns where the child is for a value of the joint, as seen from the origin of the joint.
func (j *Joint) moved(value float64) geom.Frame {
	switch j.Kind {
	case Revolute, Continuous:
		return geom.Frame{Rot: geom.FromAxisAngle(j.Axis, value)}
	case Prismatic:
		return geom.Frame{Pos: j.Axis.Scale(value)}
	}
	return geom.Frame{}
}
