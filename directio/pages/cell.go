package pages

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"net/http"
	"strconv"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages/legible"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// cellView is what one sees of the cell: devices with joints and where they are, what drives, and what the nets that run say.
// Its page asks for it again and again, so that the newest picture is all that is ever on its way.
type cellView struct {
	XMLName xml.Name    `xml:"cell" json:"-"`
	Arms    []armView   `xml:"arm" json:"arms"`
	Bases   []baseView  `xml:"base" json:"bases"`
	Frames  []frameView `xml:"frame" json:"frames,omitempty"` // of workpieces and the like
	Nets    []cellNet   `xml:"net" json:"nets"`               // that run
	Program string      `xml:"-" json:"-"`                    // that moves it, for people
	Pause   string      `xml:"-" json:"pause,omitempty"`      // why the program does not go on
}

// baseView is a device that drives: where it is on the floor, and how it drives seen from itself, in m, rad and s.
type baseView struct {
	URI   string   `xml:"uri,attr" json:"uri"`
	Name  string   `xml:"name,attr" json:"name"`
	State string   `xml:"state,attr" json:"state"`
	Cause string   `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	X     quantity `xml:"x,attr" json:"x"`
	Y     quantity `xml:"y,attr" json:"y"`
	A     quantity `xml:"a,attr" json:"a"`
	VX    quantity `xml:"vx,attr" json:"vx"`
	VY    quantity `xml:"vy,attr" json:"vy"`
	VA    quantity `xml:"va,attr" json:"va"`
}

func baseViewOf(b *rcc.Base) baseView {
	yaw, _, _ := b.Pos.Rot.ABC()
	v := b.Measured
	return baseView{
		facts.DeviceURI(b.Name), b.Name, b.State.String(), b.Cause, drawn(b.Pos.Pos.X), drawn(b.Pos.Pos.Y), drawn(yaw), drawn(v.Vel.X), drawn(v.Vel.Y), drawn(v.Rot.Z),
	}
}

// XText and similar methods return texts for people.
func (b baseView) XText() string { return jointView{Unit: "m"}.people(b.X) }
func (b baseView) YText() string { return jointView{Unit: "m"}.people(b.Y) }
func (b baseView) AText() string { return jointView{Unit: "rad"}.people(b.A) }

// armView is a device with joints. Those whose kinematics are known can be drawn.
type armView struct {
	URI    string      `xml:"uri,attr" json:"uri"`
	Name   string      `xml:"name,attr" json:"name"`
	State  string      `xml:"state,attr" json:"state"`
	Cause  string      `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	Joints []jointView `xml:"joint" json:"joints"`
	Axes   []axisView  `xml:"axis" json:"axes,omitempty"` // from base to flange
	Flange *placeView  `xml:"flange" json:"flange,omitempty"`
	Place  placeView   `xml:"place" json:"place"` // of its base in the cell

	Pushable bool `xml:"-" json:"pushable,omitempty"` // at its page forces
}

// jointView is a joint, in rad or m as its unit says.
type jointView struct {
	Name      string   `xml:"name,attr" json:"name"`
	Unit      string   `xml:"unit,attr" json:"unit"`
	Min       quantity `xml:"min,attr" json:"min"`
	Max       quantity `xml:"max,attr" json:"max"`
	Measured  quantity `xml:"measured,attr" json:"measured"`
	Commanded quantity `xml:"commanded,attr" json:"commanded"`
	Fault     string   `xml:"fault,attr,omitempty" json:"fault,omitempty"`
}

// axisView is the axis of a joint: a point, and the direction in which it turns or slides positively.
type axisView struct {
	X  quantity `xml:"x,attr" json:"x"`
	Y  quantity `xml:"y,attr" json:"y"`
	Z  quantity `xml:"z,attr" json:"z"`
	DX quantity `xml:"dx,attr" json:"dx"`
	DY quantity `xml:"dy,attr" json:"dy"`
	DZ quantity `xml:"dz,attr" json:"dz"`
}

// placeView is a pose, with angles as ports have them. Flanges are seen from the base of their arm.
type placeView struct {
	X quantity `xml:"x,attr" json:"x"`
	Y quantity `xml:"y,attr" json:"y"`
	Z quantity `xml:"z,attr" json:"z"`
	A quantity `xml:"a,attr" json:"a"`
	B quantity `xml:"b,attr" json:"b"`
	C quantity `xml:"c,attr" json:"c"`
}

// frameView is a frame that belongs to no device: where it is in the cell, and the device from whose base it was measured.
type frameView struct {
	Name  string    `xml:"name,attr" json:"name"`
	Of    string    `xml:"of,attr,omitempty" json:"of,omitempty"`
	Place placeView `xml:"place" json:"place"`
}

// cellNet is a net that runs.
type cellNet struct {
	URI         string    `xml:"uri,attr" json:"uri"`
	Name        string    `xml:"name,attr" json:"name"`
	State       string    `xml:"status,attr" json:"state"`
	Description string    `xml:"desc,attr" json:"description"`
	Values      keyValues `xml:"data" json:"values"`
	Tick        *tickView `xml:"tick" json:"tick,omitempty"` // of the values
}

// quantity is a value of the cell; what is no number is null in JSON.
type quantity float64

// MarshalText writes the number as on ports.
func (n quantity) MarshalText() ([]byte, error) { return value.Double.Append(nil, float64(n)), nil }

// MarshalJSON writes the number.
func (n quantity) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func showCell(x *exchange) error { return x.show(http.StatusOK, "cell", x.cellView()) }

func (x *exchange) cellView() cellView {
	view := cellView{Arms: []armView{}, Bases: []baseView{}, Nets: []cellNet{}, Program: x.opt.Program}
	if x.opt.Pause != nil {
		view.Pause = x.opt.Pause()
	}
	for _, a := range x.core.Cell.Arms() {
		view.Arms = append(view.Arms, armViewOf(a))
	}
	for _, b := range x.core.Cell.Bases() {
		view.Bases = append(view.Bases, baseViewOf(&b))
	}
	for _, f := range x.core.Cell.Frames() {
		view.Frames = append(view.Frames, frameView{f.Name, f.Of, placeOf(&f.At)})
	}
	for _, n := range x.core.Nets.All() {
		if n.State().Active() {
			one := cellNet{URI: facts.NetURI(n.Name()), Name: n.Name(), State: n.State().String(), Description: n.Description()}
			one.Values, one.Tick = publishedAt(n)
			view.Nets = append(view.Nets, one)
		}
	}
	return view
}

func armViewOf(a rcc.Arm) armView {
	view := armView{URI: facts.DeviceURI(a.Name), Name: a.Name, State: a.State.String(), Cause: a.Cause, Joints: []jointView{}, Place: placeOf(&a.Place), Pushable: a.Pushable}
	for _, j := range a.Joints {
		one := jointView{
			Name: j.Name, Unit: j.Unit, Min: quantity(j.Min), Max: quantity(j.Max),
			Measured: quantity(j.Measured.Pos), Commanded: quantity(j.Commanded.Pos),
		}
		if j.Fault != 0 {
			one.Fault = j.Fault.String()
		}
		view.Joints = append(view.Joints, one)
	}
	for _, axis := range a.Axes {
		p, d := axis.Point, axis.Direction
		view.Axes = append(view.Axes, axisView{drawn(p.X), drawn(p.Y), drawn(p.Z), drawn(d.X), drawn(d.Y), drawn(d.Z)})
	}
	if a.Axes != nil {
		flange := placeOf(&a.Flange)
		view.Flange = &flange
	}
	return view
}

func placeOf(f *geom.Frame) placeView {
	p := f.Pos
	yaw, pitch, roll := f.Rot.ABC()
	return placeView{drawn(p.X), drawn(p.Y), drawn(p.Z), drawn(yaw), drawn(pitch), drawn(roll)}
}

// drawn returns a number for a picture: micrometres are fine enough.
func drawn(v float64) quantity { return quantity(math.Round(v*1e6)/1e6 + 0) }

// Limited reports whether the limits of the joint are known.
func (j jointView) Limited() bool { return j.Min < j.Max && !math.IsInf(float64(j.Max-j.Min), 0) }

// Share returns the place of a value within the limits, from 0 to 100, for bars.
func (j jointView) Share(v quantity) string {
	share := 100 * float64((v-j.Min)/(j.Max-j.Min))
	return strconv.FormatFloat(min(max(share, 0), 100), 'f', 2, 64)
}

// Mark returns the beginning of the mark of the commanded position, which is one wide and never outside.
func (j jointView) Mark() string {
	return strconv.FormatFloat(min(max(99*float64((j.Commanded-j.Min)/(j.Max-j.Min)), 0), 99), 'f', 2, 64)
}

// Rest returns the beginning of a bar: 0, or if that is beyond the limits, the limit nearest to it.
func (j jointView) Rest() quantity { return min(max(0, j.Min), j.Max) }

// For people angles are in degrees.
func (j jointView) people(v quantity) string {
	switch j.Unit {
	case "rad":
		return legible.Fixed(float64(v)*180/math.Pi, 1) + "°"
	case "m":
		return legible.Fixed(float64(v), 3) + " m"
	}
	return legible.Fixed(float64(v), 3)
}

// MeasuredText and similar methods return texts for people.
func (j jointView) MeasuredText() string  { return j.people(j.Measured) }
func (j jointView) CommandedText() string { return j.people(j.Commanded) }
func (j jointView) RangeText() string     { return j.people(j.Min) + " to " + j.people(j.Max) }

// BarX and BarWidth return the bar of the measured position.
func (j jointView) BarX() string { return j.Share(min(j.Measured, j.Rest())) }

func (j jointView) BarWidth() string {
	low, high := min(j.Measured, j.Rest()), max(j.Measured, j.Rest())
	return strconv.FormatFloat(min(max(100*float64((high-low)/(j.Max-j.Min)), 0), 100), 'f', 2, 64)
}
