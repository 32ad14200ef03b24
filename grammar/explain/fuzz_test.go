package explain

import (
	"testing"
	"unicode/utf8"
)

func FuzzNet(f *testing.F)       { fuzz(f, Net) }
func FuzzStatement(f *testing.F) { fuzz(f, Statement) }
func FuzzCond(f *testing.F)      { fuzz(f, Cond) }

// fuzz compares the parsers on any text, and looks that an explanation is never worse than what it explains.
func fuzz(f *testing.F, lang Language) {
	for _, file := range []string{"ok", "err"} {
		for _, text := range corpus(f, file, allLanguages[lang].name) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := parse(lang, text)
		if !utf8.ValidString(text) && err == nil {
			t.Fatal("accepted, but not UTF-8")
		}
		if withinLimits(text) {
			agree(t, lang, text)
		}
		if err != nil && Explain(lang, text, err).Error() == "" {
			t.Errorf("%v: lost by the explanation", err)
		}
	})
}

// withinLimits keeps away from the generated parser what it cannot take, or reads as if it were something else.
func withinLimits(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[', '(', '!':
			depth++
		}
	}
	return utf8.ValidString(text) && len(text) <= limits.Bytes && depth <= limits.Depth
}
