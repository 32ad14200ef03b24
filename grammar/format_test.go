package grammar_test

import (
	"math/rand/v2"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/grammar"
)

func TestFormatNet(t *testing.T) {
	const text = `// A net that counts.
{ time=Core::Clock(),way =
   Core::DoubleMultiply( inFirst[1.0] = time.outValue,Second = '2'), // metres

 /* shown
    to all */ show=Core::DoubleNetcommOut(inValue[ .5 ]=way.outValue,Key='Way' /* as people see it */,Value='a \' // no comment'),
 empty={}(), bare=Core::Clock
 , // of no use

 f={inner=Core::DoubleAdd(inFirst=parent.in,inSecond=Core::DoubleAdd(inFirst=time.outValue,Second='1.234567890123456789').outValue,First='1')
 // the end
 }(in=way.outValue),outTerminate=show.outValue
 // below
}
// behind`
	const want = `// A net that counts.
{
  time = Core::Clock(),
  way = Core::DoubleMultiply(inFirst[1.0]=time.outValue, Second='2'), // metres

  /* shown
    to all */
  show = Core::DoubleNetcommOut(
    inValue[.5]=way.outValue,
    Key='Way', /* as people see it */
    Value='a \' // no comment'
  ),
  empty = {}(),
  bare = Core::Clock, // of no use

  f = {
    inner = Core::DoubleAdd(
      inFirst=parent.in,
      inSecond=Core::DoubleAdd(inFirst=time.outValue, Second='1.234567890123456789').outValue,
      First='1'
    )
    // the end
  }(in=way.outValue),
  outTerminate = show.outValue
  // below
}
// behind
`
	got, err := grammar.FormatNet(text, grammar.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFormatRefuses(t *testing.T) {
	if _, err := grammar.FormatNet("{a=}", grammar.Limits{}); err == nil {
		t.Error("a text that is not a net was laid out")
	}
}

// TestFormatKeeps lays out the nets of the corpus with comments and blanks at random places: tree and comments stay as they
// are, and what is laid out stays as it is.
func TestFormatKeeps(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 5))
	for _, text := range netsOfCorpus(t) {
		for range 200 {
			commented := withComments(random, text)
			once, err := grammar.FormatNet(commented, grammar.Limits{})
			if err != nil {
				t.Fatalf("%q: %v", commented, err)
			}
			twice, err := grammar.FormatNet(once, grammar.Limits{})
			if err != nil {
				t.Fatalf("%q: laid out it is refused: %v", commented, err)
			}
			if diff := cmp.Diff(once, twice); diff != "" {
				t.Fatalf("%q: changes when it is laid out again\n%s", commented, diff)
			}
			if want, got := treeOf(t, text), treeOf(t, once); want != got {
				t.Fatalf("%q: another net\n%s\n%s", commented, want, got)
			}
			if want, got := commentsOf(commented), commentsOf(once); !slices.Equal(want, got) {
				t.Fatalf("%q: other comments\n%q\n%q", commented, want, got)
			}
		}
	}
}

// TestCommentsAreBlanks reads the nets of the corpus with and without comments, and compares the trees except for positions.
func TestCommentsAreBlanks(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 23))
	for _, text := range netsOfCorpus(t) {
		for range 50 {
			if want, got := treeOf(t, text), treeOf(t, withComments(random, text)); want != got {
				t.Fatalf("%s\nwith comments is\n%s", want, got)
			}
		}
	}
}

func TestPositionsBehindComments(t *testing.T) {
	n, err := grammar.ParseNet("/* ä\n ö */ {// é\n/*ü*/a=B}", grammar.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []grammar.Pos{{Line: 2, Column: 7}, {Line: 3, Column: 6}}
	if got := []grammar.Pos{n.Pos, n.Nodes[0].Pos}; !reflect.DeepEqual(got, want) {
		t.Errorf("net and node at %v, want %v", got, want)
	}
}

// netsOfCorpus returns the texts of the corpus that are nets, without those that have comments.
func netsOfCorpus(t *testing.T) (list []string) {
	t.Helper()
	corpus, err := txtar.ParseFile("testdata/ok.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range corpus.Files {
		if text := string(f.Data); path.Dir(f.Name) == "net" && !strings.HasSuffix(f.Name, wantSuffix) && commentsOf(text) == nil {
			list = append(list, text)
		}
	}
	return list
}

func treeOf(t *testing.T, text string) string {
	t.Helper()
	n, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n.String()
}

// words are the tokens and comments of a net.
var words = regexp.MustCompile(`(?s)'(?:\\.|[^'\\])*'|//[^\n]*|/\*.*?\*/|[A-Za-z0-9:_]+|[^\s]`)

func commentsOf(text string) (list []string) {
	for _, word := range words.FindAllString(text, -1) {
		if strings.HasPrefix(word, "/") {
			list = append(list, strings.TrimRight(word, " \r\t"))
		}
	}
	return list
}

func withComments(random *rand.Rand, text string) string {
	fillings := []string{"", "", "", " ", "\n", "\n\n", " // one\n", "//\n", "/* ' */", "\n/* many\n\tlines */\n", "\n\n// é own #\n", "/**/", "// \"a\" /* \r\n"}
	var b strings.Builder
	marked := false
	for _, word := range words.FindAllString(text, -1) {
		if marked = marked && word != "]"; !marked || word == "[" { // a number must not be cut
			b.WriteString(fillings[random.IntN(len(fillings))])
		}
		marked = marked || word == "["
		b.WriteString(word)
	}
	b.WriteString(fillings[random.IntN(len(fillings))])
	return b.String()
}
