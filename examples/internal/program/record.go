package program

import (
	"context"
	"math"
	"sync"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// Recording is what sensors have said in the same cycles, some fifty of them a second.
type Recording struct {
	listener *robotics.Listener
	mu       sync.Mutex
	rows     [][]float64 // the time since the beginning, s, then what the sensors said
}

// Record listens to sensors.
func Record(ctx context.Context, robot *robotics.Runtime, sensors ...robotics.Sensor[float64]) (r *Recording, err error) {
	r = new(Recording)
	all := robotics.Derived(func(m *mapping.Net) graph.Signal[[]float64] {
		row := []graph.Signal[float64]{mapping.Link[float64](m.Add("Core::Clock"), "outValue")}
		for _, s := range sensors {
			row = append(row, robotics.Read(m, s))
		}
		return m.Array(row)
	})
	r.listener, err = robotics.ListenAll(ctx, robot, all, func(row []float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.rows = append(r.rows, row)
	})
	return r, err
}

// Len returns how many rows there are by now.
func (r *Recording) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rows)
}

// Stop ends the recording. The other methods are for afterwards.
func (r *Recording) Stop(ctx context.Context) error { return r.listener.Stop(ctx) }

// Duration returns how long it has taken, s.
func (r *Recording) Duration() float64 { return r.rows[len(r.rows)-1][0] }

// Way returns what two sensors have said, one over the other, from one row to another.
func (r *Recording) Way(label string, x, y, from, to int) picture.Line {
	line := picture.Line{Label: label}
	for _, row := range r.rows[from:to] {
		line.Points = append(line.Points, picture.Point{X: row[1+x], Y: row[1+y]})
	}
	return line
}

// Curve returns what a sensor has said.
func (r *Recording) Curve(label string, sensor int) picture.Curve {
	return r.over(label, func(row []float64) float64 { return row[1+sensor] })
}

// Speed returns how fast a place has moved of which sensors have told the coordinates.
func (r *Recording) Speed(label string, sensors ...int) picture.Curve {
	speeds := make(map[float64]float64, len(r.rows))
	for i, row := range r.rows[1:] {
		square, before := 0.0, r.rows[i]
		for _, s := range sensors {
			square += (row[1+s] - before[1+s]) * (row[1+s] - before[1+s])
		}
		speeds[row[0]] = math.Sqrt(square) / (row[0] - before[0])
	}
	return r.over(label, func(row []float64) float64 { return speeds[row[0]] })
}

// over draws straight lines from row to row.
func (r *Recording) over(label string, of func(row []float64) float64) picture.Curve {
	return picture.Curve{Label: label, At: func(t float64) float64 {
		i := 1
		for i < len(r.rows)-1 && r.rows[i][0] < t {
			i++
		}
		from, to := r.rows[max(i-1, 0)], r.rows[min(i, len(r.rows)-1)]
		if to[0] <= from[0] {
			return of(to)
		}
		share := min(max((t-from[0])/(to[0]-from[0]), 0), 1)
		return of(from) + share*(of(to)-of(from))
	}}
}
