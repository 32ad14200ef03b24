package xmlnet_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
)

const schemaFile = "../../docs/net.xsd"

// schema is as much of docs/net.xsd as it uses of the language of schemas.
type schema struct {
	Types []struct {
		Name     string `xml:"name,attr"`
		Elements []struct {
			Name string `xml:"name,attr"`
			Type string `xml:"type,attr"`
		} `xml:"choice>element"`
		Attributes []schemaAttribute `xml:"attribute"`
	} `xml:"complexType"`
	Simple []struct {
		Name    string `xml:"name,attr"`
		Pattern struct {
			Value string `xml:"value,attr"`
		} `xml:"restriction>pattern"`
	} `xml:"simpleType"`
}

type schemaAttribute struct {
	Name string `xml:"name,attr"`
	Type string `xml:"type,attr"`
	Use  string `xml:"use,attr"`
}

func readSchema(t testing.TB) *schema {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	s := new(schema)
	if err := xml.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	if len(s.Types) != 5 || len(s.Simple) != 2 {
		t.Fatalf("%d types and %d simple ones, but 5 and 2 were expected: the test no longer reads all of the schema", len(s.Types), len(s.Simple))
	}
	return s
}

// tree is an element of any kind.
type tree struct {
	name  string
	attrs [][2]string
	inner []*tree
}

func (e *tree) write(b *strings.Builder) {
	b.WriteString("<" + e.name)
	for _, a := range e.attrs {
		fmt.Fprintf(b, " %s=%q", a[0], a[1])
	}
	b.WriteString(">")
	for _, inner := range e.inner {
		inner.write(b)
	}
	b.WriteString("</" + e.name + ">")
}

// fits reports whether an element is as the schema says of a type, and has one source if it is a port.
func (s *schema) fits(e *tree, typ string) bool {
	if strings.HasPrefix(e.name, "e:") {
		return true
	}
	for _, t := range s.Types {
		if t.Name != typ {
			continue
		}
		values := map[string]string{}
		for _, a := range e.attrs {
			i := slices.IndexFunc(t.Attributes, func(known schemaAttribute) bool { return known.Name == a[0] })
			_, again := values[a[0]]
			if again || i < 0 && !strings.HasPrefix(a[0], "e:") || i >= 0 && !s.matches(a[1], t.Attributes[i].Type) {
				return false
			}
			values[a[0]] = a[1]
		}
		for _, known := range t.Attributes {
			if _, given := values[known.Name]; !given && known.Use == "required" {
				return false
			}
		}
		_, primitive := values["fromprimitive"]
		_, module := values["frommodule"]
		return (typ != "port" || primitive != module) && !slices.ContainsFunc(e.inner, func(inner *tree) bool {
			typ, ok := s.inside(t.Name, inner.name)
			return !ok || !s.fits(inner, typ)
		})
	}
	return false
}

// inside returns the type of an element within one of another type.
func (s *schema) inside(typ, name string) (string, bool) {
	for _, t := range s.Types {
		for _, e := range t.Elements {
			if t.Name == typ && e.Name == name {
				return e.Type, true
			}
		}
	}
	return "", strings.HasPrefix(name, "e:")
}

func (s *schema) matches(value, typ string) bool {
	for _, simple := range s.Simple {
		if simple.Name == typ {
			return regexp.MustCompile("^(?:" + simple.Pattern.Value + ")$").MatchString(value)
		}
	}
	return typ == "xsd:string"
}

// TestSchema holds the reader to the schema with random documents, many of which have a mistake.
func TestSchema(t *testing.T) {
	s := readSchema(t)
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		e := s.draw(t, "rpinet", "rpinet", 4)
		var b strings.Builder
		e.write(&b)
		text := strings.Replace(b.String(), "<rpinet", `<rpinet xmlns:e="others"`, 1)
		_, err := xmlnet.Parse(text, grammar.Limits{})
		if fits := s.fits(e, "rpinet"); fits != (err == nil) {
			t.Fatalf("%s: valid %v, read with %v", text, fits, err)
		} else if fits {
			accepted++
		} else {
			refused++
		}
	})
	if accepted == 0 || refused == 0 {
		t.Errorf("%d documents accepted and %d refused: one side is not tested", accepted, refused)
	}
}

// draw makes an element that the schema allows, with a mistake now and then.
func (s *schema) draw(t *rapid.T, name, typ string, depth int) *tree {
	e := &tree{name: name}
	rarely := func(label string) bool { return rapid.IntRange(0, 30).Draw(t, label) == 0 }
	for _, known := range s.Types {
		if known.Name != typ {
			continue
		}
		source := rapid.SampledFrom([]string{"fromprimitive", "frommodule"}).Draw(t, "source")
		for _, a := range known.Attributes {
			wanted := a.Use == "required" || a.Name == source || a.Use == "" && !strings.HasPrefix(a.Name, "from") && rapid.Bool().Draw(t, a.Name)
			if wanted != rarely("change") {
				e.attrs = append(e.attrs, [2]string{a.Name, drawValue(t, a.Type, rarely("value"))})
			}
		}
		if rarely("attribute") {
			e.attrs = append(e.attrs, [2]string{drawWord(t, s), "1"})
		}
		for range rapid.IntRange(0, 3).Draw(t, "inner") {
			if rarely("element") {
				word := drawWord(t, s)
				typ, _ := s.typeOf(word)
				e.inner = append(e.inner, s.draw(t, word, typ, 0))
			} else if len(known.Elements) > 0 && depth > 0 {
				inner := rapid.SampledFrom(known.Elements).Draw(t, "kind")
				e.inner = append(e.inner, s.draw(t, inner.Name, inner.Type, depth-1))
			}
		}
	}
	return e
}

func drawValue(t *rapid.T, typ string, wrong bool) string {
	values := []string{"", "a b", "-1", "1.", "é", "a.b"}
	if !wrong {
		values = map[string][]string{
			"name": {"a", "13", "Core::X", "_", ":"}, "seconds": {"2", "2.0", ".5"}, "xsd:string": {"", "a b", "é"},
		}[typ]
	}
	return rapid.SampledFrom(values).Draw(t, "value")
}

// drawWord draws any word of the schema, or none of it.
func drawWord(t *rapid.T, s *schema) string {
	words := []string{"rpinet", "x", "Port", "inPorts", "e:x"}
	for _, typ := range s.Types {
		for _, e := range typ.Elements {
			words = append(words, e.Name)
		}
		for _, a := range typ.Attributes {
			words = append(words, a.Name)
		}
	}
	return rapid.SampledFrom(words).Draw(t, "word")
}

// typeOf returns the type of an element of that name; in this schema it does not depend on the place.
func (s *schema) typeOf(name string) (string, bool) {
	for _, t := range s.Types {
		if typ, ok := s.inside(t.Name, name); ok && typ != "" {
			return typ, true
		}
	}
	return "", false
}

// whole has an element of every spelling that is known, with the attributes that it must have.
var whole = map[string][][2]string{
	"rpinet": nil, "fragment": {{"id", "1"}},
	"primitive": {{"id", "1"}, {"type", "1"}}, "module": {{"id", "1"}, {"type", "1"}},
	"parameter": {{"name", "1"}, {"value", "1"}},
	"port":      aPort, "inport": aPort, "inPort": aPort, "outport": aPort, "outPort": aPort,
	"Port": aPort, "Module": {{"id", "1"}, {"type", "1"}}, // which is unknown
}

var aPort = [][2]string{{"name", "1"}, {"fromport", "1"}, {"frommodule", "1"}}

// TestWordsOfTheSchema puts every element into every other one, and every attribute to every element.
func TestWordsOfTheSchema(t *testing.T) {
	s := readSchema(t)
	accepted := map[string]bool{}
	try := func(outer string, inner *tree) {
		root := &tree{name: outer, attrs: whole[outer], inner: []*tree{inner}}
		if outer != "rpinet" {
			root = &tree{name: "rpinet", inner: []*tree{root}}
		}
		var b strings.Builder
		root.write(&b)
		_, err := xmlnet.Parse(b.String(), grammar.Limits{})
		if fits := s.fits(root, "rpinet"); fits != (err == nil) {
			t.Errorf("%s: valid %v, read with %v", b.String(), fits, err)
		} else if fits {
			accepted[inner.name] = true
		}
	}
	attributes := []string{"id", "type", "name", "value", "fromprimitive", "frommodule", "fromport", "debug", "fromPort", "xyz"}
	for outer := range whole {
		for name, attrs := range whole {
			try(outer, &tree{name: name, attrs: attrs})
			for i := range attrs {
				try(outer, &tree{name: name, attrs: slices.Delete(slices.Clone(attrs), i, i+1)})
			}
			for _, more := range attributes {
				for _, value := range []string{"1", "", "a b", "1.5", "name"} {
					try(outer, &tree{name: name, attrs: append(slices.Clone(attrs), [2]string{more, value})})
				}
			}
		}
	}
	if len(accepted) != len(whole)-3 { // the net itself and those that are unknown
		t.Errorf("accepted are only %v", accepted)
	}
}

// TestValidator asks a validator of others about the documents that are read or written here.
func TestValidator(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("no xmllint: the schema is compared with the reader only")
	}
	folder := t.TempDir()
	for i, text := range slices.Concat(inputs(t, "testdata/ok.txtar"), writtenNets(t)) {
		if strings.Contains(text, `xmlns=""`) {
			continue // elements without the namespace among those that have it are read, and there is a schema for each only
		}
		name := filepath.Join(folder, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file := schemaFile
		if strings.Contains(text, xmlnet.Namespace) {
			file = "../../docs/net-namespace.xsd"
		}
		if out, err := exec.CommandContext(t.Context(), xmllint, "--noout", "--nonet", "--schema", file, name).CombinedOutput(); err != nil {
			t.Errorf("%s\n%s", text, out)
		}
	}
}

func writtenNets(t testing.TB) (documents []string) {
	t.Helper()
	for _, text := range netsOfTheProject(t) {
		root, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			continue
		}
		document, err := xmlnet.Append(nil, root)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(document))
	}
	return documents
}
