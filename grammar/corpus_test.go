package grammar_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
)

var update = flag.Bool("update", false, "rewrite what the corpus expects")

// wantSuffix marks what is expected of the text of the same name.
const wantSuffix = ".want"

func TestAccepted(t *testing.T) {
	testCorpus(t, "testdata/ok.txtar", func(t *testing.T, language, text string) string {
		tree, err := dumpTree(language, text)
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return tree
	})
}

func TestRefused(t *testing.T) {
	testCorpus(t, "testdata/err.txtar", func(t *testing.T, language, text string) string {
		_, err := dumpTree(language, text)
		var refused *grammar.Error
		if !errors.As(err, &refused) {
			t.Fatalf("accepted, or an error of another type: %v", err)
		}
		got := refused.Error() + "\n"
		if full := explain.Explain(languages[language], text, err).Error() + "\n"; full != got {
			got += full
		}
		return got
	})
}

var languages = map[string]explain.Language{
	"net": explain.Net, "statement": explain.Statement, "cond": explain.Cond,
}

// testCorpus compares what got makes of every text in a corpus with what stands behind it there. The last line break of
// a text belongs to the corpus and not to the text.
func testCorpus(t *testing.T, file string, got func(t *testing.T, language, text string) string) {
	t.Helper()
	corpus, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for _, f := range corpus.Files {
		want[f.Name] = string(f.Data)
	}
	fresh := txtar.Archive{Comment: corpus.Comment}
	for _, f := range corpus.Files {
		if strings.HasSuffix(f.Name, wantSuffix) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			text := strings.TrimSuffix(string(f.Data), "\n")
			result := got(t, path.Dir(f.Name), text)
			fresh.Files = append(fresh.Files, f, txtar.File{Name: f.Name + wantSuffix, Data: []byte(result)})
			if diff := cmp.Diff(want[f.Name+wantSuffix], result); diff != "" && !*update {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if !*update {
		return
	}
	if err := os.WriteFile(file, txtar.Format(&fresh), 0o644); err != nil {
		t.Fatal(err)
	}
}

func dumpTree(language, text string) (string, error) {
	var d dumper
	switch language {
	case "net":
		root, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			return "", err
		}
		d.node(root, "net")
	case "statement":
		st, err := grammar.ParseStatement(text, grammar.Limits{})
		if err != nil {
			return "", err
		}
		d.line("tag %s, command %s", st.Tag, st.Command)
		d.params(nil, st.Params)
	case "cond":
		c, err := grammar.ParseCond(text, grammar.Limits{})
		if err != nil {
			return "", err
		}
		d.cond(c)
	}
	return d.String(), nil
}

// dumper writes trees with one thing a line, what is inside of something indented.
type dumper struct {
	strings.Builder
	depth int
}

func (d *dumper) line(format string, args ...any) {
	d.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(d, format+"\n", args...)
}

func (d *dumper) inside(do func()) {
	d.depth++
	do()
	d.depth--
}

func (d *dumper) node(n *grammar.Node, what string) {
	kind := "primitive " + n.Type
	if n.Fragment {
		kind = "fragment"
	}
	d.line("%s %s%s", what, kind, at(n.Pos))
	d.inside(func() {
		for i := range n.Args {
			d.arg(&n.Args[i])
		}
		for _, inner := range n.Nodes {
			d.node(inner, inner.Name+":")
		}
		for i := range n.Outs {
			o := &n.Outs[i]
			d.port("out port", o.Name, o.Debug, o.Pos, &o.From)
		}
	})
}

func (d *dumper) arg(a *grammar.Arg) {
	if a.Connected() {
		d.port("in port", a.Name, a.Debug, a.Pos, &a.From)
		return
	}
	d.line("parameter %s %q%s", a.Name, a.Value, at(a.Pos))
}

func (d *dumper) port(what, name, debug string, pos grammar.Pos, from *grammar.Source) {
	if debug != "" {
		debug = " debug " + debug
	}
	if from.Inline == nil {
		d.line("%s %s%s%s from %s . %s%s", what, name, at(pos), debug, from.Name, from.Port, at(from.Pos))
		return
	}
	d.line("%s %s%s%s from anonymous . %s%s", what, name, at(pos), debug, from.Port, at(from.Pos))
	d.inside(func() { d.node(from.Inline, "anonymous") })
}

func (d *dumper) params(keys []string, params []grammar.Param) {
	d.inside(func() {
		for i, p := range params {
			key := ""
			if keys != nil {
				key = fmt.Sprintf("%q: ", keys[i])
			}
			switch p.Kind {
			case grammar.List:
				d.line("%slist of %d", key, len(p.Items))
			case grammar.Map:
				d.line("%smap of %d", key, len(p.Items))
			default:
				d.line("%s%s %q", key, []string{"string", "int", "float"}[p.Kind], p.Text)
			}
			d.params(p.Keys, p.Items)
		}
	})
}

func (d *dumper) cond(c *grammar.Cond) {
	if c.Op == grammar.Var {
		d.line("%s . %s%s", c.Net, c.Key, at(c.Pos))
		return
	}
	d.line("%s%s", []string{"true", "", "not", "and", "or"}[c.Op], at(c.Pos))
	d.inside(func() {
		for _, operand := range c.Operands {
			d.cond(operand)
		}
	})
}

func at(p grammar.Pos) string { return fmt.Sprintf(" (%d:%d)", p.Line, p.Column) }
