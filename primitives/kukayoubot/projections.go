package kukayoubot

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// A youBot has five axes. The first one is vertical, the last one turns about the Z axis of the flange, and those between
// them move the flange in one vertical plane. It therefore reaches a pose only if the Z axis of the flange is in the
// vertical plane through the first axis and the flange.

// axisX is where the first axis stands, seen from the base of the arm.
const axisX = 0.024 // m

// small is below which directions say nothing.
const small = 1e-9

// project is what projections have in common.
type project struct {
	Flange spec.In[geom.Frame]  `rcc:"inFlange" required:"true" doc:"pose of the flange, seen from the base of the arm"`
	Center spec.In[geom.Frame]  `rcc:"inMotionCenter" required:"true" doc:"what should stay where it is, seen from the flange; only its position counts"`
	Out    spec.Out[geom.Frame] `rcc:"outValue" doc:"pose of the flange, seen from the base of the arm; null when one of the poses is"`
}

type positionPreserving struct{ project }

func preservePosition(run []positionPreserving, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if flange, center := p.Flange.Ref(cy), p.Center.Ref(cy); flange != nil && center != nil {
			p.Out.Set(cy, keepPosition(flange, center.Pos))
		}
	}
}

// rounds are enough for motion centers that are less far beside the Z axis of the flange than the flange is from the first
// axis of the arm. For one on the Z axis the first round is exact.
const rounds = 24

// keepPosition turns the flange about the motion center, as directly as it goes, until the arm can take the pose.
func keepPosition(flange *geom.Frame, center geom.Vector) geom.Frame {
	there := flange.Point(center)
	pose := *flange
	at := there // which vertical plane the flange is in depends on how it is turned
	for range rounds {
		across, ok := acrossPlane(at)
		if !ok {
			return pose // above the axis every plane is the right one
		}
		z := pose.Rot.Rotate(geom.Vector{Z: 1})
		inPlane := z.Sub(across.Scale(z.Dot(across)))
		if inPlane.Length() < small {
			inPlane = geom.Vector{Z: -1} // it points across the plane: down is where most things are
		}
		pose.Rot = geom.Between(z, inPlane).Mul(pose.Rot)
		pose.Pos = there.Sub(pose.Rot.Rotate(center))
		at = at.Lerp(pose.Pos, 0.5) // half of the way: all of it would go to and fro
	}
	return pose
}

// acrossPlane returns the normal of the vertical plane through the first axis and a position, and false on the axis.
func acrossPlane(at geom.Vector) (geom.Vector, bool) {
	x, y := at.X-axisX, at.Y
	r := math.Hypot(x, y)
	if !(r > small) {
		return geom.Vector{}, false
	}
	return geom.Vector{X: -y / r, Y: x / r}, true
}

type orientationPreserving struct{ project }

func preserveOrientation(run []orientationPreserving, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if flange, center := p.Flange.Ref(cy), p.Center.Ref(cy); flange != nil && center != nil {
			p.Out.Set(cy, keepOrientation(flange))
		}
	}
}

// keepOrientation moves the flange, by as little as possible and not up or down, until the arm can take the pose.
func keepOrientation(flange *geom.Frame) geom.Frame {
	z := flange.Rot.Rotate(geom.Vector{Z: 1})
	pose := *flange
	if r := math.Hypot(z.X, z.Y); r > small {
		across := geom.Vector{X: -z.Y / r, Y: z.X / r}
		away := across.Dot(flange.Pos.Sub(geom.Vector{X: axisX}))
		pose.Pos = flange.Pos.Sub(across.Scale(away))
	}
	return pose
}

type palletizing struct{ project }

func palletize(run []palletizing, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if flange, center := p.Flange.Ref(cy), p.Center.Ref(cy); flange != nil && center != nil {
			p.Out.Set(cy, upright(flange, center.Pos))
		}
	}
}

// upright turns the flange about the motion center, by as little as possible, until its Z axis points up or down.
func upright(flange *geom.Frame, center geom.Vector) geom.Frame {
	z := flange.Rot.Rotate(geom.Vector{Z: 1})
	to := geom.Vector{Z: -1}
	if z.Z > 0 {
		to.Z = 1
	}
	rot := geom.Between(z, to).Mul(flange.Rot)
	return geom.Frame{Pos: flange.Point(center).Sub(rot.Rotate(center)), Rot: rot}
}

const (
	ahead  = "{pos:{x:0.324,y:0,z:0.2},rot:{a:0,b:0,c:1.5707963267948966}}" // Z points to the right, across the plane
	tilted = "{pos:{x:0.324,y:0,z:0.2},rot:{a:0,b:0,c:3}}"
	down   = "{pos:{x:0.324,y:0,z:0.2},rot:{a:0,b:0,c:3.141592653589793}}"
	origin = "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"
	inHand = "{pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}"
)

func projections() []*spec.Primitive {
	decl := func(name, doc string, examples ...spec.Example) spec.Decl {
		return spec.Decl{Name: "KUKA::youBot::" + name, Extension: extension, Doc: doc, Pure: true, Examples: append(examples,
			spec.Example{Doc: "no motion center", In: series{"inFlange": {down}}, Reject: "inMotionCenter must be connected"})}
	}
	example := func(doc, flange, center, out string) spec.Example {
		return spec.Example{Doc: doc, In: series{"inFlange": {flange, "null"}, "inMotionCenter": {center}}, Out: series{"outValue": {out, "null"}}}
	}
	return []*spec.Primitive{
		spec.Declare(decl("PositionPreservingProject", "turns the flange so that the arm with its five axes can take the pose; the motion center stays where it is",
			example("a pose that can be taken", down, inHand, down),
			example("tilted to the side", tilted, origin, down),
		), spec.Kernels[positionPreserving]{Run: preservePosition}),
		spec.Declare(decl("OrientationPreservingProject", "moves the flange aside so that the arm with its five axes can take the pose; the orientation stays",
			example("a pose that can be taken", down, inHand, down),
			example("to the side", ahead, inHand, "{pos:{x:0.024,y:0,z:0.2},rot:{a:0,b:0,c:1.5707963267948966}}"),
		), spec.Kernels[orientationPreserving]{Run: preserveOrientation}),
		spec.Declare(decl("PalletizingProject", "turns the flange so that its Z axis points up or down; the motion center stays where it is",
			example("it does", down, inHand, down),
			example("tilted", tilted, origin, down),
		), spec.Kernels[palletizing]{Run: palletize}),
	}
}
