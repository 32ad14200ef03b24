package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// ErrThere is returned when a value would be replaced that Edit must not replace.
var ErrThere = errors.New("already exists")

// Edit is a change of one value of a configuration file: of a key of the entry with a name in a list, such as place of a device.
type Edit struct {
	List, Name, Key string
	Value           string // on one line, as it stands in the file
	Replace         bool   // what is there
	Add             bool   // an entry, when none has the name
	Of              string // of the entry that is added
}

// Apply changes the text of a file and leaves all the rest of it as it is: order, comments and blanks. The errors name the file as shown.
// A text that is written in a way that Apply cannot change safely is refused.
func (e *Edit) Apply(text []byte, shown string) ([]byte, error) {
	if _, _, err := Decode[Config](text, shown); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil && !onlyComments(string(text)) {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	t := &editor{text: string(text), starts: startsOf(string(text))}
	changed, err := e.apply(t, &doc)
	if err != nil {
		var at *lineError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: %w", shown, at.line, at.err)
		}
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	if !e.right(text, []byte(changed)) {
		return nil, fmt.Errorf("%s: %s of %q cannot be written into this layout; write it by hand: %s: %s", shown, e.Key, e.Name, e.Key, e.Value)
	}
	return []byte(changed), nil
}

type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }

func (e *lineError) Unwrap() error { return e.err }

func (e *Edit) apply(t *editor, doc *yaml.Node) (string, error) {
	_, list := find(root(doc), e.List)
	entry := e.entry(list)
	if entry == nil {
		if !e.Add {
			return "", fmt.Errorf("%s has no entry %q", e.List, e.Name)
		}
		return t.addEntry(doc, e), nil
	}
	key, value := find(entry, e.Key)
	switch {
	case key == nil:
		return t.addKey(entry, e.Key+": "+e.Value), nil
	case !e.Replace && !empty(value):
		return "", &lineError{key.Line, fmt.Errorf("%s of %q %w", e.Key, e.Name, ErrThere)}
	default:
		return t.replace(key, value, e.Value), nil
	}
}

// entry returns that of the name.
func (e *Edit) entry(list *yaml.Node) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range list.Content {
		if _, name := find(item, "name"); name != nil && name.Value == e.Name {
			return item
		}
	}
	return nil
}

// fresh returns an entry that is added, on one line.
func (e *Edit) fresh() string {
	of := ""
	if e.Of != "" {
		of = "of: " + word(e.Of) + ", "
	}
	return fmt.Sprintf("{name: %s, %s%s: %s}", word(e.Name), of, e.Key, e.Value)
}

// word returns a name as it is written, in quotes where it would mean something else without.
func word(name string) string {
	if plain(name) {
		return name
	}
	return strconv.Quote(name)
}

// plain reports whether a name means itself where it is written without quotes.
func plain(name string) bool {
	var v any
	err := yaml.Load([]byte("{name: "+name+"}"), &v)
	got, is := v.(map[string]any)
	return err == nil && is && len(got) == 1 && got["name"] == name
}

// right reports whether a changed text has the value and differs by nothing else.
func (e *Edit) right(before, after []byte) bool {
	var was, is, value any
	entry := map[string]any{}
	if yaml.Load(before, &was) != nil && !onlyComments(string(before)) || yaml.Load(after, &is) != nil || yaml.Load([]byte(e.Value), &value) != nil || yaml.Load([]byte(e.fresh()), &entry) != nil {
		return false
	}
	cell, _ := was.(map[string]any)
	if cell == nil {
		cell = map[string]any{}
	}
	list, _ := cell[e.List].([]any)
	found := false
	for _, item := range list {
		if fields, is := item.(map[string]any); is && fields["name"] == e.Name && !found {
			fields[e.Key], found = value, true
		}
	}
	if !found {
		list = append(list, any(entry))
	}
	cell[e.List] = list
	return reflect.DeepEqual(cell, is)
}

func root(doc *yaml.Node) *yaml.Node {
	if len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// find returns a key and its value, nil if a mapping does not have it.
func find(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// editor changes a text at places of its nodes.
type editor struct {
	text   string
	starts []int // of lines
}

func startsOf(text string) []int {
	starts := []int{0}
	for i, c := range []byte(text) {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// offset returns the offset of the first character of a node. Columns count characters.
func (t *editor) offset(n *yaml.Node) int {
	start, column := t.starts[n.Line-1], 1
	for i := range t.text[start:] {
		if column == n.Column {
			return start + i
		}
		column++
	}
	return len(t.text)
}

// end returns the offset behind a node.
func (t *editor) end(n *yaml.Node) int {
	if n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		return t.end(n.Content[len(n.Content)-1])
	}
	at := t.offset(n)
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		return at + len(n.Value)
	}
	return at + lengthOf(t.text[at:])
}

// lengthOf returns the length of a value in quotes or brackets.
func lengthOf(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '\'', '"':
			i += quoted(text[i:]) - 1
		case '#':
			if i > 0 && strings.ContainsRune(" \t\n", rune(text[i-1])) {
				i += len(line(text[i:])) - 1
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// quoted returns the length of a text in quotes.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] == '"', text[i] == '\'' && text[0] == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}

// line returns the rest of a line, with its end.
func line(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

func (t *editor) insert(at int, text string) string { return t.text[:at] + text + t.text[at:] }

// below inserts lines behind the line of an offset.
func (t *editor) below(at int, text string) string {
	at += len(line(t.text[at:]))
	if at > 0 && t.text[at-1] != '\n' {
		text = "\n" + text
	}
	return t.insert(at, text+"\n")
}

func (t *editor) replace(key, value *yaml.Node, text string) string {
	if empty(value) {
		return t.insert(t.end(key)+len(":"), " "+text)
	}
	from, end := t.end(key)+len(":"), t.end(value)
	return t.text[:from] + " " + text + t.text[end:]
}

// addKey writes a key behind all others of an entry that is written on one line, and below its name otherwise.
func (t *editor) addKey(entry *yaml.Node, text string) string {
	if entry.Style&yaml.FlowStyle != 0 {
		return t.among(entry, text)
	}
	last := entry.Content[0]
	indent := strings.Repeat(" ", last.Column-1)
	for _, name := range []string{"name", "type"} {
		if _, v := find(entry, name); v != nil && v.Line > last.Line {
			last = v
		}
	}
	return t.below(t.end(last), indent+text)
}

// among inserts before the last bracket of a node.
func (t *editor) among(n *yaml.Node, text string) string {
	at := t.end(n) - 1
	if strings.HasSuffix(strings.TrimRight(t.text[:at], " "), ",") {
		return t.insert(at, " "+text)
	}
	return t.insert(at, ", "+text)
}

// addEntry writes an entry behind all others of a list, which is made at the end of the file if there is none.
func (t *editor) addEntry(doc *yaml.Node, e *Edit) string {
	key, list := find(root(doc), e.List)
	switch {
	case key == nil:
		text := e.List + ":\n  - " + e.fresh() + "\n"
		if t.text == "" {
			return text
		}
		return strings.TrimSuffix(t.text, "\n") + "\n\n" + text
	case empty(list):
		return t.below(t.end(key), "  - "+e.fresh())
	case len(list.Content) == 0:
		return t.replace(key, list, "["+e.fresh()+"]")
	case list.Style&yaml.FlowStyle != 0:
		return t.among(list, e.fresh())
	}
	last := list.Content[len(list.Content)-1]
	indent := strings.Repeat(" ", max(list.Column, 1)-1)
	return t.below(t.end(last), indent+"- "+e.fresh())
}
