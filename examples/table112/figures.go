package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// figures are those of a motion and all of its repetitions.
type figures struct {
	net  graph.Report
	nets []client.Figures
}

// measure executes a motion once.
func (f *figures) measure(ctx context.Context, robot *robotics.Runtime, c robotics.Command) error {
	h, err := robot.Start(ctx, c)
	if err != nil {
		return err
	}
	if err := h.Wait(ctx); err != nil {
		return err
	}
	of, err := h.Net().Figures(ctx)
	if err != nil {
		return err
	}
	f.net, f.nets = h.Report(), append(f.nets, of)
	return h.Net().Unload(ctx)
}

// each returns the times of one kind of all repetitions, ms.
func (f *figures) each(of func(n *client.Figures) time.Duration) (list []float64) {
	for i := range f.nets {
		list = append(list, float64(of(&f.nets[i]))/float64(time.Millisecond))
	}
	return list
}

func (f *figures) sum(of func(n *client.Figures) int) (sum int) {
	for i := range f.nets {
		sum += of(&f.nets[i])
	}
	return sum
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

func deviation(list []float64) float64 {
	sum, middle := 0.0, mean(list)
	for _, v := range list {
		sum += (v - middle) * (v - middle)
	}
	return math.Sqrt(sum / float64(max(len(list)-1, 1)))
}

func least(list []float64) float64 { return fold(list, math.Min) }
func most(list []float64) float64  { return fold(list, math.Max) }

func fold(list []float64, by func(a, b float64) float64) float64 {
	v := list[0]
	for _, other := range list {
		v = by(v, other)
	}
	return v
}

// Which times: of the cycles of a net, and the shortest and the longest execution of one (§11.1).
func cycle(n *client.Figures) time.Duration    { return n.Cycle.Mean }
func shortest(n *client.Figures) time.Duration { return n.Cycle.Min }
func longest(n *client.Figures) time.Duration  { return n.Cycle.Max }
func fastest(n *client.Figures) time.Duration  { return n.Execution.Min }
func slowest(n *client.Figures) time.Duration  { return n.Execution.Max }

// rows are the lines of the table, with what the dissertation says there. Times are described as it does: averages and deviations are
// those of the values of nets, the least and the greatest cycle time those of all cycles.
var rows = []struct {
	name         string
	of           func(f *figures) string
	dissertation [3]string
}{
	{"primitives, as mapped", func(f *figures) string { return fmt.Sprint(f.net.Before.Primitives) }, [3]string{}},
	{"primitives", func(f *figures) string { return fmt.Sprint(f.net.After.Primitives) }, [3]string{"457", "670", "1350"}},
	{"links, as mapped", func(f *figures) string { return fmt.Sprint(f.net.Before.Links) }, [3]string{}},
	{"links", func(f *figures) string { return fmt.Sprint(f.net.After.Links) }, [3]string{}},
	{"avg. cycle time, ms", ms(mean, cycle), [3]string{"1.9993", "1.9992", "1.9992"}},
	{"standard deviation", ms(deviation, cycle), [3]string{"9.1564e-06", "1.733e-05", "1.8886e-05"}},
	{"min. cycle time, ms", ms(least, shortest), [3]string{"1.9860", "1.9804", "1.9809"}},
	{"max. cycle time, ms", ms(most, longest), [3]string{"2.0146", "2.0143", "2.0167"}},
	{"min. execution time, ms", ms(mean, fastest), [3]string{"0.0568", "0.0964", "0.0945"}},
	{"standard deviation", ms(deviation, fastest), [3]string{"0.0057", "0.0039", "0.0042"}},
	{"max. execution time, ms", ms(mean, slowest), [3]string{"0.0966", "0.1562", "0.3566"}},
	{"standard deviation", ms(deviation, slowest), [3]string{"0.0045", "0.0119", "0.0400"}},
	{"cycles", func(f *figures) string { return fmt.Sprint(f.sum(func(n *client.Figures) int { return n.Cycles })) }, [3]string{}},
	{"cycles missed", func(f *figures) string { return fmt.Sprint(f.sum(func(n *client.Figures) int { return n.Missed })) }, [3]string{}},
}

func ms(what func(list []float64) float64, of func(n *client.Figures) time.Duration) func(f *figures) string {
	return func(f *figures) string { return fmt.Sprintf("%.4g", what(f.each(of))) }
}

func write(table []figures) {
	fmt.Println("|  | PTP | dissertation | LIN | dissertation | SYNC-LIN | dissertation |")
	fmt.Println("|" + strings.Repeat("---|", 1+2*len(table)))
	for _, row := range rows {
		line := "| " + row.name
		for i := range table {
			line += " | " + row.of(&table[i]) + " | " + row.dissertation[i]
		}
		fmt.Println(line + " |")
	}
}
