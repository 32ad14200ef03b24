package xmlnet_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
)

var update = flag.Bool("update", false, "rewrite what the corpus expects")

// TestAccepted compares nets in XML with their text form.
func TestAccepted(t *testing.T) {
	testCorpus(t, "testdata/ok.txtar", func(t *testing.T, text string) string {
		root, err := xmlnet.Parse(text, grammar.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		rereads(t, root)
		return root.String() + "\n"
	})
}

// TestRefused compares errors, which all have a place.
func TestRefused(t *testing.T) {
	testCorpus(t, "testdata/err.txtar", func(t *testing.T, text string) string {
		_, err := xmlnet.Parse(text, grammar.Limits{})
		var refused *grammar.Error
		if !errors.As(err, &refused) || refused.Pos == (grammar.Pos{}) {
			t.Fatalf("accepted, or an error of another type or without place: %v", err)
		}
		return refused.Error() + "\n"
	})
}

const wantSuffix = ".want"

// testCorpus compares what got makes of every text in a corpus with what stands behind it there. The last line break of
// a text belongs to the corpus.
func testCorpus(t *testing.T, file string, got func(t *testing.T, text string) string) {
	t.Helper()
	corpus := readCorpus(t, file)
	want := map[string]string{}
	for _, f := range corpus.Files {
		want[f.Name] = string(f.Data)
	}
	fresh := txtar.Archive{Comment: corpus.Comment}
	for _, f := range corpus.Files {
		if strings.HasSuffix(f.Name, wantSuffix) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			result := got(t, strings.TrimSuffix(string(f.Data), "\n"))
			fresh.Files = append(fresh.Files, f, txtar.File{Name: f.Name + wantSuffix, Data: []byte(result)})
			if diff := cmp.Diff(want[f.Name+wantSuffix], result); diff != "" && !*update {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, txtar.Format(&fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readCorpus(t testing.TB, file string) *txtar.Archive {
	t.Helper()
	corpus, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

// inputs are the texts of a corpus, without what is expected of them.
func inputs(t testing.TB, file string) (texts []string) {
	t.Helper()
	for _, f := range readCorpus(t, file).Files {
		if !strings.HasSuffix(f.Name, wantSuffix) {
			texts = append(texts, strings.TrimSuffix(string(f.Data), "\n"))
		}
	}
	return texts
}

// rereads writes a net without anonymous nodes as XML and as text, and looks that both read back as the same.
func rereads(t testing.TB, root *grammar.Node) {
	t.Helper()
	text := root.String()
	document, err := xmlnet.Append(nil, root)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	again, err := xmlnet.Parse(string(document), grammar.Limits{})
	if err != nil {
		t.Fatalf("%s\n%v", document, err)
	}
	if diff := cmp.Diff(text, again.String()); diff != "" {
		t.Fatalf("%s\n(-want +got)\n%s", document, diff)
	}
	if _, err := grammar.ParseNet(text, grammar.Limits{}); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// TestWritten compares the XML form of a net with everything in it.
func TestWritten(t *testing.T) {
	const text = `{f={x=Core::DoubleAdd(inFirst[2.0]=parent.inA,Second='"<&>\'\\` + "\n" + `'),out=x.outValue}(inA=Core::Clock().outValue,inActive=on.out),` +
		`13=X,on={}(inB={o=Y(in=Y().o).o}().o),outTerminate[.5]=on.out,o=Y(P='').o}`
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<rpinet id="ROOT">
  <fragment id="f">
    <module id="x" type="Core::DoubleAdd">
      <port name="inFirst" frommodule="f" fromport="inA" debug="2.0"/>
      <parameter name="Second" value="&quot;&lt;&amp;&gt;'\&#10;"/>
    </module>
    <outport name="out" frommodule="x" fromport="outValue"/>
    <inport name="inA" frommodule="Clock1" fromport="outValue"/>
    <inport name="inActive" frommodule="on" fromport="out"/>
  </fragment>
  <module id="13" type="X"/>
  <fragment id="on">
    <inport name="inB" frommodule="fragment1" fromport="o"/>
  </fragment>
  <outport name="outTerminate" frommodule="on" fromport="out" debug=".5"/>
  <outport name="o" frommodule="Y1" fromport="o"/>
  <module id="Clock1" type="Core::Clock"/>
  <fragment id="fragment1">
    <outport name="o" frommodule="Y2" fromport="o"/>
    <module id="Y2" type="Y">
      <port name="in" frommodule="Y3" fromport="o"/>
    </module>
    <module id="Y3" type="Y"/>
  </fragment>
  <module id="Y1" type="Y">
    <parameter name="P" value=""/>
  </module>
</rpinet>
`
	root, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := xmlnet.Append(nil, root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestUnsayable has nets that XML has no words for.
func TestUnsayable(t *testing.T) {
	tests := map[string]string{
		"{a=X(P='\x01')}":                 "parameter P of a has the character U+0001, which XML does not have",
		"{f={}(),a=X(in={}(P='\x00').o)}": "parameter P of fragment1 has the character U+0000, which XML does not have",
		"{a=X(P='\uffff')}":               "parameter P of a has the character U+FFFF, which XML does not have",
		"{f={o=f.inX}()}":                 "there is no f inside of the fragment f, and XML would take it for the fragment",
	}
	for text, want := range tests {
		root, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := xmlnet.Append(nil, root); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestNetsOfTheProject takes every net that is anywhere in the project there and back.
func TestNetsOfTheProject(t *testing.T) {
	count := 0
	for _, text := range netsOfTheProject(t) {
		root, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			continue // nets that tests of errors have
		}
		count++
		thereAndBack(t, root)
	}
	if count < 50 {
		t.Errorf("only %d nets", count)
	}
}

func netsOfTheProject(t testing.TB) (texts []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".dio":
			data, err := os.ReadFile(path)
			texts = append(texts, string(data))
			return err
		case ".txtar":
			for _, f := range readCorpus(t, path).Files {
				if filepath.Ext(f.Name) == ".dio" || strings.HasPrefix(f.Name, "net/") && !strings.HasSuffix(f.Name, wantSuffix) {
					texts = append(texts, string(f.Data))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
