package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	dio "github.com/softrobot-rcc/rccd/directio/client"
)

// statistics are the figures of a net, times in milliseconds.
type statistics struct {
	Cycles, Overruns, Late, Missed uint64
	Execution                      struct{ Mean, Max float64 }
}

// String returns the whole value in a line.
func (s *statistics) String() string {
	return fmt.Sprintf("%d, execution %v mean %v most, %d late, %d missed, %d overruns",
		s.Cycles, shortTime(s.Execution.Mean), shortTime(s.Execution.Max), s.Late, s.Missed, s.Overruns)
}

func shortTime(milliseconds float64) time.Duration {
	return time.Duration(milliseconds * float64(time.Millisecond)).Round(100 * time.Nanosecond)
}

// The columns of a screen.
const (
	recent      = 40 // values that are shown as bars
	widestKey   = 32
	widestValue = 24 // of one with bars
	fewestBars  = 8
	usualWidth  = 80 // of a terminal that does not know
	usualHeight = 24
)

// screen is the state of a watched net.
type screen struct {
	net, description, cycle string

	state  string
	tick   dio.Tick // that has left the newest values
	series map[string]*series
	stats  *statistics
}

// series is a value with what it was when the screen was drawn.
type series struct {
	text   string
	recent []float64 // NaN: no number
}

func newScreen(n *netView) *screen {
	return &screen{net: n.Name, description: n.Description, cycle: n.Cycle, state: n.State, series: map[string]*series{}}
}

func (s *screen) set(key, value string) {
	if s.series[key] == nil {
		s.series[key] = new(series)
	}
	s.series[key].text = value
}

// sample keeps the present values.
func (s *screen) sample() {
	for _, e := range s.series {
		e.recent = append(e.recent, numberOf(e.text))
		e.recent = e.recent[max(len(e.recent)-recent, 0):]
	}
}

// numberOf returns the height of a value in bars.
func numberOf(text string) float64 {
	switch text {
	case "true":
		return 1
	case "false":
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// lines returns the screen for a number of columns and rows. Lines without room are counted.
func (s *screen) lines(columns, rows int) []string {
	title := s.net + "  " + s.state
	for _, more := range []string{"cycle " + s.cycle, s.description} {
		if more != "" {
			title += "  " + printable(more)
		}
	}
	list := []string{title}
	if s.tick.Cycle > 0 {
		list = append(list, fmt.Sprintf("values of cycle %d, %s", s.tick.Cycle, instant(s.tick.Time)))
	}
	if s.stats != nil {
		list = append(list, "cycles "+s.stats.String())
	}
	keys := make([]string, 0, len(s.series))
	keyWidth, valueWidth := 0, 0
	for key, e := range s.series {
		keys = append(keys, key)
		keyWidth = max(keyWidth, utf8.RuneCountInString(key))
		if e.hasBars() {
			valueWidth = max(valueWidth, utf8.RuneCountInString(e.text))
		}
	}
	keyWidth, valueWidth = min(keyWidth, widestKey, max(columns/2, 1)), min(valueWidth, widestValue)
	slices.Sort(keys)
	room := max(rows-len(list)-1, 0)
	for i, key := range keys {
		if i == room-1 && len(keys) > room {
			list = append(list, fmt.Sprintf("… and %d more", len(keys)-i))
			break
		}
		list = append(list, s.series[key].line(key, keyWidth, valueWidth, columns))
	}
	for i, line := range list {
		list[i] = cut(harmless(line), columns)
	}
	return list[:min(len(list), max(rows-1, 1))]
}

// hasBars reports whether it has been a number lately.
func (e *series) hasBars() bool {
	return slices.ContainsFunc(e.recent, func(v float64) bool { return !math.IsNaN(v) })
}

func (e *series) line(key string, keyWidth, valueWidth, columns int) string {
	key = padded(key, keyWidth)
	if !e.hasBars() {
		return key + "  " + e.text
	}
	room := min(columns-keyWidth-valueWidth-4, recent)
	if room < fewestBars {
		return key + "  " + e.text
	}
	return key + "  " + padded(e.text, valueWidth) + "  " + bars(e.recent[max(len(e.recent)-room, 0):])
}

// padded gives a text its width.
func padded(text string, width int) string {
	text = cut(text, width)
	return text + strings.Repeat(" ", width-utf8.RuneCountInString(text))
}

// cut shortens a text to a number of characters.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:max(width-1, 0)]) + "…"
}

// bars draws values between the least and the greatest of them. One that does not change is in the middle; where there
// is no number there is no bar.
func bars(values []float64) string {
	const steps = "▁▂▃▄▅▆▇█"
	heights := []rune(steps)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	var b strings.Builder
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			b.WriteRune(' ')
		case math.IsInf(v, 1):
			b.WriteRune(heights[len(heights)-1])
		case math.IsInf(v, -1):
			b.WriteRune(heights[0])
		case low == high:
			b.WriteRune(heights[len(heights)/2-1])
		default:
			// halves, so that the distance of the greatest numbers is one, too
			share := (v/2 - low/2) / (high/2 - low/2)
			b.WriteRune(heights[int(share*float64(len(heights)-1)+0.5)])
		}
	}
	return b.String()
}
