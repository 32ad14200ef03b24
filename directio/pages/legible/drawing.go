package legible

import (
	"fmt"
	"math"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
)

// tree is what is connected to what, as a list of branches: what follows each other directly stands side by side.
type tree struct {
	Title    string
	Branches []branch
}

// branch begins at a node of another one, or at the beginning.
type branch struct {
	From  string
	Nodes []treeNode
}

type treeNode struct{ Name, Detail, State, Mood string }

// chart is lines over something, drawn into a box of 640 by 160.
type chart struct {
	Title, Across, Up     string
	Low, High, Left, Wide string
	Lines                 []line
}

type line struct {
	Name, Points string
	Colour       int
}

// draw takes what people see drawn.
func (s *Sheet) draw(title string, view any) bool {
	switch v := view.(type) {
	case rcc.Tree:
		if len(v.Nodes) > 0 {
			s.Trees = append(s.Trees, treeOf(title, &v))
		}
	case rcc.Chart:
		s.Charts = append(s.Charts, chartOf(title, &v))
	default:
		return false
	}
	return true
}

// treeOf puts a node behind the one that it is connected to where that is the newest of its branch, and otherwise begins another one.
func treeOf(title string, v *rcc.Tree) tree {
	t := tree{Title: title}
	last := map[int]int{} // branches by the node at their end
	for i, n := range v.Nodes {
		node := treeNode{n.Name, n.Detail, n.State, string(n.Mood)}
		at, follows := last[n.Parent]
		if !follows {
			from := n.Way
			if n.Parent >= 0 && n.Parent < i {
				from = strings.TrimSpace(v.Nodes[n.Parent].Name + " " + n.Way)
			}
			at = len(t.Branches)
			t.Branches = append(t.Branches, branch{From: from})
		}
		delete(last, n.Parent)
		t.Branches[at].Nodes = append(t.Branches[at].Nodes, node)
		last[i] = at
	}
	return t
}

// Size of the box of a chart.
const chartWide, chartHigh = 640, 160

func chartOf(title string, v *rcc.Chart) chart {
	c := chart{Title: title, Across: v.Across, Up: v.Up}
	left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, l := range v.Lines {
		for i := range min(len(l.X), len(l.Y)) {
			x, y := float64(l.X[i]), float64(l.Y[i])
			left, right, low, high = min(left, x), max(right, x), min(low, y), max(high, y)
		}
	}
	if left > right {
		return c
	}
	wide, up := max(right-left, 1e-9), max(high-low, 1e-9)
	for n, l := range v.Lines {
		var points strings.Builder
		for i := range min(len(l.X), len(l.Y)) {
			fmt.Fprintf(&points, "%.1f,%.1f ", (float64(l.X[i])-left)/wide*chartWide, chartHigh-(float64(l.Y[i])-low)/up*chartHigh)
		}
		c.Lines = append(c.Lines, line{l.Name, strings.TrimSpace(points.String()), n % 8})
	}
	number := func(f float64) string { return fmt.Sprintf("%.4g", f) }
	c.Low, c.High, c.Left, c.Wide = number(low), number(high), number(left), number(right)
	return c
}
