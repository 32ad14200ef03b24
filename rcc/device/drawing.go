package device

// Tree is a view of connected things, such as slaves on a cable. Pages draw it.
type Tree struct {
	Nodes []Node `xml:"node" json:"nodes"`
}

// Node is one thing in a Tree. The ones that are connected to it come after it.
type Node struct {
	Name   string `xml:"name,attr" json:"name"`
	Detail string `xml:"detail,attr,omitempty" json:"detail,omitempty"`
	State  string `xml:"state,attr,omitempty" json:"state,omitempty"` // a word, and
	Mood   Mood   `xml:"mood,attr,omitempty" json:"mood,omitempty"`   // what to think of it
	Parent int    `xml:"parent,attr" json:"parent"`                   // by number from 0, -1 for the one at the beginning
	Way    string `xml:"way,attr,omitempty" json:"way,omitempty"`     // how it is connected to that
}

// Mood is the rating of a state.
type Mood string

// Moods.
const (
	Good Mood = "good"
	Bad  Mood = "bad"
	Busy Mood = "busy"
)

// Chart is a view of curves. Pages draw it.
type Chart struct {
	Across string  `xml:"across,attr" json:"across"` // what goes from left to right
	Up     string  `xml:"up,attr" json:"up"`         // and up, both with their units
	Bars   bool    `xml:"bars,attr,omitempty" json:"bars,omitempty"`
	Lines  []Curve `xml:"line" json:"lines"`
}

// Curve is one set of numbers of a Chart.
type Curve struct {
	Name string `xml:"name,attr" json:"name"`
	X    []Num  `xml:"x" json:"x"`
	Y    []Num  `xml:"y" json:"y"`
}
