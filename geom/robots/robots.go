package robots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// Robot is a built-in model.
type Robot struct {
	Name        string
	Description string
	Sources     []string // of the numbers
	Assumed     string   // what is not published
	also        []string // other names

	unit     *unit // carries the arm; nil if it stands still
	base     geom.Frame
	modified bool // the form of the table: Craig's; otherwise that of Denavit and Hartenberg
	rows     []kinematics.Row
	tool     geom.Frame
}

// Arm makes an arm of the model. It does not change, and may be used by several goroutines at the same time.
func (r *Robot) Arm() *kinematics.Arm {
	arm, err := r.make()
	if err != nil {
		panic(fmt.Sprintf("model %s: %v", r.Name, err)) // a test makes them all
	}
	return arm
}

func (r *Robot) make() (*kinematics.Arm, error) {
	c, err := r.chain()
	if err != nil {
		return nil, err
	}
	return kinematics.ArmOf(c)
}

func (r *Robot) chain() (*kinematics.Chain, error) {
	switch {
	case r.unit != nil:
		return r.carried()
	case r.modified:
		return kinematics.Modified(r.base, r.rows, r.tool)
	}
	return kinematics.Standard(r.base, r.rows, r.tool)
}

// All returns the models, those of a maker side by side.
func All() []Robot { return slices.Clone(all) }

// Find returns the model of a name. Upper and lower case, blanks and punctuation make no difference.
func Find(name string) (Robot, error) {
	for _, r := range all {
		if slices.ContainsFunc(append(r.also, r.Name), func(n string) bool { return plain(n) == plain(name) }) {
			return r, nil
		}
	}
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Name
	}
	return Robot{}, fmt.Errorf("unknown robot %.40q; known are %s", name, strings.Join(names, ", "))
}

// plain leaves letters and digits of a name.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

const (
	degree  = math.Pi / 180
	quarter = math.Pi / 2

	assumed = "accelerations and jerks"
)

// axis is what a table of limits says of a joint: range and velocity in rad, effort in Nm, 0 if not known.
type axis struct {
	name                       string
	least, most, speed, effort float64
}

// degrees converts a table.
func degrees(axes []axis) []axis {
	for i := range axes {
		a := &axes[i]
		a.least, a.most, a.speed = a.least*degree, a.most*degree, a.speed*degree
	}
	return axes
}

// joint has the accelerations and jerks that are assumed where none are known (doc.go).
func (a axis) joint() kinematics.Joint {
	return cautious(kinematics.Joint{Name: a.name, Min: a.least, Max: a.most, Velocity: a.speed, Effort: a.effort})
}

func cautious(j kinematics.Joint) kinematics.Joint {
	j.Acceleration = j.Velocity / 0.2
	j.Jerk = j.Acceleration / 0.1
	return j
}

// with puts limits into the rows of a table.
func with(axes []axis, rows []kinematics.Row) []kinematics.Row {
	for i := range rows {
		rows[i].Joint = axes[i].joint()
	}
	return rows
}

var all = []Robot{
	lwr4, kr6R700Sixx, kr6R900Sixx, kr6R900, kr10R1100Sixx, kr16, kr16OnLinear, kr210, youBot,
	tx90, tx90L, tx90XL, ur5, panda, lwa, lwa4P, linear,
}
