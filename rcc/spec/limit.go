package spec

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Limit is a constraint on the value of a parameter. A net that breaks it is rejected, or only warned of when Doubtful.
type Limit struct {
	Doubtful bool
	Note     string // consequence of breaking it, and remedy; may be empty

	length bool // of how many elements there are
	finite bool
	filled bool // a text must not be empty
	angle  bool // of a turn at most in either direction: what is more was probably meant in degrees
	op     string
	number float64
	other  string   // parameter to compare with, none for number
	words  []string // one of which it must be
	except string   // parameter: while it is 0 this does not hold
}

// turn is a whole one, with some room for those who round.
const turn = 2*math.Pi + 0.01

// comparisons are the words for operators.
var comparisons = map[string]string{">": "above", ">=": "at least", "<": "below", "<=": "at most", "==": "equal to", "!=": "other than"}

// parseLimits reads the constraints of a tag, for example "> 0; <= MaxAge -- older values are not remembered". One is
//
//	[len] > >= < <= == !=  number or parameter  [unless parameter]
//	finite | filled | an angle
//	one of a, b, c
//
// with a note behind --. It compares every element of an array, of two arrays those with the same number. len compares the number
// of elements, with a number or with that of another array.
func parseLimits(tag string, doubtful bool) (list []Limit, err error) {
	for text := range strings.SplitSeq(tag, ";") {
		text, note, _ := strings.Cut(text, "--")
		l, err := parseLimit(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		l.Doubtful, l.Note = doubtful, strings.TrimSpace(note)
		if l.angle && l.Note == "" {
			l.Note = "angles are in rad, 90° are 1.5708"
		}
		list = append(list, l)
	}
	return list, nil
}

func parseLimit(text string) (l Limit, err error) {
	if words, ok := strings.CutPrefix(text, "one of "); ok {
		for word := range strings.SplitSeq(words, ",") {
			l.words = append(l.words, strings.TrimSpace(word))
		}
		return l, nil
	}
	switch text {
	case "finite":
		return Limit{finite: true}, nil
	case "filled":
		return Limit{filled: true}, nil
	case "an angle":
		return Limit{angle: true, op: "<=", number: turn}, nil
	}
	words := strings.Fields(text)
	if len(words) > 0 && words[0] == "len" {
		l.length, words = true, words[1:]
	}
	if n := len(words); n == 4 && words[2] == "unless" {
		l.except, words = words[3], words[:2]
	}
	if len(words) != 2 || comparisons[words[0]] == "" {
		return l, fmt.Errorf("%q is not a constraint", text)
	}
	l.op = words[0]
	if l.number, err = strconv.ParseFloat(words[1], 64); err != nil {
		l.other = words[1]
	}
	return l, nil
}

// Parameters returns the other parameters that the constraint depends on.
func (l *Limit) Parameters() []string {
	return slices.DeleteFunc([]string{l.other, l.except}, func(name string) bool { return name == "" })
}

// String returns the constraint in words, which follow "must be" or "should be".
func (l *Limit) String() string {
	if l.except != "" {
		return l.allowed() + " unless " + l.except + " is 0"
	}
	return l.allowed()
}

// allowed returns the constraint where it holds.
func (l *Limit) allowed() string {
	switch {
	case l.words != nil:
		return "one of " + strings.Join(l.words, ", ")
	case l.finite:
		return "finite"
	case l.angle:
		return "within a turn, -6.28 to 6.28 rad"
	case l.filled:
		return "given"
	}
	than := l.other
	if than == "" {
		than = strconv.FormatFloat(l.number, 'g', -1, 64)
	}
	text := comparisons[l.op] + " " + than
	if l.length {
		text = "of a length " + text
	}
	return text
}

func (l *Limit) verb() string {
	if l.Doubtful {
		return "should be "
	}
	return "must be "
}

// Finding is a parameter whose value breaks a constraint.
type Finding struct {
	Param    int
	Doubtful bool
	Text     string
}

// Findings returns the constraints that the values of an instance break (load). text returns the known text of a parameter: its own, that of
// its default, or the constant that its in port is linked to; false when it is known only in the cycle. A parameter whose text is not of its
// type has no findings.
func (p *Primitive) Findings(text func(param int) (string, bool)) (list []Finding) {
	if !p.limited {
		return nil
	}
	known := make([]*quantity, len(p.Params))
	for i := range p.Params {
		if t, ok := text(i); ok {
			known[i] = quantityOf(p.Params[i].Type, t)
		}
	}
	of := func(name string) *quantity {
		if name == "" {
			return nil
		}
		return known[p.Param(name)]
	}
	for i := range p.Params {
		impossible := false
		for k := range p.Params[i].Limits {
			l := &p.Params[i].Limits[k]
			if l.Doubtful && impossible {
				continue // once is enough
			}
			if what := l.broken(known[i], of(l.other), of(l.except)); what != "" {
				impossible = impossible || !l.Doubtful
				list = append(list, Finding{i, l.Doubtful, l.explain(what, of(l.other))})
			}
		}
	}
	return list
}

func (l *Limit) explain(what string, other *quantity) string {
	text := what + ", but " + l.verb() + l.allowed()
	if other != nil {
		switch {
		case l.length && other.list:
			text = what + ", but " + l.verb() + "of a length " + comparisons[l.op] + " that of " + l.other + ", which has " + strconv.Itoa(len(other.numbers))
		case len(other.numbers) == 1:
			text += ", which is " + other.text
		}
	}
	if l.Note != "" {
		text += ": " + l.Note
	}
	return text
}

// quantity is the value of a parameter as constraints see it.
type quantity struct {
	text    string
	list    bool // of an array
	numbers []float64
}

// quantityOf returns nil for a text that is not a value of the type.
func quantityOf(t value.Type, text string) *quantity {
	numbers, list, ok := value.Numbers(t, text)
	if !ok {
		return nil
	}
	return &quantity{text, list, numbers}
}

// broken says what is wrong, in words that follow the name of the parameter; it is empty when nothing is, or nothing is known.
func (l *Limit) broken(is, other, except *quantity) string {
	switch {
	case is == nil || l.other != "" && other == nil:
		return ""
	case l.except != "" && (except == nil || len(except.numbers) == 1 && except.numbers[0] <= 0):
		return ""
	case l.words != nil && !slices.Contains(l.words, is.text):
		return fmt.Sprintf("it is %q", is.text)
	case l.filled && is.text == "":
		return "it is empty"
	case l.words != nil, l.filled:
		return ""
	}
	if l.length {
		if !holds(l.op, float64(len(is.numbers)), l.size(other)) {
			return fmt.Sprintf("it has %s", count(len(is.numbers)))
		}
		return ""
	}
	for k, v := range is.numbers {
		than, there := l.than(other, k)
		if l.angle {
			v = math.Abs(v)
		}
		if l.finite && !math.IsNaN(v) && !math.IsInf(v, 0) || !l.finite && (!there || holds(l.op, v, than)) {
			continue
		}
		switch {
		case is.list:
			return fmt.Sprintf("element %d is %v", k, v)
		case len(is.numbers) > 1:
			return "it is " + is.text
		}
		return fmt.Sprintf("it is %v", is.numbers[k])
	}
	return ""
}

func count(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}

// size returns the length to compare with.
func (l *Limit) size(other *quantity) float64 {
	switch {
	case other == nil:
		return l.number
	case other.list:
		return float64(len(other.numbers))
	default:
		return other.numbers[0]
	}
}

// than returns the number to compare element k with.
func (l *Limit) than(other *quantity, k int) (float64, bool) {
	switch {
	case other == nil:
		return l.number, true
	case !other.list:
		return other.numbers[0], true
	case k < len(other.numbers):
		return other.numbers[k], true
	}
	return 0, false
}

func holds(op string, a, b float64) bool {
	switch op {
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case "!=":
		return a != b
	default:
		return a == b
	}
}

// limit reads what a declaration says of the values of a parameter.
func (p *Primitive) limit(param *Parameter, tag reflect.StructTag) {
	for _, says := range []struct {
		text     string
		doubtful bool
	}{{tag.Get("must"), false}, {tag.Get("should"), true}} {
		if says.text == "" {
			continue
		}
		list, err := parseLimits(says.text, says.doubtful)
		p.must(param.Name, err)
		param.Limits = append(param.Limits, list...)
	}
	param.Any, param.Unique, param.Agree = tag.Get("any"), tag.Get("unique"), tag.Get("agree")
	if should, ok := p.should[param.Name]; ok {
		list, err := parseLimits(should, true)
		p.must(param.Name, err)
		param.Any, param.Limits = "", append(param.Limits, list...)
	}
	for i := range param.Limits {
		p.limited = true
		l := &param.Limits[i]
		param.Doc += "; " + l.verb() + l.String()
	}
	if param.Unique != "" {
		param.Doc += "; the only one of a net"
	}
}

// mustRelate refuses constraints on parameters that are not there, or that cannot be compared.
func (p *Primitive) mustRelate() {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(p.should)), p.Commands) {
		if p.Param(name) < 0 {
			panic(fmt.Sprintf("%s: the declaration names a parameter %s that does not exist", p.Name, name))
		}
	}
	for i := range p.Params {
		param := &p.Params[i]
		if param.Any != "" && param.Limits != nil {
			panic(fmt.Sprintf("%s: parameter %s has a constraint, and a reason to have none", p.Name, param.Name))
		}
		if param.Agree != "" && p.Param(param.Agree) < 0 {
			panic(fmt.Sprintf("%s: parameter %s: there is no parameter %s to agree for", p.Name, param.Name, param.Agree))
		}
		for k := range param.Limits {
			for _, name := range param.Limits[k].Parameters() {
				if p.Param(name) < 0 {
					panic(fmt.Sprintf("%s: parameter %s: there is no parameter %s to compare with", p.Name, param.Name, name))
				}
				if _, list, ok := value.Numbers(p.Params[p.Param(name)].Type, "0"); !list && !ok {
					panic(fmt.Sprintf("%s: parameter %s cannot be compared with %s", p.Name, param.Name, name))
				}
			}
		}
	}
}
