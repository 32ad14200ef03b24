package pages

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Sources of Java for generators of clients. The output of the original is not on record; these have the names of
// types, ports and parameters as constants, so that a misspelt one is an error of the compiler.

// javaSource writes a class.
type javaSource struct{ strings.Builder }

func (s *javaSource) comment(indent, text string) {
	fmt.Fprintf(s, "%s/** %s */\n", indent, commentEscapes.Replace(text))
}

// commentEscapes keep a comment open; Java reads escapes of characters in comments, too.
var commentEscapes = strings.NewReplacer("*/", "* /", `\`, `\\`)

// constants writes an inner class with the names of ports or parameters.
func (s *javaSource) constants(class string, list []portView) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(s, "\n    public static final class %s {\n", class)
	for _, p := range list {
		s.comment("        ", p.Type+": "+p.Doc)
		fmt.Fprintf(s, "        public static final String %s = %s;\n", javaName(p.Name), strconv.QuoteToASCII(p.Name))
	}
	s.WriteString("    }\n")
}

var notJava = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// javaName makes an identifier of what stands behind the prefix of a name.
func javaName(name string) string {
	name = notJava.ReplaceAllString(name[strings.LastIndexByte(name, ':')+1:], "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

func moduleSource(x *exchange) error {
	p, err := pick(x.primitives(), "primitive", x.value("type"), func(p primitiveView) string { return p.Name })
	if err != nil {
		return err
	}
	var params []portView
	for _, param := range p.Params {
		params = append(params, portView{Name: param.Name, Type: param.Type, Doc: param.Doc})
	}
	var s javaSource
	s.comment("", p.Name+" "+p.Doc+".")
	fmt.Fprintf(&s, "public final class %s {\n", javaName(p.Name))
	s.comment("    ", "Type of the primitive in nets.")
	fmt.Fprintf(&s, "    public static final String TYPE = %s;\n", strconv.QuoteToASCII(p.Name))
	s.constants("In", p.In)
	s.constants("Out", p.Out)
	s.constants("Parameter", params)
	s.WriteString("}\n")
	x.write(http.StatusOK, typeText, []byte(s.String()))
	return nil
}

// javaTypes are the basic data types in Java.
var javaTypes = map[string]string{
	string(value.TypeBool): "boolean", string(value.TypeInt): "int", string(value.TypeDouble): "double",
	string(value.TypeTime): "long", string(value.TypeString): "String",
}

func javaType(name string) string {
	if basic, ok := javaTypes[name]; ok {
		return basic
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func typeSource(x *exchange) error {
	t, err := x.dataType()
	if err != nil {
		return err
	}
	if len(t.Members) == 0 {
		return refuse(codeNoThing, "data type "+t.Name, "it has no members, and needs no class")
	}
	var s javaSource
	s.comment("", t.Doc+", as "+t.Example+".")
	fmt.Fprintf(&s, "public final class %s {\n", javaType(t.Name))
	for _, m := range t.Members {
		fmt.Fprintf(&s, "    public %s %s;\n", javaType(m.Type), m.Name)
	}
	s.WriteString("}\n")
	x.write(http.StatusOK, typeText, []byte(s.String()))
	return nil
}
