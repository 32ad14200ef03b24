package pages

import (
	"net/http"
	"net/url"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// graphView is what a net consists of, for programs that draw it. Nodes are named by their place in the list.
type graphView struct {
	Net   string              `json:"net"`
	URI   string              `json:"uri"`
	Cycle string              `json:"cycle"`
	Types map[string]kindView `json:"types"`
	Nodes []nodeView          `json:"nodes"`
	Links []linkView          `json:"links"`
}

// kindView is a type that nodes have.
type kindView struct {
	URI   string `json:"uri"`
	Doc   string `json:"doc"`
	Count int    `json:"count"`
}

type nodeView struct {
	Path     string       `json:"path"` // empty for the net itself
	Name     string       `json:"name"`
	Parent   int          `json:"parent"`         // the fragment in which it stands; -1 for the net itself
	Host     *int         `json:"host,omitempty"` // of an anonymous node: the node to whose port Name it is connected
	Type     string       `json:"type,omitempty"`
	Fragment bool         `json:"fragment,omitempty"`
	Line     int          `json:"line"`
	Column   int          `json:"column"`
	Params   []paramValue `json:"params,omitempty"`
	In       []portType   `json:"in"`
	Out      []portType   `json:"out"`
	Order    *int         `json:"order,omitempty"` // of execution; left out if there is nothing to execute in a cycle
	Constant bool         `json:"constant,omitempty"`
	Guards   []endOfLink  `json:"guards,omitempty"`
}

type paramValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Given bool   `json:"given,omitempty"` // in the text of the net
}

// portType is a port of a node; its type is empty for a port of a fragment that is connected to nothing.
type portType struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type endOfLink struct {
	Node int    `json:"node"` // -1: the value comes from nowhere
	Port string `json:"port"`
}

type linkView struct {
	From   endOfLink  `json:"from"`
	To     endOfLink  `json:"to"`
	Source *endOfLink `json:"source,omitempty"` // out port of a primitive, where From is a port of a fragment
	Type   string     `json:"type"`
}

// showGraph answers in JSON, whatever is accepted.
func showGraph(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	s, err := n.Structure()
	if err != nil {
		return err
	}
	body, err := facts.JSON(x.graphView(n, s))
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

func (x *exchange) graphView(n *rcc.Net, s *rcc.Structure) graphView {
	view := graphView{Net: n.Name(), URI: facts.NetURI(n.Name()), Cycle: n.Period().String(), Types: map[string]kindView{}}
	for i := range s.Nodes {
		node := &s.Nodes[i]
		if node.Type != "" {
			kind := view.Types[node.Type]
			if kind.Count++; kind.Count == 1 {
				kind.URI = "/primitives/" + url.PathEscape(node.Type)
				kind.Doc = x.core.Nets.Catalogue().Lookup(node.Type).Doc
			}
			view.Types[node.Type] = kind
		}
		view.Nodes = append(view.Nodes, viewOfNode(node))
	}
	for _, l := range s.Links {
		link := linkView{From: endOfLink(l.From), To: endOfLink(l.To), Type: string(l.Type)}
		if l.Source != l.From {
			source := endOfLink(l.Source)
			link.Source = &source
		}
		view.Links = append(view.Links, link)
	}
	return view
}

func viewOfNode(node *rcc.Node) nodeView {
	v := nodeView{
		Path: node.Path, Name: node.Name, Parent: node.Parent, Type: node.Type, Fragment: node.Fragment,
		Line: node.Pos.Line, Column: node.Pos.Column, In: portTypes(node.In), Out: portTypes(node.Out), Constant: node.Constant,
	}
	if node.Host >= 0 {
		v.Host = &node.Host
	}
	if node.Order >= 0 {
		v.Order = &node.Order
	}
	for _, p := range node.Params {
		v.Params = append(v.Params, paramValue(p))
	}
	for _, g := range node.Guards {
		v.Guards = append(v.Guards, endOfLink(g))
	}
	return v
}

func portTypes(ports []rcc.Port) (list []portType) {
	for _, p := range ports {
		list = append(list, portType{p.Name, string(p.Type)})
	}
	return list
}
