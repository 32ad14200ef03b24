package facts

import (
	"slices"
	"time"
)

// Distribution describes measured times in milliseconds.
type Distribution struct {
	Mean      float64 `xml:"mean,attr" json:"mean"`
	StdDev    float64 `xml:"stddev,attr" json:"stddev"`
	Min       float64 `xml:"min,attr" json:"min"`
	Max       float64 `xml:"max,attr" json:"max"`
	Histogram []Class `xml:"class" json:"histogram"`
}

// Class is a class of a histogram: how many times were at least From and below To.
type Class struct {
	From  float64 `xml:"from,attr" json:"from"`
	To    float64 `xml:"to,attr" json:"to"`
	Count uint64  `xml:"count,attr" json:"count"`
}

// Describe makes a distribution of figures of the core.
func Describe(mean, stddev, least, most time.Duration, counts []uint64) Distribution {
	return Distribution{
		Mean: Milliseconds(mean), StdDev: Milliseconds(stddev), Min: Milliseconds(least),
		Max: Milliseconds(most), Histogram: classes(counts),
	}
}

// Milliseconds returns a duration as clients get it.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// classes returns the part of a histogram between its first and its last time.
func classes(counts []uint64) []Class {
	list := []Class{}
	used := func(c uint64) bool { return c > 0 }
	first := slices.IndexFunc(counts, used)
	if first < 0 {
		return list
	}
	for i, count := range counts[first:] {
		list = append(list, Class{From: Milliseconds(ClassStart(first + i)), To: Milliseconds(ClassStart(first + i + 1)), Count: count})
	}
	for list[len(list)-1].Count == 0 {
		list = list[:len(list)-1]
	}
	return list
}

// ClassStart returns where a class of the core's histograms begins: there are four to every doubling, from 4 ns on.
func ClassStart(i int) time.Duration {
	if i < 4 {
		return time.Duration(i)
	}
	return time.Duration(4+i%4) << (i/4 - 1)
}

// Bar is a class as a rectangle in a picture of barsWidth by barsHeight.
type Bar struct {
	X, Y, Width, Height float64
	Class
}

const (
	barsWidth  = 320.0
	barsHeight = 64.0
)

// Bars returns the picture of the histogram. A class that is not empty is always visible.
func (d Distribution) Bars() []Bar {
	var most uint64
	for _, c := range d.Histogram {
		most = max(most, c.Count)
	}
	var list []Bar
	width := barsWidth / float64(max(len(d.Histogram), 12))
	for i, c := range d.Histogram {
		height := barsHeight * float64(c.Count) / float64(max(most, 1))
		if c.Count > 0 {
			height = max(height, 1)
		}
		list = append(list, Bar{X: float64(i) * width, Y: barsHeight - height, Width: width * 0.85, Height: height, Class: c})
	}
	return list
}

// Last returns the end of the last class of the histogram.
func (d Distribution) Last() float64 {
	if len(d.Histogram) == 0 {
		return 0
	}
	return d.Histogram[len(d.Histogram)-1].To
}

// Half returns the end of the class of the histogram that contains the median.
func (d Distribution) Half() float64 {
	var total, below uint64
	for _, c := range d.Histogram {
		total += c.Count
	}
	for _, c := range d.Histogram {
		if below += c.Count; 2*below >= total {
			return c.To
		}
	}
	return 0
}
