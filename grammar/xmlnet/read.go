package xmlnet

import (
	"errors"
	"io"
	"slices"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/xmlread"
)

// Parse reads a net in its XML form. Errors are of type *grammar.Error. The limits mean what they mean for the text
// form; elements of other namespaces count for the depth. Names and values of the tree are pieces of text, which lives as long as they do.
func Parse(text string, lim grammar.Limits) (*grammar.Node, error) {
	r, err := newReader(text, lim)
	if err != nil {
		return nil, refusal(err)
	}
	root, err := r.document()
	if err != nil {
		return nil, refusal(err)
	}
	return root, nil
}

func (r *reader) document() (*grammar.Node, error) {
	_, err := r.next() // a start: an end without one is an error
	if errors.Is(err, io.EOF) {
		return nil, r.refuse(len(r.Source()), "found end of text, expected element rpinet")
	}
	if err != nil {
		return nil, err
	}
	if ours, err := r.ours(); err != nil {
		return nil, err
	} else if !ours {
		return nil, r.refuse(r.Offset, "found namespace %s, expected %s or none", xmlread.Quote(r.Name.Space), Namespace)
	}
	if _, err := r.knows(document); err != nil {
		return nil, err
	}
	if _, err := r.attributes(net); err != nil {
		return nil, err
	}
	root := &grammar.Node{Pos: r.pos(), Fragment: true}
	if err := r.body(root, net); err != nil {
		return nil, err
	}
	if _, err := r.next(); err == nil {
		return nil, r.refuse(r.Offset, "found another element, expected end of text")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return root, nil
}

// body reads what is inside of a node, to its end.
func (r *reader) body(node *grammar.Node, is element) error {
	if err := r.count(&r.nodes, r.lim.Primitives, "primitives and fragments"); err != nil {
		return err
	}
	if err := r.enter(); err != nil {
		return err
	}
	outer := len(r.args)
	for {
		inner, more, err := r.child(is)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := r.part(node, inner); err != nil {
			return err
		}
	}
	node.Args = r.lists.Copy(r.args[outer:])
	r.args = r.args[:outer]
	r.depth--
	return nil
}

// part reads an element in a node: another node, or a parameter or port.
func (r *reader) part(node *grammar.Node, is element) error {
	pos := r.pos()
	text, err := r.attributes(is)
	if err != nil {
		return err
	}
	if is == fragment || is == primitive {
		inner := r.made.One()
		*inner = grammar.Node{Name: text[ofID], Pos: pos, Fragment: is == fragment, Type: text[ofType]}
		node.Nodes = append(node.Nodes, inner)
		err := r.body(inner, is)
		takeForParent(inner)
		return err
	}
	if err := r.count(&r.ports, r.lim.Ports, "ports and parameters"); err != nil {
		return err
	}
	if is == parameter {
		r.args = append(r.args, grammar.Arg{Name: text[ofName], Pos: pos, Value: text[ofValue]})
	} else {
		from := grammar.Source{Name: text[ofSource], Port: text[ofPort], Pos: pos}
		if is == port {
			r.args = append(r.args, grammar.Arg{Name: text[ofName], Pos: pos, Debug: text[ofDebug], From: from})
		} else {
			node.Outs = append(node.Outs, grammar.Out{Name: text[ofName], Pos: pos, Debug: text[ofDebug], From: from})
		}
	}
	_, _, err = r.child(is) // nothing but its end
	return err
}

// takeForParent finds what the inside of a fragment has from the fragment itself, whose name it uses for that.
func takeForParent(f *grammar.Node) {
	if !f.Fragment || hasNode(f, f.Name) {
		return
	}
	for _, inner := range f.Nodes {
		for i := range inner.Args {
			if from := &inner.Args[i].From; from.Name == f.Name {
				from.Name = grammar.Parent
			}
		}
	}
	for i := range f.Outs {
		if from := &f.Outs[i].From; from.Name == f.Name {
			from.Name = grammar.Parent
		}
	}
}

func hasNode(f *grammar.Node, name string) bool {
	return slices.ContainsFunc(f.Nodes, func(n *grammar.Node) bool { return n.Name == name })
}
