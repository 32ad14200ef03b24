package xmlnet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/arena"
	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/internal/xmlread"
)

// reader gives the elements of a document one by one and refuses what has no place there.
type reader struct {
	*xmlread.Reader
	lim grammar.Limits

	depth, nodes, ports int

	args  []grammar.Arg // of the nodes that are being read, outer ones first
	made  arena.Of[grammar.Node]
	lists arena.Of[grammar.Arg]
}

func newReader(text string, lim grammar.Limits) (*reader, error) {
	most := cmp.Or(lim.Bytes, grammar.DefaultLimits.Bytes)
	if len(text) > most {
		return nil, &grammar.Error{Message: fmt.Sprintf("%d bytes, limit %d", len(text), most)}
	}
	lim = grammar.Limits{
		Depth:      cmp.Or(lim.Depth, grammar.DefaultLimits.Depth),
		Primitives: cmp.Or(lim.Primitives, grammar.DefaultLimits.Primitives),
		Ports:      cmp.Or(lim.Ports, grammar.DefaultLimits.Ports),
	}
	document, err := xmlread.New(text, lim.Depth+leaves)
	return &reader{Reader: document, lim: lim}, err
}

// leaves is how much deeper than its nodes a net is nested: parameters and ports do not count, and an element too deep is refused
// where it counts.
const leaves = 2

// next returns the next start or end of an element, or io.EOF.
func (r *reader) next() (xmlread.Kind, error) {
	for {
		kind, err := r.Next()
		if err != nil || kind != xmlread.Text {
			return kind, err
		}
		if text := strings.Trim(r.Data, blanks); text != "" {
			return 0, r.refuse(r.Offset+blanksOf(r.Source()[r.Offset:]), "found text %s, expected elements only", xmlread.Quote(text))
		}
	}
}

const blanks = " \t\r\n"

// blanksOf counts the blanks at the beginning.
func blanksOf(text string) int { return len(text) - len(strings.TrimLeft(text, blanks)) }

// child goes to the next element inside of another one; there are no more at the end of that.
func (r *reader) child(within element) (is element, more bool, err error) {
	for {
		kind, err := r.next()
		if err != nil || kind == xmlread.End {
			return unknown, false, err
		}
		ours, err := r.ours()
		if err == nil && ours {
			is, err = r.knows(within)
			return is, true, err
		}
		if err == nil {
			err = r.pass()
		}
		if err != nil {
			return unknown, false, err
		}
	}
}

// ours distinguishes elements of nets from others.
func (r *reader) ours() (bool, error) {
	if r.Name.Unbound {
		return false, r.refuse(r.Offset, "element %s has a prefix without a namespace", xmlread.Quote(r.Name.Local))
	}
	return !ofOthers(&r.Name), nil
}

// ofOthers recognises names of other namespaces.
func ofOthers(name *xmlread.Name) bool {
	return name.Space != "" && name.Space != Namespace && !name.Unbound
}

// pass reads to the end of an element of others.
func (r *reader) pass() error {
	outside := r.depth
	err := r.enter()
	for err == nil && r.depth > outside {
		var kind xmlread.Kind
		kind, err = r.Next()
		switch kind {
		case xmlread.Start:
			err = r.enter()
		case xmlread.End:
			r.depth--
		}
	}
	return err
}

// knows says what the element means, and refuses one that has no place within another one.
func (r *reader) knows(within element) (element, error) {
	name := r.Name.Local
	is := elementOf(name)
	if slices.Contains(inside[within], is) {
		return is, nil
	}
	names := spellings(within)
	text := "found element " + xmlread.Quote(name)
	if within != document {
		text += " in " + within.String()
	}
	text += ", expected " + either(names)
	if is == unknown {
		text += suggest.DidYouMean(name, slices.Values(names))
	}
	return is, r.refuse(r.Offset, "%s", text)
}

// attributes reads those of the element; what others have added to it is passed over.
func (r *reader) attributes(is element) (values [places]string, err error) {
	var given [places]bool
	known := attributes[is]
	for i := range r.Attrs {
		a := &r.Attrs[i]
		if ofOthers(&a.Name) {
			continue
		}
		k := slices.IndexFunc(known, func(k attribute) bool { return k.name == a.Local && a.Prefix == "" })
		switch {
		case a.Prefix != "":
			err = r.refuse(a.Offset, "attribute %s has a prefix, expected none", xmlread.Quote(a.Local))
		case k < 0:
			names := namesOf(known)
			err = r.refuse(a.Offset, "found attribute %s of %s, expected %s%s", xmlread.Quote(a.Local), r.Name.Local, either(names),
				suggest.DidYouMean(a.Local, slices.Values(names)))
		case given[known[k].place]:
			err = r.refuse(a.Offset, "attribute %s gives again what is given before", a.Local)
		case !known[k].form.fits(a.Value):
			err = r.refuse(a.Offset, "attribute %s is %s, expected %s", a.Local, xmlread.Quote(a.Value), known[k].form)
		default:
			given[known[k].place], values[known[k].place] = true, a.Value
		}
		if err != nil {
			return values, err
		}
	}
	for i := range known {
		if a := &known[i]; !a.optional && !given[a.place] {
			return values, r.refuse(r.Offset, "%s without attribute %s", r.Name.Local, either(namesOf(sameAs(*a, known))))
		}
	}
	return values, nil
}

// enter goes into an element.
func (r *reader) enter() error {
	if r.depth++; r.depth > r.lim.Depth {
		return r.refuse(r.Offset, "nested more than %d deep", r.lim.Depth)
	}
	return nil
}

// count counts something that has a limit.
func (r *reader) count(n *int, limit int, what string) error {
	if *n++; *n > limit {
		return r.refuse(r.Offset, "more than %d %s", limit, what)
	}
	return nil
}

// refusal says any error in the words of package grammar.
func refusal(err error) error {
	var malformed *xmlread.Error
	if errors.As(err, &malformed) {
		return &grammar.Error{Pos: grammar.Pos{Line: malformed.Line, Column: malformed.Column}, Message: malformed.Message}
	}
	return err
}

func (r *reader) refuse(at int, format string, args ...any) *grammar.Error {
	return &grammar.Error{Pos: r.at(at), Message: fmt.Sprintf(format, args...)}
}

// pos returns where the element begins.
func (r *reader) pos() grammar.Pos { return r.at(r.Offset) }

func (r *reader) at(offset int) grammar.Pos {
	line, column := r.Place(offset)
	return grammar.Pos{Line: line, Column: column}
}
