package pages

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// graphView is what a net consists of, for programs that draw it. Nodes are named by their place in the list.
type graphView struct {
	Net         string              `json:"net"`
	URI         string              `json:"uri"`
	Description string              `json:"description,omitempty"`
	Cycle       string              `json:"cycle"`
	Types       map[string]kindView `json:"types"`
	Costs       string              `json:"costs,omitempty"` // where the costs of types come from
	Nodes       []nodeView          `json:"nodes"`
	Links       []linkView          `json:"links"`
}

// kindView is a type that nodes have.
type kindView struct {
	URI   string   `json:"uri"`
	Doc   string   `json:"doc"`
	Count int      `json:"count"`
	Cost  *float64 `json:"cost,omitempty"` // of an instance in a cycle, ns, as measured
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
	Formula  *formulaView `json:"formula,omitempty"`

	Device    *thingView  `json:"device,omitempty"` // that it reads or commands
	Publishes string      `json:"publishes,omitempty"`
	Rules     []thingView `json:"rules,omitempty"` // that read what it publishes
}

// formulaView is what an operator computes, with the operators that compute for it alone.
type formulaView struct {
	Text  string      `json:"text"`
	Terms []endOfLink `json:"terms"` // inputs, in the order of Text
	Parts []int       `json:"parts,omitempty"`
}

// thingView leads to something else of the cell.
type thingView struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
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
	Debug  string     `json:"debug,omitempty"` // seconds that are recorded
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
	view := x.graphView(n, s)
	if err := x.addCosts(&view); err != nil {
		return err
	}
	body, err := facts.JSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

func (x *exchange) graphView(n *rcc.Net, s *rcc.Structure) graphView {
	view := graphView{Net: n.Name(), URI: facts.NetURI(n.Name()), Description: n.Description(), Cycle: n.Period().String(), Types: map[string]kindView{}}
	rules := x.readersOf(n.Name())
	devices := x.deviceNames()
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
		v := viewOfNode(node)
		if node.Publishes != "" {
			v.Rules = rules[node.Publishes]
		}
		if devices[node.Device] {
			v.Device = &thingView{node.Device, facts.DeviceURI(node.Device)}
		}
		view.Nodes = append(view.Nodes, v)
	}
	for _, l := range s.Links {
		link := linkView{From: endOfLink(l.From), To: endOfLink(l.To), Type: string(l.Type), Debug: l.Debug}
		if l.Source != l.From {
			source := endOfLink(l.Source)
			link.Source = &source
		}
		view.Links = append(view.Links, link)
	}
	return view
}

// addCosts says what types take, where that was measured.
func (x *exchange) addCosts(view *graphView) error {
	if x.opt.Costs == nil {
		return nil
	}
	costs, err := x.opt.Costs()
	if err != nil || costs == nil {
		return err
	}
	for name, kind := range view.Types {
		if cost, ok := costs.Types[name]; ok {
			kind.Cost, view.Costs = &cost, costs.From
			view.Types[name] = kind
		}
	}
	return nil
}

// readersOf returns the rules that read what a net publishes, by its names.
func (x *exchange) readersOf(net string) map[string][]thingView {
	rules := map[string][]thingView{}
	for _, r := range x.core.Rules.All() {
		for _, key := range r.Reads(net) {
			rules[key] = append(rules[key], thingView{"rule " + strconv.Itoa(r.Number()), facts.RuleURI(r.Number())})
		}
	}
	return rules
}

func (x *exchange) deviceNames() map[string]bool {
	names := map[string]bool{}
	for _, d := range x.core.Devices.All() {
		names[d.Name] = true
	}
	return names
}

func viewOfNode(node *rcc.Node) nodeView {
	v := nodeView{
		Path: node.Path, Name: node.Name, Parent: node.Parent, Type: node.Type, Fragment: node.Fragment,
		Line: node.Pos.Line, Column: node.Pos.Column, In: portTypes(node.In), Out: portTypes(node.Out), Constant: node.Constant,
		Publishes: node.Publishes,
	}
	if f := node.Formula; f != nil {
		v.Formula = &formulaView{Text: f.Text, Terms: append([]endOfLink{}, endsOf(f.Terms)...), Parts: f.Parts}
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
	v.Guards = endsOf(node.Guards)
	return v
}

func endsOf(ends []rcc.End) (list []endOfLink) {
	for _, e := range ends {
		list = append(list, endOfLink(e))
	}
	return list
}

func portTypes(ports []rcc.Port) (list []portType) {
	for _, p := range ports {
		list = append(list, portType{p.Name, string(p.Type)})
	}
	return list
}
