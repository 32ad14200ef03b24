package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// sampleView is a net to copy: it has one primitive, inputs that feed it and values that tell what comes out.
type sampleView struct {
	Text    string `xml:",chardata" json:"text"`
	Partner string `xml:"partner,attr,omitempty" json:"partner,omitempty"` // a net to be loaded before, which the primitive talks to
	Device  string `xml:"device,attr,omitempty" json:"device,omitempty"`   // a device that there must be
}

// partnerName is the name of the partner in samples: what the first net of a daemon is called.
const partnerName = "rpinet0"

// sampler makes samples of primitives of a catalogue.
type sampler struct {
	all   []primitiveView
	types []typeView
}

func (s *site) sampler() sampler { return sampler{s.primitives(), s.dataTypes()} }

// sample makes a net around a primitive, with the values of its first example.
func (s sampler) sample(p primitiveView) sampleView {
	params, in := s.exampleOf(p)
	var view sampleView
	var nodes, args, outs []string
	for _, port := range p.In {
		literal, given := in[port.Name]
		if !given && !port.Required {
			continue
		}
		if !given {
			literal = s.exampleOfType(port.Type)
		}
		if port.Type == string(value.TypeMatrix) {
			args = append(args, port.Name+"="+matrix(literal))
		} else if feed := s.feed(port, literal); feed != "" {
			node := "feed" + strings.TrimPrefix(port.Name, "in")
			nodes = append(nodes, node+"="+feed)
			args = append(args, port.Name+"="+node+".outValue")
			delete(params, port.Param)
		}
	}
	for _, param := range p.Params {
		if text, given := params[param.Name]; given {
			args = append(args, fmt.Sprintf("%s='%s'", param.Name, paramEscapes.Replace(text)))
		}
	}
	if net, talks := params["RemoteNet"]; talks && net != "" {
		view.Partner = s.partner(p, params["RemoteKey"])
	}
	view.Device = params["Device"]
	nodes = append(nodes, "sample="+p.Name+"("+strings.Join(args, ", ")+")")
	for _, port := range p.Out {
		if tell := s.typed("NetcommOut", port.Type); tell != "" {
			key := strings.TrimPrefix(port.Name, "out")
			outs = append(outs, fmt.Sprintf("tell%s=%s(inValue=sample.%s, Key='%s')", key, tell, port.Name, key))
		}
	}
	view.Text = netOf(append(nodes, outs...))
	return view
}

// netOf writes entries one below the other, with an end that never comes.
func netOf(entries []string) string {
	return "{" + strings.Join(entries, ",\n") + ",\noutTerminate=Core::BooleanValue(Value='false').outValue}"
}

var paramEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// exampleOf returns the parameters and the first values of the in ports of the first example that is not a refusal.
func (s sampler) exampleOf(p primitiveView) (params, in map[string]string) {
	params, in = map[string]string{}, map[string]string{}
	i := slices.IndexFunc(p.Examples, func(e exampleView) bool { return e.Reject == "" })
	if i >= 0 {
		for _, series := range p.Examples[i].Params {
			params[series.Name] = series.Values[0]
		}
		for _, series := range p.Examples[i].In {
			if k := slices.IndexFunc(series.Values, func(v string) bool { return v != "null" }); k >= 0 {
				in[series.Name] = series.Values[k]
			}
		}
	}
	for _, param := range p.Params {
		if _, given := params[param.Name]; !given && param.Required {
			params[param.Name] = s.exampleOfType(param.Type)
		}
	}
	if _, talks := params["RemoteNet"]; talks {
		params["RemoteNet"] = partnerName
	}
	return params, in
}

func (s sampler) exampleOfType(name string) string {
	i := slices.IndexFunc(s.types, func(t typeView) bool { return t.Name == name })
	if i < 0 {
		return ""
	}
	return s.types[i].Example
}

// typed returns the name of the primitive whose name ends so and that tells or takes values of a type.
func (s sampler) typed(suffix, dataType string) string {
	for _, p := range s.all {
		if !strings.HasSuffix(p.Name, suffix) || strings.HasSuffix(p.Name, "Inter"+suffix) {
			continue
		}
		has := func(port portView) bool { return port.Name == "outValue" || port.Name == "inValue" }
		for _, port := range slices.Concat(p.In, p.Out) {
			if has(port) && port.Type == dataType {
				return p.Name
			}
		}
	}
	return ""
}

// feed returns what gives an in port its values: an input that people can change, or at least a constant.
func (s sampler) feed(port portView, literal string) string {
	if name := s.typed("NetcommIn", port.Type); name != "" {
		return fmt.Sprintf("%s(Key='%s', Value='%s')", name, strings.TrimPrefix(port.Name, "in"), paramEscapes.Replace(literal))
	}
	if name := s.typed("Value", port.Type); name != "" {
		return fmt.Sprintf("%s(Value='%s')", name, paramEscapes.Replace(literal))
	}
	return ""
}

// matrix makes a matrix element by element: no primitive takes one as text.
func matrix(literal string) string {
	rows := strings.Split(strings.Trim(literal, "[]"), "],[")
	text := fmt.Sprintf("Core::MatrixCreate(Rows='%d', Cols='%d').outMatrix", len(rows), 1+strings.Count(rows[0], ","))
	for i, row := range rows {
		for k, element := range strings.Split(row, ",") {
			if element == "0" {
				continue
			}
			set := fmt.Sprintf("Core::MatrixSet(inMatrix=%s, inValue=Core::DoubleValue(Value='%s').outValue, Rows='%d', Cols='%d', Row='%d', Col='%d')",
				text, paramEscapes.Replace(element), len(rows), 1+strings.Count(rows[0], ","), i, k)
			text = set + ".outMatrix"
		}
	}
	return text
}

// partner returns a net that has the key both as an input and as a value.
func (s sampler) partner(p primitiveView, key string) string {
	for _, port := range slices.Concat(p.In, p.Out) {
		if port.Name != "inValue" && port.Name != "outValue" {
			continue
		}
		in, out := s.typed("NetcommIn", port.Type), s.typed("NetcommOut", port.Type)
		return netOf([]string{
			fmt.Sprintf("given=%s(Key='%s', Value='%s')", in, key, paramEscapes.Replace(s.exampleOfType(port.Type))),
			fmt.Sprintf("told=%s(inValue=given.outValue, Key='%s')", out, key),
		})
	}
	return ""
}
