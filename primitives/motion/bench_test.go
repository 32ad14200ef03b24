package motion_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit"
)

// BenchmarkCycle is what a primitive takes in a cycle: generators with a goal that is another one in each, profiles and paths on
// their way.
func BenchmarkCycle(b *testing.B) {
	six := map[string]string{"Size": "6", "MaxVel": "[1,1,1,1,1,1]", "MaxAcc": "[2,2,2,2,2,2]", "MaxJerk": "[20,20,20,20,20,20]"}
	b.Run("OTG", func(b *testing.B) {
		p := ports{kit.Single(b, "Motion::OTG", period, nil, "inDestPos"), b}
		goal, n := p.in("inDestPos"), 0.0
		for b.Loop() {
			n++
			p.Next()
			goal.Set(p.Cy, 1+1e-6*n)
			p.Phases()
		}
	})
	b.Run("SyncOTG6", func(b *testing.B) {
		p := ports{kit.Single(b, "Motion::SyncOTG", period, six, "inDestPos"), b}
		goal, n := testkit.In[[]float64](b, p.Single, "inDestPos"), 0.0
		goal.V = make([]float64, 6)
		for b.Loop() {
			n++
			p.Next()
			for k := range goal.V {
				goal.V[k] = float64(k) + 1e-6*n
			}
			goal.Touch(p.Cy)
			p.Phases()
		}
	})
	for name, params := range map[string]map[string]string{
		"DoubleS": {"To": "1e6"},
		"PTP":     {"From": "[0,0,0,0,0,0]", "To": "[1e6,2e6,3e6,4e6,5e6,6e6]", "MaxVel": six["MaxVel"], "MaxAcc": six["MaxAcc"], "MaxJerk": six["MaxJerk"]},
		"Spline":  {"Via": "[{},{pos:{x:1,y:1},rot:{a:0.5}},{pos:{x:2}},{pos:{x:3,z:1}}]", "Duration": "1e6"},
	} {
		b.Run(name, func(b *testing.B) {
			p := kit.Single(b, "Motion::"+name, period, params)
			for b.Loop() {
				p.Next()
				p.Phases()
			}
		})
	}
	b.Run("JointLimitMonitor6", func(b *testing.B) {
		p := ports{kit.Single(b, "Motion::JointLimitMonitor", period, six, "inValues"), b}
		values := testkit.In[[]float64](b, p.Single, "inValues")
		values.V = make([]float64, 6)
		for b.Loop() {
			p.Next()
			values.Touch(p.Cy)
			p.Phases()
		}
	})
}
