package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
)

// columns are the names of what is measured, in m and rad: a point or a pose, and the same as known or as measured by another arm.
var columns = []string{"x", "y", "z", "a", "b", "c", "known_x", "known_y", "known_z", "known_a", "known_b", "known_c"}

const knownColumns = 6 // is where they begin

// measurement is a row; what is missing is NaN.
type measurement [12]float64

func noMeasurement() (m measurement) {
	for i := range m {
		m[i] = math.NaN()
	}
	return m
}

func (m *measurement) has(first int) bool { return !math.IsNaN(m[first]) }

func (m *measurement) turned() bool      { return m.has(3) }
func (m *measurement) hasKnown() bool    { return m.has(knownColumns) }
func (m *measurement) knownTurned() bool { return m.has(knownColumns + 3) }

func (m *measurement) pos() geom.Vector { return geom.Vector{X: m[0], Y: m[1], Z: m[2]} }

func (m *measurement) knownPos() geom.Vector {
	return geom.Vector{X: m[knownColumns], Y: m[knownColumns+1], Z: m[knownColumns+2]}
}

func (m *measurement) frame() geom.Frame {
	return geom.Frame{Pos: m.pos(), Rot: geom.FromABC(m[3], m[4], m[5])}
}

func (m *measurement) knownFrame() geom.Frame {
	return geom.Frame{Pos: m.knownPos(), Rot: geom.FromABC(m[knownColumns+3], m[knownColumns+4], m[knownColumns+5])}
}

func (m *measurement) put(first int, of ...float64) { copy(m[first:], of) }

// most is how many measurements a file may have, and longestMeasurements how long it may be.
const (
	most                = 10_000
	longestMeasurements = 4 << 20
)

// readMeasurements reads a table, as CSV with a line of names of columns, or as a list of objects in JSON.
func (s streams) readMeasurements(file string) ([]measurement, error) {
	text, err := s.read(file)
	if err != nil {
		return nil, err
	}
	if len(text) > longestMeasurements {
		return nil, fmt.Errorf("%s: longer than %d bytes", shownAs(file), longestMeasurements)
	}
	read := readCSV
	if strings.EqualFold(filepath.Ext(file), ".json") || strings.HasPrefix(strings.TrimSpace(text), "[") {
		read = readJSON
	}
	list, line, err := read(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", shownAs(file), line, err)
	case len(list) > most:
		return nil, fmt.Errorf("%s: more than %d measurements", shownAs(file), most)
	}
	return list, nil
}

func readCSV(text string) (list []measurement, line int, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.TrimLeadingSpace = '#', true
	head, err := r.Read()
	if err != nil {
		return nil, lineOf(r, err), errors.New("a line with the names of columns is missing, such as x,y,z,a,b,c")
	}
	line, _ = r.FieldPos(0)
	index, err := columnsOf(head)
	if err != nil {
		return nil, line, err
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list, 0, nil
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			return nil, wrong.Line, wrong.Err
		}
		line, _ = r.FieldPos(0)
		m := noMeasurement()
		for i, text := range fields {
			if m[index[i]], err = decimal(text); err != nil {
				return nil, line, fmt.Errorf("%s: %w", head[i], err)
			}
		}
		list = append(list, m)
	}
}

func lineOf(r *csv.Reader, err error) int {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return wrong.Line
	}
	return 1
}

func decimal(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// columnsOf finds columns by their names. x, y and z must be there, and others in threes.
func columnsOf(head []string) (index []int, err error) {
	given := make([]bool, len(columns))
	for _, name := range head {
		at := slices.Index(columns, strings.TrimSpace(name))
		switch {
		case at < 0:
			return nil, fmt.Errorf("%q is not a column; the columns are %s", name, strings.Join(columns, ", "))
		case given[at]:
			return nil, fmt.Errorf("column %s appears twice", columns[at])
		}
		given[at] = true
		index = append(index, at)
	}
	known := slices.Contains(given[knownColumns:], true)
	for first := 0; first < len(columns); first += 3 {
		three := given[first : first+3]
		needed := slices.Contains(three, true) || first == 0 || first == knownColumns && known
		if missing := slices.Index(three, false); needed && missing >= 0 {
			return nil, fmt.Errorf("column %s is missing", columns[first+missing])
		}
	}
	return index, nil
}

// readJSON reads a list of objects, which have the names of columns as keys, the same ones in each.
func readJSON(text string) (list []measurement, line int, err error) {
	at := func(offset int64) int { return 1 + strings.Count(text[:min(int(offset), len(text))], "\n") }
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, 1, errors.New("a list of objects is expected, such as [{\"x\": 1, \"y\": 2, \"z\": 3}]")
	}
	var first []string
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, at(d.InputOffset()), err
		}
		line := at(d.InputOffset() - int64(len(raw)))
		var row map[string]*float64
		if json.Unmarshal(raw, &row) != nil || row == nil {
			return nil, line, errors.New("an object with numbers is expected, such as {\"x\": 1, \"y\": 2, \"z\": 3}")
		}
		m, names := noMeasurement(), []string(nil)
		for name, v := range row {
			if v == nil {
				return nil, line, fmt.Errorf("%s: null is not a number", name)
			}
			names = append(names, name)
		}
		slices.Sort(names)
		index, err := columnsOf(names)
		switch {
		case err != nil:
			return nil, line, err
		case first != nil && !slices.Equal(first, names):
			return nil, line, fmt.Errorf("the first one has %s, this one %s", strings.Join(first, ", "), strings.Join(names, ", "))
		}
		first = names
		for i, name := range names {
			m[index[i]] = *row[name]
		}
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, at(d.InputOffset()), errors.New("list has no end: ] is missing")
	}
	return list, 0, nil
}

// writeMeasurements is what readMeasurements reads.
func writeMeasurements(file string, list []measurement) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var head []string
	for i, name := range columns {
		if list[0].has(i) {
			head = append(head, name)
		}
	}
	rows := [][]string{head}
	for _, m := range list {
		var row []string
		for _, v := range m {
			if !math.IsNaN(v) {
				row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// measure takes the pose of arms at every line of the input, until it ends or a line says q. For a frame a line may have the numbers of a
// known point.
func (s streams) measure(daemon *client, c *calibration) (list []measurement, err error) {
	tip, err := daemon.tool(c.arm)
	if err != nil {
		return nil, err
	}
	other := geom.Frame{}
	if c.in != "" {
		if other, err = daemon.tool(c.in); err != nil {
			return nil, err
		}
	}
	fmt.Fprintln(s.err, c.instruction())
	in := bufio.NewScanner(s.in)
	for in.Scan() && len(list) < most {
		line := strings.TrimSpace(in.Text())
		if line == "q" {
			break
		}
		m, err := c.take(daemon, line, tip, other)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && m.hasKnown() != list[0].hasKnown() {
			return nil, fmt.Errorf("measurement %d: either all points are known or none", len(list)+1)
		}
		list = append(list, m)
		fmt.Fprintf(s.err, "%d: x %.6f y %.6f z %.6f\n", len(list), m[0], m[1], m[2])
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("nothing was measured")
	}
	if c.save != "" {
		err = writeMeasurements(c.save, list)
	}
	return list, err
}

func (c *calibration) instruction() string {
	const end = "; q or the end of the input ends"
	switch c.kind {
	case calibrateTool:
		return "touch one point from different sides, and press Enter at each" + end
	case calibrateBase:
		return "let the tips touch each other, and press Enter at each point" + end
	}
	return "touch a point, and press Enter, or its known x y z and Enter" + end
}

// take returns a measurement: for a tool the flange, otherwise the tips of tools.
func (c *calibration) take(daemon *client, line string, tip, other geom.Frame) (m measurement, err error) {
	m = noMeasurement()
	flange, err := daemon.flange(c.arm)
	if err != nil {
		return m, err
	}
	tipped := flange.Mul(tip).Pos
	switch c.kind {
	case calibrateTool:
		a, b, c := flange.Rot.ABC()
		m.put(0, flange.Pos.X, flange.Pos.Y, flange.Pos.Z, a, b, c)
	case calibrateBase:
		m.put(knownColumns, tipped.X, tipped.Y, tipped.Z)
		if flange, err = daemon.flange(c.in); err != nil {
			return m, err
		}
		tipped = flange.Mul(other).Pos
		m.put(0, tipped.X, tipped.Y, tipped.Z)
		return m, nil
	default:
		m.put(0, tipped.X, tipped.Y, tipped.Z)
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
		if len(fields) != 0 && len(fields) != 3 {
			return m, fmt.Errorf("%q is not a known point, such as 0.3 0 0.1", line)
		}
		for i, text := range fields {
			if m[knownColumns+i], err = decimal(text); err != nil {
				return m, err
			}
		}
		return m, nil
	}
	if line != "" {
		return m, fmt.Errorf("%q: only Enter or q is expected", line)
	}
	return m, nil
}

// flange asks where that of an arm is, as seen from its base.
func (c *client) flange(arm string) (geom.Frame, error) {
	answer, err := c.get(place("devices", arm, "armkinematics"))
	if err != nil {
		return geom.Frame{}, err
	}
	var is struct{ Frame *frameJSON }
	if err := json.Unmarshal(answer, &is); err != nil || is.Frame == nil {
		return geom.Frame{}, fmt.Errorf("answer of the daemon: no pose of the flange of %q", arm)
	}
	f := is.Frame
	return geom.Frame{Pos: geom.Vector{X: f.X, Y: f.Y, Z: f.Z}, Rot: geom.FromABC(f.A, f.B, f.C)}, nil
}

// tool asks for the tool that an arm has been configured with; arms without the parameter tcp have none.
func (c *client) tool(arm string) (geom.Frame, error) {
	answer, err := c.get(place("devices", arm))
	if err != nil {
		return geom.Frame{}, err
	}
	var d deviceView
	if err := json.Unmarshal(answer, &d); err != nil {
		return geom.Frame{}, fmt.Errorf("answer of the daemon: %w", err)
	}
	for _, p := range d.Parameters {
		if p.Name == "tcp" && p.Value != "" {
			return geom.ParseFrame(p.Value)
		}
	}
	return geom.Frame{}, nil
}

// readConfiguration reads a file that is to be written back.
func readConfiguration(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, longestMeasurements+1))
	if err == nil && len(text) > longestMeasurements {
		err = fmt.Errorf("%s: longer than %d bytes", file, longestMeasurements)
	}
	return text, err
}
