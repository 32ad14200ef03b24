package explain

import (
	"errors"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/grammar"
)

// TestAgreement compares the two parsers of every language on texts that are nearly right. The seed is fixed, so that a
// failure comes back.
func TestAgreement(t *testing.T) {
	texts := 100_000
	if testing.Short() {
		texts = 10_000
	}
	for _, l := range allLanguages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			m := mutator{
				Rand:     rand.New(rand.NewPCG(2026, uint64(l.lang))),
				accepted: corpus(t, "ok", l.name),
				refused:  corpus(t, "err", l.name),
				words:    l.words,
			}
			accepted := 0
			for range texts {
				if agree(t, l.lang, m.text()) {
					accepted++
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d texts, %d accepted", texts, accepted)
			if accepted < texts/20 || accepted > texts*19/20 {
				t.Errorf("%d of %d accepted: the mutations are too wild or too tame to tell anything", accepted, texts)
			}
		})
	}
}

var allLanguages = []struct {
	lang  Language
	name  string
	words []string // that mutations insert
}{
	{Net, "net", strings.Fields(`{ } ( ) [ ] = , . ' '' 'v' '\\' '\' \ \x " a b 13 parent Core::X() X(in=a.b) a.b
		{}() x={} y=X z=Y()` + " [2.0] [2] [.5] [ 0 ] :: 2.0 -1 é # \x00 \u2028 \n \t \r / // /* */ /**/ //\n /*'*/ //é\n")},
	{Statement, "statement", strings.Fields(`{ } ( ) [ ] = , : . - + " "" "v" "\\" "\" \ \x ' a _b 1 -1 2.5 .5 5. 1e3
		1e- e 1E+2 {k:1} {"k":[]} [1,2] a=b() é #` + " \x00 \u2028 \n \t \r")},
	{Cond, "cond", strings.Fields(`| & ! ( ) . t t. a a.b 13.7 t.t true () (t) !! || && :: é #` +
		" \x00 \u2028 \n \t \r")},
}

// corpus returns the texts of a language among the examples of package grammar, those that are accepted (ok) or refused (err).
func corpus(tb testing.TB, file, language string) []string {
	tb.Helper()
	examples, err := txtar.ParseFile("../testdata/" + file + ".txtar")
	if err != nil {
		tb.Fatal(err)
	}
	var texts []string
	for _, f := range examples.Files {
		if path.Dir(f.Name) == language && !strings.HasSuffix(f.Name, ".want") {
			texts = append(texts, strings.TrimSuffix(string(f.Data), "\n"))
		}
	}
	return texts
}

// mutator damages and mends texts of a corpus, a few changes at a time.
type mutator struct {
	*rand.Rand
	accepted, refused []string
	words             []string
}

func (m *mutator) text() string {
	text := m.pick(m.accepted)
	if m.IntN(4) == 0 {
		text = m.pick(m.refused)
	}
	for range m.IntN(4) {
		text = m.change(text)
	}
	return strings.ToValidUTF8(text, "?")
}

func (m *mutator) pick(from []string) string { return from[m.IntN(len(from))] }

func (m *mutator) change(text string) string {
	if m.IntN(3) == 0 {
		return m.changeBytes(text)
	}
	tokens := split(text)
	i, j := m.IntN(len(tokens)+1), m.IntN(len(tokens)+1)
	if i > j {
		i, j = j, i
	}
	j = min(j, i+m.IntN(8))
	piece := slices.Clone(tokens[i:j])
	switch m.IntN(6) {
	case 0:
		tokens = slices.Delete(tokens, i, j)
	case 1:
		tokens = slices.Insert(tokens, j, piece...)
	case 2:
		tokens = slices.Insert(tokens, m.IntN(len(tokens)+1), piece...)
	case 3:
		if len(piece) > 1 {
			tokens[i], tokens[j-1] = tokens[j-1], tokens[i]
		}
	case 4:
		tokens = slices.Replace(tokens, i, j, m.pick(m.words))
	default:
		tokens = slices.Insert(tokens, i, m.pick(m.words))
	}
	return strings.Join(tokens, "")
}

func (m *mutator) changeBytes(text string) string {
	i := m.IntN(len(text) + 1)
	j := min(i+m.IntN(3), len(text))
	switch m.IntN(3) {
	case 0:
		return text[:i] + text[j:]
	case 1:
		return text[:j] + text[i:]
	default:
		return text[:i] + string(rune(m.IntN(128))) + text[i:]
	}
}

// split cuts a text into words and single bytes, roughly as the languages do.
func split(text string) []string {
	var tokens []string
	start := 0
	for i := range len(text) + 1 {
		if i == len(text) || !isWord(text[i]) {
			if start < i {
				tokens = append(tokens, text[start:i])
			}
			if i < len(text) {
				tokens = append(tokens, text[i:i+1])
			}
			start = i + 1
		}
	}
	return tokens
}

func isWord(b byte) bool {
	return b == ':' || b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// agree compares the two parsers on one text and reports whether they accept it. Of a refused one they must name the same
// place, and the hand-written parser must expect nothing there that the grammar does not allow.
func agree(t *testing.T, lang Language, text string) (accepted bool) {
	t.Helper()
	want, mismatch := generated(lang, text)
	got, err := parse(lang, text)
	var refused *grammar.Error
	switch {
	case err == nil && mismatch == nil:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%q: trees differ (-generated +hand-written)\n%s", text, cmp.Diff(want, got))
		}
		return true
	case err == nil:
		t.Errorf("%q: accepted, but not by the generated parser: %+v", text, *mismatch)
	case mismatch == nil:
		t.Errorf("%q: refused, but not by the generated parser: %v", text, err)
	case !errors.As(err, &refused):
		t.Errorf("%q: error without place: %v", text, err)
	case refused.Message == "":
		agreeOnPlace(t, text, mismatch, refused)
	}
	return false
}

func agreeOnPlace(t *testing.T, text string, mismatch *mismatch, refused *grammar.Error) {
	t.Helper()
	if mismatch.pos != refused.Pos {
		t.Errorf("%q: %v, but the generated parser: %+v", text, refused, *mismatch)
	}
	for _, word := range refused.Expected {
		if !slices.Contains(mismatch.expected, word) {
			t.Errorf("%q: %v, but the generated parser expects only %q", text, refused, mismatch.expected)
		}
	}
}
