package robotbase

import "github.com/softrobot-rcc/rccd/rcc/spec"

// omnidirectional goes to a place in the plane: velocities are proportional to what is missing, seen from the base.
type omnidirectional struct {
	journey

	VelX   spec.Param[float64] `rcc:"velX" default:"0.25" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"limit of velocity ahead, m/s"`
	VelY   spec.Param[float64] `rcc:"velY" default:"0.25" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"limit of velocity to the sides, m/s"`
	VelYaw spec.Param[float64] `rcc:"velYaw" default:"0.3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"limit of turning, rad/s"`
	PX     spec.Param[float64] `rcc:"pX" default:"3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"velocity ahead for each m that is missing, 1/s"`
	PY     spec.Param[float64] `rcc:"pY" default:"3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"velocity to the left for each m that is missing, 1/s"`
	PYaw   spec.Param[float64] `rcc:"pYaw" default:"3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"turning for each rad that is missing, 1/s"`
}

func drive(run []omnidirectional, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		r, known := p.rest(cy)
		if !known {
			continue
		}
		p.x = towards(p.x, p.PX.V*r.way.X, p.VelX.V, cy.Period)
		p.y = towards(p.y, p.PY.V*r.way.Y, p.VelY.V, cy.Period)
		p.by = towards(p.by, p.PYaw.V*r.yaw, p.VelYaw.V, cy.Period)
		p.tell(cy, r)
	}
}

var controller = spec.Declare(spec.Decl{
	Name: "RobotBase::OmnidirectionalBaseController", Extension: extension, Doc: "drives a base that can go in all directions to a place in the plane",
	Unrelated: "directions are controlled each for itself",
	Examples: []spec.Example{
		getsFaster,
		{
			Doc: "near enough", In: series{"inDest": {frameOf("0.001", "0", "0.001")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0.003,y:0,z:0},rot:{x:0,y:0,z:0.003}}"}, "outCompleted": {"true"}},
		},
		unknownPlace,
	},
}, spec.Kernels[omnidirectional]{Run: drive})
