package testkit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Allocations checks that no kernel allocates in an ordinary life: the loadable examples with all in ports connected.
func (k Kit) Allocations(t *testing.T) {
	for _, p := range k.Primitives {
		t.Run(p.Name, func(t *testing.T) {
			for _, e := range p.Examples {
				if e.Reject == "" {
					k.allocations(t, p, e)
				}
			}
		})
	}
}

func (k Kit) allocations(t *testing.T, p *spec.Primitive, e spec.Example) {
	t.Helper()
	r, err := k.rig(p, setup{instances: 4, period: 10 * time.Millisecond, params: e.Params, linked: func(string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	c := chaos{rand: rand.New(rand.NewPCG(1, 1)), rig: r}
	if n := alloc.Least(c.live); n != 0 {
		t.Errorf("example %q: %d allocations in %d cycles", e.Doc, n, lifetime)
	}
}

// Stress leads each primitive through many random lives: any parameters, NaN, null, infinities and extremes, gaps in its
// activity. Nothing may panic, and no kernel may allocate.
func (k Kit) Stress(t *testing.T, lives int) {
	for i, p := range k.Primitives {
		t.Run(p.Name, func(t *testing.T) {
			for seed := range lives {
				k.life(t, p, uint64(i), uint64(seed))
			}
		})
	}
}

// Fuzz lets the fuzzer choose the lives.
func (k Kit) Fuzz(f *testing.F) {
	f.Helper()
	for i := range k.Primitives {
		f.Add(uint64(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which, seed uint64) {
		k.life(t, k.Primitives[which%uint64(len(k.Primitives))], which, seed)
	})
}

// life is one random life.
func (k Kit) life(t *testing.T, p *spec.Primitive, seed1, seed2 uint64) {
	t.Helper()
	n, err := k.allocated(p, seed1, seed2)
	switch {
	case err != nil && err.Error() == "":
		t.Errorf("%s: an error without text", p.Name)
	case err == nil && n != 0:
		t.Errorf("%s: %d allocations in the cycles of life %d/%d", p.Name, n, seed1, seed2)
	}
}

// allocated counts the allocations of a life. As the runtime counts those of the whole process, the life is repeated.
func (k Kit) allocated(p *spec.Primitive, seed1, seed2 uint64) (n uint64, err error) {
	n = alloc.LeastOf(func() uint64 {
		var c *chaos
		if c, err = k.newChaos(p, rand.New(rand.NewPCG(seed1, seed2))); err != nil {
			return 0
		}
		return alloc.Count(c.live)
	})
	return n, err
}

// chaos feeds a rig at random.
type chaos struct {
	rand  *rand.Rand
	rig   *rig
	words [7 * longest]uint64 // of the longest array of frames
}

func (k Kit) newChaos(p *spec.Primitive, rnd *rand.Rand) (*chaos, error) {
	periods := []time.Duration{125 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, time.Second}
	s := setup{instances: 1 + rnd.IntN(3), period: periods[rnd.IntN(len(periods))], params: map[string]string{}}
	for i := range p.Params {
		randomParameter(s.params, p, &p.Params[i], rnd)
	}
	if len(p.Examples) > 0 && rnd.IntN(2) == 0 {
		s.params = p.Examples[rnd.IntN(len(p.Examples))].Params
	}
	s.linked = func(port string) bool { return p.In[p.InPort(port)].Required || rnd.IntN(4) > 0 }
	if rnd.IntN(4) == 0 {
		s.like = func(port *spec.Port) string { return repeated(port.Type, rnd.IntN(longest+1)) }
	}
	r, err := k.rig(p, s)
	return &chaos{rand: rnd, rig: r}, err
}

func randomParameter(params map[string]string, p *spec.Primitive, param *spec.Parameter, rnd *rand.Rand) {
	if !param.Required && rnd.IntN(3) == 0 {
		return
	}
	if text := randomText(param.Type, rnd); text != "" {
		params[param.Name] = text
	} else if e := p.Examples; len(e) > 0 {
		params[param.Name] = e[rnd.IntN(len(e))].Params[param.Name]
	}
}

// texts are the parameters that have gone wrong before.
var texts = map[value.Type][]string{
	value.TypeBool:   {"false", "true"},
	value.TypeInt:    {"0", "1", "-1", "7", "2147483647", "-2147483648"},
	value.TypeDouble: {"0", "1", "-1", "0.5", "2", "1e-9", "1e-300", "1e300", "nan", "+inf", "-inf"},
	value.TypeTime:   {"0", "1", "-1", "9223372036854775807", "-9223372036854775808"},
	value.TypeVector: {"{}", "{x:1}", "{x:1,y:-2,z:0.5}", "{x:1e300,y:1e300}", "{x:1e-300}", "{x:nan}", "{y:+inf,z:-inf}"},
	value.TypeRotation: {
		"{}", "{a:0.1,b:0.2,c:0.3}", "{b:1.5707963267948966}", "{a:3.141592653589793}", "{c:1e-20}", "{a:nan}", "{b:+inf}", "{a:1e300}",
	},
	value.TypeFrame:  {"{}", "{pos:{x:1},rot:{a:1}}", "{pos:{x:nan},rot:{a:nan}}", "{pos:{z:+inf},rot:{b:-1.5707963267948966}}"},
	value.TypeTwist:  {"{}", "{vel:{x:1},rot:{z:1}}", "{vel:{x:1e300},rot:{z:1e300}}", "{vel:{x:nan}}", "{rot:{x:+inf}}"},
	value.TypeWrench: {"{}", "{force:{x:1},torque:{z:1}}", "{force:{x:nan}}", "{torque:{x:+inf}}"},
	value.TypeMatrix: {"[]", "[[1]]", "[[1,0],[0,1]]", "[[1,2,3]]", "[[nan,+inf],[0,0]]"},
}

func randomText(t value.Type, rnd *rand.Rand) string {
	element, isArray := t.Element()
	if !isArray {
		if texts := texts[t]; len(texts) > 0 {
			return texts[rnd.IntN(len(texts))]
		}
		return ""
	}
	elements := make([]string, rnd.IntN(longest+1))
	for i := range elements {
		elements[i] = randomText(element, rnd)
	}
	return "[" + strings.Join(elements, ",") + "]"
}

// lifetime is the number of cycles in a life.
const lifetime = 60

func (c *chaos) live() {
	for range lifetime {
		c.cycle()
	}
}

// cycle is a cycle with random values, after one to many cycles in which the net did not run the primitive.
func (c *chaos) cycle() {
	c.rig.next()
	if c.rand.IntN(16) == 0 {
		c.rig.cy.N += c.rand.Uint64N(1000)
	}
	for _, cells := range c.rig.in {
		for i, cell := range cells {
			if cell != nil && c.rand.IntN(5) > 0 {
				c.fill(c.rig.primitive.In[i].Type)
				cell.SetWords(&c.rig.cy, c.words[:])
			}
		}
	}
	c.rig.cycle()
}

func (c *chaos) fill(t value.Type) {
	if element, isArray := t.Element(); isArray {
		t = element
	}
	for i := range c.words {
		switch t {
		case value.TypeBool:
			c.words[i] = c.rand.Uint64() & 1
		case value.TypeInt, value.TypeTime:
			c.words[i] = whole(c.rand)
		default:
			c.words[i] = math.Float64bits(number(c.rand))
		}
	}
}

func whole(rnd *rand.Rand) uint64 {
	extremes := [...]int64{0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
	switch rnd.IntN(3) {
	case 0:
		return uint64(extremes[rnd.IntN(len(extremes))])
	case 1:
		return uint64(rnd.IntN(200) - 100)
	default:
		return rnd.Uint64()
	}
}

func number(rnd *rand.Rand) float64 {
	extremes := [...]float64{
		0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1),
		math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e300,
	}
	switch rnd.IntN(3) {
	case 0:
		return extremes[rnd.IntN(len(extremes))]
	case 1:
		return rnd.NormFloat64()
	default:
		return math.Float64frombits(rnd.Uint64())
	}
}
