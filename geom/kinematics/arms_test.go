package kinematics_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

const degree = math.Pi / 180

// free returns a joint that turns without limits; the tables here are about places.
func free(name string) kinematics.Joint {
	return kinematics.Joint{Name: name, Min: math.Inf(-1), Max: math.Inf(1)}
}

// between returns a joint with a range, in rad.
func between(name string, least, most float64) kinematics.Joint {
	return kinematics.Joint{Name: name, Min: least, Max: most}
}

func must(c *kinematics.Chain, err error) *kinematics.Chain {
	if err != nil {
		panic(err)
	}
	return c
}

// kr has the table of KUKA's arms with six axes; A1, A4 and A6 turn negatively.
func kr(c1, a1, c2, a3, c3, c4 float64) *kinematics.Chain {
	return must(kinematics.Standard(geom.Frame{}, []kinematics.Row{
		{D: c1, A: a1, Alpha: -math.Pi / 2, Sign: -1, Joint: between("A1", -170*degree, 170*degree)},
		{A: c2, Joint: between("A2", -190*degree, 45*degree)},
		{Theta: math.Pi / 2, A: a3, Alpha: math.Pi / 2, Joint: between("A3", -120*degree, 156*degree)},
		{D: c3, Alpha: -math.Pi / 2, Sign: -1, Joint: between("A4", -185*degree, 185*degree)},
		{Alpha: math.Pi / 2, Joint: between("A5", -120*degree, 120*degree)},
		{D: c4, Sign: -1, Joint: between("A6", -350*degree, 350*degree)},
	}, geom.Frame{}))
}

func kr16() *kinematics.Chain    { return kr(0.675, 0.260, 0.680, 0.035, 0.670, 0.158) }
func kr6R900() *kinematics.Chain { return kr(0.400, 0.025, 0.455, -0.035, 0.420, 0.080) }

func lwr() *kinematics.Chain {
	var rows []kinematics.Row
	for i, alpha := range []float64{90, -90, -90, 90, 90, -90, 0} {
		limit := []float64{170, 120}[i%2] * degree
		rows = append(rows, kinematics.Row{
			D: []float64{0.3105, 0, 0.4, 0, 0.39, 0, 0.078}[i], Alpha: alpha * degree,
			Joint: between([]string{"A1", "A2", "E1", "A3", "A4", "A5", "A6"}[i], -limit, limit),
		})
	}
	return must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))
}

func tx90l() *kinematics.Chain {
	return must(kinematics.Standard(geom.Frame{}, []kinematics.Row{
		{D: 0.478, A: 0.050, Alpha: -math.Pi / 2, Joint: free("1")},
		{Theta: -math.Pi / 2, A: 0.5, Joint: free("2")},
		{Theta: math.Pi / 2, D: 0.050, Alpha: math.Pi / 2, Joint: free("3")},
		{D: 0.550, Alpha: -math.Pi / 2, Joint: free("4")},
		{Alpha: math.Pi / 2, Joint: free("5")},
		{D: 0.100, Joint: free("6")},
	}, geom.Frame{}))
}

// panda returns the table of Franka Emika, in Craig's form.
func panda() *kinematics.Chain {
	const r = math.Pi / 2
	return must(kinematics.Modified(geom.Frame{}, []kinematics.Row{
		{D: 0.333, Joint: between("1", -2.8973, 2.8973)},
		{Alpha: -r, Joint: between("2", -1.7628, 1.7628)},
		{Alpha: r, D: 0.316, Joint: between("3", -2.8973, 2.8973)},
		{Alpha: r, A: 0.0825, Joint: between("4", -3.0718, -0.0698)},
		{Alpha: -r, A: -0.0825, D: 0.384, Joint: between("5", -2.8973, 2.8973)},
		{Alpha: r, Joint: between("6", -0.0175, 3.7525)},
		{Alpha: r, A: 0.088, Joint: between("7", -2.8973, 2.8973)},
	}, geom.Frame{Pos: geom.Vector{Z: 0.107}}))
}

func ur5() *kinematics.Chain {
	var rows []kinematics.Row
	for i, alpha := range []float64{90, 0, 0, 90, -90, 0} {
		rows = append(rows, kinematics.Row{
			D: []float64{0.089159, 0, 0, 0.10915, 0.09465, 0.0823}[i], A: []float64{0, -0.425, -0.39225, 0, 0, 0}[i],
			Alpha: alpha * degree, Joint: between([]string{"1", "2", "3", "4", "5", "6"}[i], -2*math.Pi, 2*math.Pi),
		})
	}
	return must(kinematics.Standard(geom.Frame{}, rows, geom.Frame{}))
}

// TestCheckValues compares with poses that were computed from published models of the arms, with as many digits as they
// have.
func TestCheckValues(t *testing.T) {
	const digits = 0.6e-6
	tests := []struct {
		name  string
		chain *kinematics.Chain
		q     []float64 // deg
		at    geom.Vector
		rows  [][3]float64 // the first two of the rotation
	}{
		{"LWR", lwr(), []float64{0, 30, 0, 60, 0, 45, 0}, geom.Vector{X: -0.025188, Z: 1.070002}, nil},
		{
			"LWR", lwr(),
			[]float64{10, 20, 30, 40, 50, 60, 70},
			geom.Vector{X: -0.049808, Y: 0.068830, Z: 1.102093},
			[][3]float64{{-0.856945, -0.508821, 0.082137}, {0.354714, -0.697847, -0.622244}},
		},
		{"KR16", kr16(), []float64{0, -90, 90, 0, 0, 0}, geom.Vector{X: 1.088, Z: 1.320}, nil},
		{
			"KR16", kr16(),
			[]float64{10, -80, 70, 20, 30, 40},
			geom.Vector{X: 1.168828, Y: -0.233532, Z: 1.377198},
			[][3]float64{{-0.446748, -0.085504, 0.890564}, {-0.764968, 0.552698, -0.330679}},
		},
		{"KR6 R900", kr6R900(), []float64{0, -90, 90, 0, 0, 0}, geom.Vector{X: 0.525, Z: 0.890}, nil},
		{
			"KR6 R900", kr6R900(),
			[]float64{10, -80, 70, 20, 30, 40},
			geom.Vector{X: 0.575025, Y: -0.115284, Z: 0.930502},
			[][3]float64{{-0.446748, -0.085504, 0.890564}, {-0.764968, 0.552698, -0.330679}},
		},
		{"TX90L", tx90l(), []float64{0, 30, 60, 0, 30, 0}, geom.Vector{X: 0.936603, Y: 0.050, Z: 0.861013}, nil},
		{
			"TX90L", tx90l(),
			[]float64{10, 20, 30, 40, 50, 60},
			geom.Vector{X: 0.700983, Y: 0.224373, Z: 1.297744},
			[][3]float64{{-0.636562, 0.022716, 0.770891}, {0.771180, 0.029596, 0.635929}},
		},
		{"UR5", ur5(), []float64{0, 0, 0, 0, 0, 0}, geom.Vector{X: -0.81725, Y: -0.19145, Z: -0.005491}, nil},
		{"Panda", panda(), []float64{0, 0, 0, 0, 0, 0, 0}, geom.Vector{X: 0.088, Z: 0.926}, nil},
	}
	for _, tt := range tests {
		q := make([]float64, len(tt.q))
		for i := range q {
			q[i] = tt.q[i] * degree
		}
		f := tt.chain.Forward(q)
		if off := f.Pos.Sub(tt.at); max(math.Abs(off.X), math.Abs(off.Y), math.Abs(off.Z)) > digits {
			t.Errorf("%s at %v: %v", tt.name, tt.q, f.Pos)
		}
		m := f.Rot.Matrix()
		for r, row := range tt.rows {
			for i := range row {
				if math.Abs(row[i]-m[r][i]) > digits {
					t.Errorf("%s at %v: %v", tt.name, tt.q, m)
				}
			}
		}
	}
}

// youBot returns an arm with five axes, after the description of KUKA's youBot: one turns, three bend, one turns.
func youBot() *kinematics.Chain {
	y, z := geom.Vector{Y: 1}, geom.Vector{Z: 1}
	up := func(x, z float64) geom.Frame { return geom.Frame{Pos: geom.Vector{X: x, Z: z}} }
	return must(kinematics.New([]kinematics.Segment{
		{Before: up(0.024, 0.096), Axis: z.Neg(), Joint: between("1", -2.9496, 2.9496)},
		{Before: up(0.033, 0.019), Axis: y, Joint: between("2", -1.1344, 1.5708)},
		{Before: up(0, 0.155), Axis: y, Joint: between("3", -2.6354, 2.5482)},
		{Before: up(0, 0.135), Axis: y, Joint: between("4", -1.7890, 1.7890)},
		{Before: up(0, 0.1136), Axis: z.Neg(), Joint: between("5", -2.9234, 2.9234)},
	}, up(0, 0.05716)))
}
