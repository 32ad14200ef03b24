package quadcopter

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// tilt is what QC:RollPitchT of figure 11.10 computes. Its limits are ours: propellers do not pull down, and who tilts too far falls.
type tilt struct {
	X       spec.In[float64]    `rcc:"inX" wanted:"true" doc:"acceleration ahead, m/s²"`
	Y       spec.In[float64]    `rcc:"inY" wanted:"true" doc:"acceleration to the left, m/s²"`
	Z       spec.In[float64]    `rcc:"inZ" wanted:"true" doc:"acceleration upwards, that against gravity included, m/s²; what is below MinUp counts as MinUp"`
	MaxTilt spec.Param[float64] `rcc:"MaxTilt" default:"0.5" must:"> 0; < 1.5707963267948966" doc:"from upright, rad; accelerations that need more are as large as that allows"`
	MinUp   spec.Param[float64] `rcc:"MinUp" default:"2" must:"> 0" doc:"m/s²"`
	Roll    spec.Out[float64]   `rcc:"outRoll" doc:"to the right, rad; null, as the others, when an operand is null or no number"`
	Pitch   spec.Out[float64]   `rcc:"outPitch" doc:"ahead, rad"`
	Thrust  spec.Out[float64]   `rcc:"outThrust" doc:"of the propellers by the mass, m/s²"`

	steepest float64 // tangent of MaxTilt
}

func (p *tilt) Init(*spec.Env) error {
	p.steepest = math.Tan(p.MaxTilt.V)
	return nil
}

var nan = math.NaN()

func incline(run []tilt, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		x, y, z := p.X.Or(cy, nan), p.Y.Or(cy, nan), max(p.Z.Or(cy, nan), p.MinUp.V)
		if math.IsNaN(x + y + z) {
			continue
		}
		if aside := math.Hypot(x, y); aside > z*p.steepest {
			x, y = x/aside*z*p.steepest, y/aside*z*p.steepest
		}
		thrust := math.Hypot(math.Hypot(x, y), z)
		p.Roll.Set(cy, math.Asin(-y/thrust))
		p.Pitch.Set(cy, math.Atan2(x, z))
		p.Thrust.Set(cy, thrust)
	}
}

var rollPitchThrust = spec.Declare(spec.Decl{
	Name: "QC::RollPitchT", Extension: extension, Doc: "how a quadcopter has to tilt, and its propellers have to push, for an acceleration seen from itself",
	Unrelated: "an angle and an acceleration are quantities of different kinds",
	Examples: []spec.Example{
		{Doc: "against gravity", In: series{"inX": {"0"}, "inY": {"0"}, "inZ": {"9.81"}}, Out: series{"outRoll": {"0"}, "outPitch": {"0"}, "outThrust": {"9.81"}}},
		{
			Doc: "ahead, and to the left", In: series{"inX": {"3", "0"}, "inY": {"0", "3"}, "inZ": {"4"}}, Params: params{"MaxTilt": "1"},
			Out: series{"outRoll": {"0", "-0.6435011087932844"}, "outPitch": {"0.6435011087932844", "0"}, "outThrust": {"5"}},
		},
		{
			Doc: "no further than it may tilt", In: series{"inX": {"1000"}, "inY": {"0"}, "inZ": {"10"}}, Params: params{"MaxTilt": "0.5"},
			Out: series{"outPitch": {"0.5"}, "outRoll": {"0"}},
		},
		{Doc: "never downwards", In: series{"inX": {"0"}, "inY": {"0"}, "inZ": {"-5"}}, Out: series{"outThrust": {"2"}}},
		{Doc: "not seen", In: series{"inY": {"0"}, "inZ": {"9.81"}}, Out: series{"outRoll": {"null"}, "outPitch": {"null"}, "outThrust": {"null"}}},
		{Doc: "lying on its side", Params: params{"MaxTilt": "1.6"}, Reject: "parameter MaxTilt"},
		{Doc: "falling", Params: params{"MinUp": "0"}, Reject: "parameter MinUp"},
	},
}, spec.Kernels[tilt]{Run: incline})
