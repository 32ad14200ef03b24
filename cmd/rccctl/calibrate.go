package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/calibrate"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// Things that can be calibrated.
const (
	calibrateFrame = "frame"
	calibrateTool  = "tool"
	calibrateBase  = "base"
)

// calibration is what a command line asks for.
type calibration struct {
	kind    string
	file    string // with the measurements; empty to measure now
	arm, in string
	name    string
	save    string
	write   string
	force   bool
	asJSON  bool
}

func (s streams) calibrateCommand() cli.Command {
	return cli.Command{
		Name: "calibrate", Synopsis: "frame | tool | base [FILE] [--arm NAME] [--in NAME] [--name NAME] [--write CELL] [--force] [--save FILE] [--json]",
		Doc: "the frame of a workpiece, the tip of a tool or the base of an arm, from points and poses in a file or of the running cell",
		Examples: []string{
			"rccctl calibrate frame corners.csv --arm left --name tray --write cell.yaml",
			"rccctl calibrate tool --arm left --save poses.csv    # touch one point from at least four sides",
			"rccctl calibrate base common.csv --arm right --in left --write cell.yaml",
		},
		Args: []string{kindCalibration, kindFile}, Least: 1, Most: 2, Missing: "what to calibrate is missing: frame, tool or base",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon := s.clientFlag(set)
			c := new(calibration)
			set.StringVar(&c.arm, "arm", "", "`name` of the arm that measures, and for base of the one whose base is looked for")
			set.StringVar(&c.in, "in", "", "for base: `name` of the arm that the base is seen from; the cell when not given")
			set.StringVar(&c.name, "name", "", "`name` of the frame in the configuration")
			set.StringVar(&c.save, "save", "", "`file` into which measurements of the running cell are written")
			set.StringVar(&c.write, "write", "", "configuration `file` into which the result is written; none by default")
			set.BoolVar(&c.force, "force", false, "replace what the configuration has there")
			set.BoolVar(&c.asJSON, "json", false, "for programs")
			return func(args []string) int {
				c.kind = args[0]
				if len(args) > 1 {
					c.file = args[1]
				}
				if err := c.check(); err != nil {
					return s.refuse(usage, err)
				}
				return s.calibrate(daemon, c)
			}
		},
	}
}

// check refuses command lines without sense before anything is measured.
func (c *calibration) check() error {
	switch {
	case c.kind != calibrateFrame && c.kind != calibrateTool && c.kind != calibrateBase:
		return fmt.Errorf("%q is not frame, tool or base", c.kind)
	case c.file == "" && c.arm == "":
		return errors.New("measurements are missing: a file with them, or --arm NAME to measure with an arm of the running cell")
	case c.file == "" && c.kind == calibrateBase && c.in == "":
		return errors.New("--in NAME is missing: the other arm, whose tool touches the same points")
	case c.in != "" && c.kind != calibrateBase:
		return errors.New("--in is only for base")
	case c.in != "" && c.in == c.arm:
		return fmt.Errorf("--in %s: an arm cannot be its own reference", c.in)
	case c.file != "" && c.save != "":
		return errors.New("--save is for measurements of the running cell, and these come from a file")
	case c.write == "":
		return nil
	case c.kind == calibrateFrame && c.name == "":
		return errors.New("--name is missing: the name of the frame in the configuration")
	case c.kind != calibrateFrame && c.arm == "":
		return errors.New("--arm is missing: the device whose entry of the configuration is written")
	}
	return nil
}

// result is what a calibration has found.
type result struct {
	Kind        string    `json:"kind"`
	Of          string    `json:"of,omitempty"` // device that the frame is seen from
	Frame       frameJSON `json:"frame"`
	Touched     *xyzJSON  `json:"touched,omitempty"` // by the tip of a tool
	Residuals   []float64 `json:"residuals"`         // m
	RMS         float64   `json:"rms"`               // m
	Turns       []float64 `json:"turns,omitempty"`   // rad
	Condition   float64   `json:"condition,omitempty"`
	Position    *float64  `json:"positionDeviation,omitempty"`    // m
	Orientation *float64  `json:"orientationDeviation,omitempty"` // rad

	frame  geom.Frame
	missed bool // there are no residuals
}

type xyzJSON struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

type frameJSON struct {
	xyzJSON
	A float64 `json:"a"`
	B float64 `json:"b"`
	C float64 `json:"c"`
}

func (s streams) calibrate(daemon *client, c *calibration) int {
	var list []measurement
	var err error
	if c.file == "" {
		list, err = s.measure(daemon, c)
	} else {
		list, err = s.readMeasurements(c.file)
	}
	if err != nil {
		return s.refuseMeasuring(err)
	}
	r, err := c.solve(list)
	if err != nil {
		return s.refuse(failed, fmt.Errorf("%s: %w", c.source(), err))
	}
	edit, text, err := c.edit(r)
	if err != nil {
		return s.refuse(failed, err)
	}
	if c.asJSON {
		err = writeJSON(s.out, r)
	} else {
		err = r.show(s.out)
	}
	if err != nil {
		return s.answer(err)
	}
	if c.write != "" {
		if err = replaceFile(c.write, text); err != nil {
			return s.refuse(failed, err)
		}
	}
	if c.asJSON || edit == nil {
		return done
	}
	verb := "would write"
	if c.write != "" {
		verb = printable(c.write) + ": wrote"
	}
	_, err = fmt.Fprintf(s.out, "\n%s %s of %q: %s\n", verb, edit.Key, edit.Name, edit.Value)
	return s.answer(err)
}

// source returns where measurements come from, for errors.
func (c *calibration) source() string {
	if c.file == "" {
		return c.kind
	}
	return shownAs(c.file)
}

// refuseMeasuring ends a command without measurements: a file that cannot be read is wrong usage.
func (s streams) refuseMeasuring(err error) int {
	if errors.As(err, new(*unreachable)) || errors.As(err, new(*refusal)) {
		return s.refuseCall(err)
	}
	return s.refuse(usage, err)
}

func (c *calibration) solve(list []measurement) (*result, error) {
	switch c.kind {
	case calibrateTool:
		return solveTool(list)
	case calibrateFrame:
		if len(list) > 0 && !list[0].hasKnown() {
			return c.solveThree(list)
		}
	}
	if len(list) > 0 && list[0].turned() && list[0].knownTurned() {
		return c.solvePoses(list)
	}
	return c.solvePoints(list)
}

func (c *calibration) seenFrom() string {
	if c.kind == calibrateBase {
		return c.in
	}
	return c.arm
}

func (c *calibration) solveThree(list []measurement) (*result, error) {
	if c.kind == calibrateFrame && len(list) != 3 {
		return nil, fmt.Errorf("%d points: without known_x, known_y, known_z there must be three, the origin, one on x and one in the xy plane", len(list))
	}
	f, err := calibrate.Three(list[0].pos(), list[1].pos(), list[2].pos())
	if err != nil {
		return nil, err
	}
	r := &result{Kind: c.kind, Of: c.seenFrom(), Residuals: []float64{}, missed: true}
	r.set(f)
	return r, nil
}

func (c *calibration) solvePoints(list []measurement) (*result, error) {
	var pairs []calibrate.Pair
	for _, m := range list {
		if !m.hasKnown() {
			return nil, errors.New("columns known_x, known_y and known_z are missing: the points as the other arm measured them")
		}
		pairs = append(pairs, calibrate.Pair{Known: m.knownPos(), Measured: m.pos()})
	}
	f, q, err := calibrate.Points(pairs)
	if err != nil {
		return nil, err
	}
	r := &result{Kind: c.kind, Of: c.seenFrom()}
	r.set(f)
	r.judge(q)
	return r, nil
}

func (c *calibration) solvePoses(list []measurement) (*result, error) {
	var pairs []calibrate.PosePair
	for _, m := range list {
		pairs = append(pairs, calibrate.PosePair{Known: m.knownFrame(), Measured: m.frame()})
	}
	f, q, turns, err := calibrate.Poses(pairs)
	if err != nil {
		return nil, err
	}
	r := &result{Kind: c.kind, Of: c.seenFrom(), Turns: turns.Residuals}
	r.set(f)
	r.judge(q)
	return r, nil
}

func solveTool(list []measurement) (*result, error) {
	var flanges []geom.Frame
	for _, m := range list {
		if !m.turned() {
			return nil, errors.New("columns a, b and c are missing: a tool needs poses of the flange")
		}
		flanges = append(flanges, m.frame())
	}
	tip, q, err := calibrate.Tool(flanges)
	if err != nil {
		return nil, err
	}
	r := &result{Kind: calibrateTool, Touched: &xyzJSON{rounded(tip.Touched.X), rounded(tip.Touched.Y), rounded(tip.Touched.Z)}}
	r.set(geom.Frame{Pos: tip.Tip})
	r.judge(q)
	return r, nil
}

// rounded returns a number to a nanometre, which is far below what is measured.
func rounded(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }

func (r *result) set(f geom.Frame) {
	r.frame = f
	a, b, c := f.Rot.ABC()
	r.Frame = frameJSON{xyzJSON{rounded(f.Pos.X), rounded(f.Pos.Y), rounded(f.Pos.Z)}, rounded(a), rounded(b), rounded(c)}
}

func (r *result) judge(q calibrate.Quality) {
	r.Residuals, r.RMS, r.Condition = q.Residuals, q.RMS, q.Condition
	for _, v := range []struct {
		from float64
		to   **float64
	}{{q.Position, &r.Position}, {q.Orientation, &r.Orientation}} {
		if !math.IsNaN(v.from) {
			*v.to = &v.from
		}
	}
}

// show writes a result for people. Residuals are in the order of the measurements.
func (r *result) show(w io.Writer) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
	f := r.Frame
	rows := [][]string{
		{"position, m", "x", number(f.X), "y", number(f.Y), "z", number(f.Z)},
		{"orientation, rad", "a", number(f.A), "b", number(f.B), "c", number(f.C)},
	}
	if r.Kind == calibrateTool {
		rows[1] = []string{"touched, m", "x", number(r.Touched.X), "y", number(r.Touched.Y), "z", number(r.Touched.Z)}
	}
	if err := table(w, rows); err != nil || r.missed {
		return err
	}
	quality := [][]string{{"rms, m", number(r.RMS)}, {"condition", strconv.FormatFloat(r.Condition, 'f', 1, 64)}}
	if r.Position != nil {
		quality = append(quality, []string{"deviation, m", number(*r.Position)})
	}
	if r.Orientation != nil {
		quality = append(quality, []string{"deviation, rad", number(*r.Orientation)})
	}
	fmt.Fprintln(w)
	err := table(w, quality)
	head := []string{"MEASUREMENT", "RESIDUAL, m"}
	if r.Turns != nil {
		head = append(head, "TURN, rad")
	}
	index := 0
	return errors.Join(err, section(w, head, r.Residuals, func(v float64) []string {
		row := []string{strconv.Itoa(index + 1), number(v)}
		if r.Turns != nil {
			row = append(row, number(r.Turns[index]))
		}
		index++
		return row
	}))
}

// edit returns the result in the configuration, nil if no place was given, and the text of the file with it.
func (c *calibration) edit(r *result) (*config.Edit, string, error) {
	var e *config.Edit
	switch {
	case c.kind == calibrateFrame && c.name != "":
		e = &config.Edit{List: "frames", Name: c.name, Key: "place", Value: placeText(r.frame), Add: true, Of: c.arm}
	case c.kind == calibrateBase && c.arm != "":
		e = &config.Edit{List: "devices", Name: c.arm, Key: "place", Value: placeText(r.frame)}
	case c.kind == calibrateTool && c.arm != "":
		e = &config.Edit{List: "devices", Name: c.arm, Key: "tcp", Value: tcpText(r.frame)}
	}
	switch {
	case c.write == "" && c.in != "": // where the other arm stands is only known from the file
		return nil, "", nil
	case c.write == "":
		return e, "", nil
	}
	e.Replace = c.force
	text, err := readConfiguration(c.write)
	if err != nil {
		return nil, "", err
	}
	cfg, _, err := config.Decode[config.Config](text, c.write)
	if err != nil {
		return nil, "", err
	}
	if err := c.fit(e, r, cfg); err != nil {
		return nil, "", fmt.Errorf("%s: %w", c.write, err)
	}
	changed, err := e.Apply(text, c.write)
	if errors.Is(err, config.ErrThere) {
		err = fmt.Errorf("%w; replace it with --force", err)
	}
	return e, string(changed), err
}

// fit brings a result to what the configuration wants: the place of a base in the cell, and how a tool is turned, which touching a point
// does not find out.
func (c *calibration) fit(e *config.Edit, r *result, cfg *config.Config) error {
	device := func(name string) (*config.Device, error) {
		for i := range cfg.Devices {
			if cfg.Devices[i].Name == name {
				return &cfg.Devices[i], nil
			}
		}
		return nil, fmt.Errorf("devices has no entry %q", name)
	}
	switch {
	case c.kind == calibrateFrame:
		for _, f := range cfg.Frames {
			if f.Name == c.name && f.Of != c.arm {
				return fmt.Errorf("of of frame %q is %q, and --arm is %q; correct the entry or the command", c.name, f.Of, c.arm)
			}
		}
		if c.arm == "" {
			return nil
		}
		_, err := device(c.arm)
		return err
	case c.kind == calibrateBase && c.in != "":
		from, err := device(c.in)
		if err == nil {
			e.Value = placeText(from.Place.Frame().Mul(r.frame))
		}
		return err
	case c.kind == calibrateTool:
		of, err := device(c.arm)
		if err != nil || of.Params["tcp"] == "" {
			return err
		}
		was, err := geom.ParseFrame(of.Params["tcp"])
		if err != nil {
			return fmt.Errorf("tcp of %q: %w", c.arm, err)
		}
		e.Value = tcpText(geom.Frame{Pos: r.frame.Pos, Rot: was.Rot})
	}
	return nil
}

func numberText(v float64) string { return strconv.FormatFloat(rounded(v), 'f', -1, 64) }

// placeText returns a place as a configuration has it.
func placeText(f geom.Frame) string {
	a, b, c := f.Rot.ABC()
	return fmt.Sprintf("{x: %s, y: %s, z: %s, a: %s, b: %s, c: %s}",
		numberText(f.Pos.X), numberText(f.Pos.Y), numberText(f.Pos.Z), numberText(a), numberText(b), numberText(c))
}

// tcpText returns a frame as parameters of devices are.
func tcpText(f geom.Frame) string {
	a, b, c := f.Rot.ABC()
	return fmt.Sprintf("{pos: {x: %s, y: %s, z: %s}, rot: {a: %s, b: %s, c: %s}}",
		numberText(f.Pos.X), numberText(f.Pos.Y), numberText(f.Pos.Z), numberText(a), numberText(b), numberText(c))
}
