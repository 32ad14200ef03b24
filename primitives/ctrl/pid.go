// Package ctrl holds closed-loop controllers (§11.2.3).
package ctrl

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// pid is the controller of §11.2.3. The dissertation gives its name and its three parts; ports and parameters are ours.
// The integral adds up errors that are already multiplied by its gain, so that a gain that changes makes no jump.
type pid struct {
	Desired  spec.In[float64] `rcc:"inDesired" wanted:"true" doc:"value to reach"`
	Measured spec.In[float64] `rcc:"inMeasured" wanted:"true" doc:"value that there is"`
	P        spec.In[float64] `rcc:"inP" or:"P=1" must:"finite" doc:"proportional gain"`
	I        spec.In[float64] `rcc:"inI" or:"I=0" must:"finite" doc:"integral gain, 1/s"`
	D        spec.In[float64] `rcc:"inD" or:"D=0" must:"finite" doc:"derivative gain, s"`
	Min      spec.In[float64] `rcc:"inMin" or:"Min=-inf" should:"<= Max -- the result does not keep to both" doc:"least result; null is not a limit"`
	Max      spec.In[float64] `rcc:"inMax" or:"Max=+inf" should:">= Min -- the result does not keep to both" doc:"greatest result; null is not a limit"`
	Reset    spec.InOr[bool]  `rcc:"inReset" or:"=false" doc:"makes this the first cycle: the integral is zero"`

	Out spec.Out[float64] `rcc:"outValue" doc:"P·e + integral of I·e + D·derivative of e, with e = inDesired - inMeasured, within the limits; NaN when an operand is null"`

	sum   float64 // the integral
	last  float64 // error of cycle known
	known uint64
}

var nan = math.NaN()

func control(run []pid, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.sum, p.known = 0, 0
		}
		p.Out.Set(cy, p.next(cy))
	}
}

// next computes the result of a cycle. Errors that are not numbers leave nothing behind, and after them, as after cycles
// in which the controller was not active, there is no derivative for one cycle.
func (p *pid) next(cy *spec.Cycle) float64 {
	e := p.Desired.Or(cy, nan) - p.Measured.Or(cy, nan)
	derivative := 0.0
	if p.known != 0 && p.known+1 == cy.N {
		derivative = p.D.Or(cy, nan) * (e - p.last) / cy.Period
	}
	if !math.IsNaN(e) && !math.IsInf(e, 0) {
		p.last, p.known = e, cy.N
	}
	rest := p.P.Or(cy, nan)*e + derivative
	step := p.I.Or(cy, nan) * e * cy.Period
	least, most := p.Min.Or(cy, math.Inf(-1)), p.Max.Or(cy, math.Inf(1))
	switch result := rest + p.integral(step, rest, least, most); {
	case result > most:
		return most
	case result < least:
		return least
	default:
		return result
	}
}

// integral adds a step to the integral, unless the result is beyond a limit and the step would lead farther: the
// integral must not wind up while it has no effect.
func (p *pid) integral(step, rest, least, most float64) float64 {
	sum := p.sum + step
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return sum
	}
	if windsUp := rest+sum > most && step > 0 || rest+sum < least && step < 0; !windsUp {
		p.sum = sum
	}
	return p.sum
}
