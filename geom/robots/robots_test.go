package robots_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/geom/urdf"
)

const degree = math.Pi / 180

func find(t *testing.T, name string) *kinematics.Arm {
	t.Helper()
	r, err := robots.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Arm()
}

// random returns values within the limits, no further away from 0 than a turn.
func random(r *rand.Rand, c *kinematics.Chain) []float64 {
	q := make([]float64, c.Len())
	for i := range q {
		j := c.Joint(i)
		least, most := max(j.Min, -2*math.Pi), min(j.Max, 2*math.Pi)
		q[i] = least + r.Float64()*(most-least)
	}
	return q
}

// away returns the larger one of the differences in m and in rad.
func away(a, b geom.Frame) float64 {
	return max(a.Pos.Sub(b.Pos).Length(), a.Rot.To(b.Rot).Angle())
}

// TestDescriptions compares each table with a description in another form: every joint has the place and axis that the
// sources give it, in frames that lie elsewhere, and the limits are read from there too.
func TestDescriptions(t *testing.T) {
	tests := []struct{ file, name, tip string }{
		{"lwr4", "LWR4+", "flange"},
		{"kr6r900sixx", "KR6 R900 sixx", "flange"},
		{"kr16", "KR16-2", "flange"},
		{"kr210", "KR210 R2700-2", "flange"},
		{"youbot", "youBot", "link5"},
		{"tx90l", "TX90L", "link6"},
		{"ur5", "UR5", "flange"},
		{"panda", "Panda", "flange"},
		{"lwa", "LWA", "link7"},
		{"lwa4p", "LWA 4P", "link6"},
	}
	files, err := filepath.Glob("testdata/*.urdf")
	if err != nil || len(files) != len(tests) {
		t.Fatalf("%d descriptions, %d of them compared, %v", len(files), len(tests), err)
	}
	r := rand.New(rand.NewPCG(6, 1))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file+".urdf"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := urdf.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			described, err := m.Chain("base", tt.tip)
			if err != nil {
				t.Fatal(err)
			}
			table := find(t, tt.name)
			if table.Len() != described.Len() {
				t.Fatalf("%d joints in the table, %d in the description", table.Len(), described.Len())
			}
			for i := range table.Len() {
				a, b := table.Joint(i), described.Joint(i)
				b.Acceleration, b.Jerk = a.Acceleration, a.Jerk // which URDF does not know
				if !near(a, b) {
					t.Errorf("table: %+v\ndescription: %+v", a, b)
				}
			}
			for range 1000 {
				q := random(r, table.Chain)
				if d := away(table.Forward(q), described.Forward(q)); d > 1e-12 {
					t.Fatalf("%g away at %v", d, q)
				}
			}
		})
	}
}

// near compares joints except for rounding.
func near(a, b kinematics.Joint) bool {
	for _, v := range [][2]*float64{{&a.Min, &b.Min}, {&a.Max, &b.Max}, {&a.Velocity, &b.Velocity}} {
		if math.Abs(*v[0]-*v[1]) > 1e-14 {
			return false
		}
		*v[0] = *v[1]
	}
	return a == b
}

// TestCheckValues compares with poses that were computed from published models, with as many digits as they have.
func TestCheckValues(t *testing.T) {
	const digits = 0.6e-6
	turned := [][3]float64{{-0.446748, -0.085504, 0.890564}, {-0.764968, 0.552698, -0.330679}}
	home, bent := []float64{0, -90, 90, 0, 0, 0}, []float64{10, -80, 70, 20, 30, 40}
	tests := []struct {
		name string
		q    []float64 // deg
		at   geom.Vector
		rows [][3]float64 // the first two of the rotation
	}{
		{"LWR4+", []float64{0, 30, 0, 60, 0, 45, 0}, geom.Vector{X: -0.025188, Z: 1.070002}, nil},
		{
			"LWR4+",
			[]float64{10, 20, 30, 40, 50, 60, 70},
			geom.Vector{X: -0.049808, Y: 0.068830, Z: 1.102093},
			[][3]float64{{-0.856945, -0.508821, 0.082137}, {0.354714, -0.697847, -0.622244}},
		},
		{"KR16-2", home, geom.Vector{X: 1.088, Z: 1.320}, nil},
		{"KR16-2", bent, geom.Vector{X: 1.168828, Y: -0.233532, Z: 1.377198}, turned},
		{"KR6 R900 sixx", home, geom.Vector{X: 0.525, Z: 0.890}, nil},
		{"KR6 R900 sixx", bent, geom.Vector{X: 0.575025, Y: -0.115284, Z: 0.930502}, turned},
		{"KR6 R900-2", home, geom.Vector{X: 0.535, Z: 0.880}, nil},
		{"KR10 R1100 sixx", home, geom.Vector{X: 0.620, Z: 0.995}, nil},
		{"TX90L", []float64{0, 30, 60, 0, 30, 0}, geom.Vector{X: 0.936603, Y: 0.050, Z: 0.861013}, nil},
		{
			"TX90L",
			[]float64{10, 20, 30, 40, 50, 60},
			geom.Vector{X: 0.700983, Y: 0.224373, Z: 1.297744},
			[][3]float64{{-0.636562, 0.022716, 0.770891}, {0.771180, 0.029596, 0.635929}},
		},
	}
	for _, tt := range tests {
		q := make([]float64, len(tt.q))
		for i := range q {
			q[i] = tt.q[i] * degree
		}
		f := find(t, tt.name).Forward(q)
		if off := f.Pos.Sub(tt.at); max(math.Abs(off.X), math.Abs(off.Y), math.Abs(off.Z)) > digits {
			t.Errorf("%s at %v: %v, want %v", tt.name, tt.q, f.Pos, tt.at)
		}
		m := f.Rot.Matrix()
		for r, row := range tt.rows {
			for i := range row {
				if math.Abs(row[i]-m[r][i]) > digits {
					t.Errorf("%s at %v: %v, want rows %v", tt.name, tt.q, m, tt.rows)
				}
			}
		}
	}
}

// TestZero has poses that follow from the dimensions alone.
func TestZero(t *testing.T) {
	tests := []struct {
		name string
		at   geom.Vector
	}{
		{"LWR4+", geom.Vector{Z: 0.3105 + 0.400 + 0.390 + 0.078}},
		{"KR16-2", geom.Vector{X: 0.260 + 0.680 + 0.670 + 0.158, Z: 0.675 - 0.035}},
		{"KR6 R700 sixx", geom.Vector{X: 0.025 + 0.315 + 0.365 + 0.080, Z: 0.400 + 0.035}},
		{"KR210 R2700-2", geom.Vector{X: 0.330 + 1.150 + 1.220 + 0.215, Z: 0.645 + 0.115}},
		{"KR16-2 on linear unit", geom.Vector{X: 0.260 + 0.680 + 0.670 + 0.158, Z: 0.675 - 0.035}},
		{"TX90", geom.Vector{X: 0.050, Y: 0.050, Z: 0.478 + 0.425 + 0.425 + 0.100}},
		{"TX90L", geom.Vector{X: 0.050, Y: 0.050, Z: 0.478 + 0.500 + 0.550 + 0.100}},
		{"TX90XL", geom.Vector{X: 0.050, Y: 0.050, Z: 0.478 + 0.650 + 0.650 + 0.100}},
		{"UR5", geom.Vector{X: -0.425 - 0.39225, Y: -0.10915 - 0.0823, Z: 0.089159 - 0.09465}},
		{"Panda", geom.Vector{X: 0.088, Z: 0.333 + 0.316 + 0.384 - 0.107}},
		{"LWA", geom.Vector{Z: 0.250 + 0.408 + 0.3165 + 0.1927}},
		{"LWA 4P", geom.Vector{Z: 0.10 + 0.350 + 0.305}},
		{"Linear unit", geom.Vector{}},
	}
	for _, tt := range tests {
		arm := find(t, tt.name)
		if got := arm.Forward(make([]float64, arm.Len())).Pos; got.Sub(tt.at).Length() > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.at)
		}
	}
}

// TestJoints looks at what every model says of its joints.
func TestJoints(t *testing.T) {
	for _, r := range robots.All() {
		arm, names := r.Arm(), map[string]bool{}
		for i := range arm.Len() {
			j := arm.Joint(i)
			if !(j.Min < j.Max) || math.IsInf(j.Min, 0) || math.IsInf(j.Max, 0) || j.Max-j.Min > 4*math.Pi+1e-9 {
				t.Errorf("%s: range of %+v", r.Name, j)
			}
			if !(j.Velocity > 0.5 && j.Acceleration >= 2*j.Velocity && j.Jerk >= 2*j.Acceleration) {
				t.Errorf("%s: speed of %+v", r.Name, j)
			}
			if j.Name == "" || names[j.Name] {
				t.Errorf("%s: joint %q has no name of its own", r.Name, j.Name)
			}
			names[j.Name] = true
		}
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name                    string
		joint                   int
		least, most, speed, acc float64 // deg
	}{
		{"KR16-2", 1, -155, 35, 156, 780},
		{"KR6 R900-2", 4, -120, 120, 450, 2250},
		{"KR10 R1100 sixx", 5, -350, 350, 492, 2460},
		{"LWR4+", 2, -170, 170, 100, 500},
		{"TX90L", 4, -115, 140, 475, 2375},
		{"Panda", 3, -3.0718 / degree, -0.0698 / degree, 2.175 / degree, 12.5 / degree},
	}
	for _, tt := range tests {
		j := find(t, tt.name).Joint(tt.joint)
		for _, v := range [][2]float64{{j.Min, tt.least}, {j.Max, tt.most}, {j.Velocity, tt.speed}, {j.Acceleration, tt.acc}} {
			if math.Abs(v[0]-v[1]*degree) > 1e-9 {
				t.Errorf("%s: %+v", tt.name, j)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"KR16-2", "kr 16-2", "KR16", "LWR", "lwr4", "LWR4+", "UR5", "ur-5", "Panda", "KR210", "youbot", "TX90 L"} {
		if _, err := robots.Find(name); err != nil {
			t.Error(err)
		}
	}
	_, err := robots.Find("KR17" + strings.Repeat("x", 1000))
	if err == nil || !strings.Contains(err.Error(), "LWR4+, KR6 R700 sixx") || len(err.Error()) > 400 {
		t.Errorf("%v", err)
	}
	if _, err := robots.Find(""); err == nil {
		t.Error("a robot without name")
	}
}

// TestNames looks that every model can be found, and by nothing that is another one's name.
func TestNames(t *testing.T) {
	for _, r := range robots.All() {
		if found, err := robots.Find(r.Name); err != nil || found.Name != r.Name {
			t.Errorf("%s: found %s, %v", r.Name, found.Name, err)
		}
		if r.Description == "" || len(r.Sources) == 0 && r.Name != "Linear unit" || r.Assumed == "" && r.Name != "Panda" {
			t.Errorf("%s does not say where it is from", r.Name)
		}
	}
}

// TestOnLinearUnit carries every model along some direction.
func TestOnLinearUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for _, robot := range robots.All() {
		if robot.Name == "Linear unit" || robot.Name == "KR16-2 on linear unit" {
			continue
		}
		arm := robot.Arm()
		direction := geom.Vector{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		carried, err := robot.OnLinearUnit(direction, kinematics.Joint{Name: "E1", Min: -3, Max: 3})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			q := random(r, carried.Chain)
			want := geom.Frame{Pos: direction.Unit().Scale(q[0])}.Mul(arm.Forward(q[1:]))
			if d := away(carried.Forward(q), want); d > 1e-12 {
				t.Errorf("%s: %g away", robot.Name, d)
			}
		}
	}
}

func TestLinearUnitsAreRefused(t *testing.T) {
	if _, err := robots.LinearUnit(geom.Vector{}, kinematics.Joint{Min: 0, Max: 1}); err == nil {
		t.Error("a linear unit without direction")
	}
	if _, err := robots.LinearUnit(geom.Vector{X: 1}, kinematics.Joint{Min: 1, Max: 1}); err == nil {
		t.Error("a linear unit without travel")
	}
}

// poses returns how many random poses each arm solves; RCCD_STEPS sets another number.
func poses(t *testing.T) int {
	t.Helper()
	text := os.Getenv("RCCD_STEPS")
	if text == "" {
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRoundTrips lets the solver of every model find joints for poses that it reaches, half of them from a hint anywhere
// else. From there a numeric search may miss what there is, but seldom.
func TestRoundTrips(t *testing.T) {
	for _, robot := range robots.All() {
		t.Run(robot.Name, func(t *testing.T) {
			arm := robot.Arm()
			_, search := arm.Solver.(*kinematics.Numeric)
			r := rand.New(rand.NewPCG(6, 3))
			joints, missed := make([]float64, arm.Len()), 0
			for n := range poses(t) {
				q, hint := random(r, arm.Chain), random(r, arm.Chain)
				near := n%2 == 0
				if near {
					for i := range hint {
						hint[i] = q[i] + 0.2*r.NormFloat64()
					}
				}
				to := arm.Forward(q)
				if s := arm.Nearest(&to, hint, joints); !s.Good() {
					if missed++; near || !search || missed > 5+poses(t)/100 {
						t.Fatalf("%v for joints %v, hint %v", s, q, hint)
					}
					continue
				}
				if d := away(arm.Forward(joints), to); d > 1e-9 {
					t.Fatalf("%g away: joints %v, found %v", d, q, joints)
				}
				if !arm.Within(joints) {
					t.Fatalf("found %v, which is beyond limits", joints)
				}
			}
		})
	}
}

// TestSolvers names the solver of each model.
func TestSolvers(t *testing.T) {
	special := map[string]string{
		"LWR4+": "*kinematics.SRS", "LWA": "*kinematics.SRS", "UR5": "*kinematics.UR",
		"KR16-2 on linear unit": "*kinematics.Numeric", "youBot": "*kinematics.Numeric",
		"Panda": "*kinematics.Numeric", "Linear unit": "*kinematics.Numeric",
	}
	for _, robot := range robots.All() {
		want := cmp.Or(special[robot.Name], "*kinematics.Wrist")
		if got := fmt.Sprintf("%T", robot.Arm().Solver); got != want {
			t.Errorf("%s: %s, want %s", robot.Name, got, want)
		}
	}
}

// TestConstructors compares what functions make with what is found by name.
func TestConstructors(t *testing.T) {
	made := map[string]*kinematics.Arm{
		"LWR4+": robots.LWR4(), "KR6 R700 sixx": robots.KR6R700Sixx(), "KR6 R900 sixx": robots.KR6R900Sixx(),
		"KR6 R900-2": robots.KR6R900(), "KR10 R1100 sixx": robots.KR10R1100Sixx(), "KR16-2": robots.KR16(),
		"KR16-2 on linear unit": robots.KR16OnLinearUnit(), "KR210 R2700-2": robots.KR210(), "youBot": robots.YouBot(),
		"TX90": robots.TX90(), "TX90L": robots.TX90L(), "TX90XL": robots.TX90XL(), "UR5": robots.UR5(),
		"Panda": robots.Panda(), "LWA": robots.LWA(), "LWA 4P": robots.LWA4P(), "Linear unit": robots.Linear(),
	}
	for _, robot := range robots.All() {
		arm := made[robot.Name]
		if arm == nil {
			t.Errorf("nothing makes %s", robot.Name)
			continue
		}
		q := make([]float64, arm.Len())
		for i := range q {
			q[i] = 0.1 * float64(i+1)
		}
		if arm.Joint(0) != robot.Arm().Joint(0) || arm.Forward(q) != robot.Arm().Forward(q) {
			t.Errorf("%s is made of something else", robot.Name)
		}
	}
	if len(made) != len(robots.All()) {
		t.Errorf("%d models, %d of them made", len(robots.All()), len(made))
	}
}
