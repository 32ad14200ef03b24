package pages

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const (
	// doubling is a net in XML as existing clients write it, with a fragment.
	doubling = `<?xml version="1.0" encoding="UTF-8"?>
<rpinet xmlns="http://schema.isse.de/SoftRobot/RCC/RPINet.xsd" id="ROOT">
  <fragment id="twice">
    <primitive id="sum" type="Core::DoubleAdd">
      <port name="inFirst" fromprimitive="twice" fromport="inValue"/>
      <port name="inSecond" fromprimitive="twice" fromport="inValue" debug="2.0"/>
    </primitive>
    <inPort name="inValue" fromprimitive="in" fromport="outValue"/>
    <outPort name="outValue" fromprimitive="sum" fromport="outValue"/>
  </fragment>
  <module id="in" type="Core::DoubleNetcommIn"><parameter name="Key" value="Step &amp; &quot;more&quot;"/></module>
  <module id="never" type="Core::BooleanValue"/>
  <outport name="outTerminate" frommodule="never" fromport="outValue"/>
</rpinet>
`
	doublingText = `{twice={sum=Core::DoubleAdd(inFirst=parent.inValue,inSecond[2.0]=parent.inValue),outValue=sum.outValue}(inValue=in.outValue),` +
		`in=Core::DoubleNetcommIn(Key='Step & "more"'),never=Core::BooleanValue(),outTerminate=never.outValue}`
	brokenXML = "<rpinet>\n  <primitve id=\"a\"/>\n</rpinet>"
	bomb      = `<!DOCTYPE rpinet [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>` + "\n" + `<rpinet id="&b;"/>`
)

// TestXML compares the answers to nets in XML.
func TestXML(t *testing.T) {
	const urlencoded = "application/x-www-form-urlencoded"
	rpinet := func(document string) string { return url.Values{"rpinet": {document}}.Encode() }
	tests := []struct {
		name, path, media, accept, body string
	}{
		{"bare", "/nets/?desc=a+net&cycle=4ms", "application/xml", forJSON, doubling},
		{"text", "/nets/", "text/xml; charset=utf-8", "", doubling},
		{"rejected", "/nets/", "application/xml", forJSON, `<rpinet><module id="a" type="Core::NoSuch"/></rpinet>`},
		{"broken_json", "/nets/", "application/xml", forJSON, brokenXML},
		{"broken_xml", "/nets/", "application/xml", "", brokenXML},
		{"broken_html", "/nets/", urlencoded, browser, rpinet(brokenXML)},
		{"broken_form", "/nets/", urlencoded, forJSON, rpinet(brokenXML)},
		{"bomb", "/nets/", "application/xml", "", bomb},
		{"no_xml", "/nets/", "application/xml", "", counting},
		{"charset", "/nets/", "text/xml; charset=ISO-8859-1", "", doubling},
		{"utf16", "/nets/", "application/xml", "", "\xFF\xFE<\x00"},
		{"form", "/nets/", urlencoded, "", rpinet(doubling) + "&desc=a+net"},
		{"form_empty", "/nets/", urlencoded, "", "rpinet="},
		{"form_both", "/nets/", urlencoded, "", "rpinet=<rpinet/>&dionet={}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCell(t, Options{})
			checkGolden(t, "xml_"+tt.name, c.answer(request("POST", tt.path, tt.body, "Accept", tt.accept, "Content-Type", tt.media)))
		})
	}
}

// TestBothForms gives nets back in either form, whatever they have come as, and takes them again.
func TestBothForms(t *testing.T) {
	c := newCell(t, Options{})
	c.load(counting, "", "")
	c.answer(request("POST", "/nets/", doubling, "Content-Type", "application/xml"))
	c.load(hopeless, "", "")
	for i, name := range []string{"rpinet0", "rpinet1", "rpinet2"} {
		document := c.answer(request("GET", "/nets/"+name+"/xml", ""))
		checkGolden(t, "xml_get_"+name, document)
		again := c.answer(request("POST", "/nets/", document.text, "Content-Type", "application/xml"))
		if i < 2 && again.StatusCode != http.StatusCreated {
			t.Errorf("%s does not load again: %s", name, again.text)
		}
		n, err := c.Nets.Get("rpinet" + string(rune('3'+i)))
		if err != nil {
			t.Fatal(err)
		}
		root, err := xmlnet.Parse(document.text, grammar.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(root.String(), n.Text()); diff != "" {
			t.Errorf("%s (-given back +loaded again)\n%s", name, diff)
		}
	}
	if dio := c.answer(request("GET", "/nets/rpinet1/dio", "")); dio.text != doublingText+"\n" {
		t.Errorf("in text form: %s", dio.text)
	}
}

// TestExamplesInXML loads the examples of the catalogue in both forms, which makes no difference.
func TestExamplesInXML(t *testing.T) {
	list := core.Primitives()
	c := newCellOf(t, Options{}, list)
	for _, p := range list {
		for _, e := range p.Examples {
			text := exampleNet(p, e)
			asText := c.load(text, "", "")
			document := c.answer(request("GET", "/nets/"+asText.Name()+"/xml", ""))
			answer := c.answer(request("POST", "/nets/", document.text, "Content-Type", "application/xml"))
			asXML, err := c.Nets.Get(strings.Trim(strings.TrimPrefix(answer.Header.Get("Location"), "/nets/"), "/"))
			if err != nil {
				t.Fatalf("%s: %v: %s", text, err, answer.text)
			}
			if diff := cmp.Diff(asText.Text(), asXML.Text()); diff != "" {
				t.Errorf("%s\n%s", text, diff)
			}
			if diff := cmp.Diff(withoutPlaces(asText), withoutPlaces(asXML)); diff != "" {
				t.Errorf("%s\n%s", text, diff)
			}
			for _, n := range []*rcc.Net{asText, asXML} {
				if err := n.Unload(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// exampleNet returns a net with a primitive as an example has it; what it is fed with comes from a fragment, which has no such
// ports.
func exampleNet(p *spec.Primitive, e spec.Example) string {
	a := &grammar.Node{Name: "example", Type: p.Name}
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		a.Args = append(a.Args, grammar.Arg{Name: name, Value: e.Params[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(e.In)) {
		if p.InPort(name) >= 0 { // else a message
			a.Args = append(a.Args, grammar.Arg{Name: name, From: grammar.Source{Name: "given", Port: name}})
		}
	}
	root := &grammar.Node{Fragment: true, Nodes: []*grammar.Node{a, {Name: "given", Fragment: true}}}
	for _, name := range slices.Sorted(maps.Keys(e.Out)) {
		if p.OutPort(name) >= 0 {
			root.Outs = append(root.Outs, grammar.Out{Name: name, From: grammar.Source{Name: "example", Port: name}})
		}
	}
	return root.String()
}

// TestLargestNetInXML gives back a net that is as deep as a limit lets it be.
func TestLargestNetInXML(t *testing.T) {
	c := newCell(t, Options{})
	depth := grammar.DefaultLimits.Depth - 1
	c.load(strings.Repeat("{a=", depth)+"{b=Core::NoSuch}"+strings.Repeat("()}", depth), "", "")
	a := c.answer(request("GET", "/nets/rpinet0/xml", ""))
	if !strings.Contains(a.text, `<module id="b" type="Core::NoSuch"/>`) {
		t.Errorf("%s %s", a.Status, a.text)
	}
}

// TestNoFormInXML has a net with a character that XML does not have.
func TestNoFormInXML(t *testing.T) {
	c := newCell(t, Options{})
	c.load("{a=Core::DoubleNetcommIn(Key='\x01')}", "", "")
	checkGolden(t, "xml_get_control", c.answer(request("GET", "/nets/rpinet0/xml", "", "Accept", forJSON)))
	checkGolden(t, "xml_get_none", c.answer(request("GET", "/nets/rpinet7/xml", "", "Accept", forJSON)))
}

// TestWaysOfXML loads the same net in every way in which a body can carry it.
func TestWaysOfXML(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	lines := strings.ReplaceAll(doubling, "\n", "\r\n")
	for name, r := range map[string]*http.Request{
		"XML":            request("POST", "/nets/", doubling, "Content-Type", "application/xml"),
		"byte order":     request("POST", "/nets/", "\uFEFF"+doubling, "Content-Type", "text/xml"),
		"text":           request("POST", "/nets/", doubling, "Content-Type", "text/plain"),
		"octets":         request("POST", "/nets/", "\r\n"+strings.SplitAfterN(doubling, "\n", 2)[1], "Content-Type", "application/octet-stream"),
		"called a form":  request("POST", "/nets/", doubling, "Content-Type", form),
		"nothing said":   request("POST", "/nets/", doubling),
		"form":           request("POST", "/nets/", url.Values{"rpinet": {doubling}}.Encode(), "Content-Type", form),
		"untyped form":   request("POST", "/nets/", "rpinet="+url.QueryEscape(doubling)),
		"beside nothing": request("POST", "/nets/", url.Values{"dionet": {""}, "rpinet": {lines}}.Encode(), "Content-Type", form),
		"pasted":         request("POST", "/nets/", url.Values{"dionet": {lines}}.Encode(), "Content-Type", form),
		"of a file": request("POST", "/nets/", "--x\r\nContent-Disposition: form-data; name=\"rpinet\"; filename=\"a.xml\"\r\n\r\n"+doubling+"\r\n--x--",
			"Content-Type", "multipart/form-data; boundary=x"),
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t, Options{})
			if a := c.answer(r); a.StatusCode != http.StatusFound && a.StatusCode != http.StatusCreated {
				t.Fatalf("%s %s", a.Status, a.text)
			}
			n, err := c.Nets.Get("rpinet0")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(doublingText, n.Text()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// withoutPlaces returns the reasons why a net was refused, in whichever form it came.
func withoutPlaces(n *rcc.Net) []reason {
	list := reasonsOf(n.Problems())
	for i := range list {
		list[i].Line, list[i].Column = 0, 0
	}
	return list
}
