// Package explain completes the reason why a text was refused. The parsers of package grammar name what they miss at the place
// of an error, but not the optional things that they looked for before; the parsers generated from the ANTLR grammars
// know everything that could have stood there. Generated parsers are slow and can be driven into a stack overflow,
// hence they see a text only after it was refused, and only when it is small.
package explain

import (
	"errors"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Language is one of the languages of package grammar.
type Language uint8

// The languages.
const (
	Net Language = iota
	Statement
	Cond
)

// limits bound what the generated parsers get to see, far below what they can take.
var limits = grammar.Limits{Bytes: 64 << 10, Depth: 100}

// Explain completes what err, the error of the parser of package grammar for this text, says about what was expected.
// It returns err unchanged when there is nothing to complete: for limits and strings without end, or when the text is
// too large.
// If the quotes of a parameter are missing, the error says so.
func Explain(lang Language, text string, err error) error {
	err = completed(lang, text, err)
	if lang == Net {
		err = withHint(text, err)
	}
	return err
}

func completed(lang Language, text string, err error) (explained error) {
	// A fault of the foreign runtime must not cost more than the explanation; the tests call the parsers without this.
	defer func() {
		if recover() != nil {
			explained = err
		}
	}()
	var refused *grammar.Error
	if !errors.As(err, &refused) || refused.Message != "" {
		return err
	}
	// Parsing again makes sure that brackets are no deeper than the generated parser can take, up to the error; there
	// it stops.
	if _, again := parse(lang, text); !errors.As(again, &refused) || refused.Message != "" {
		return err
	}
	_, m := generated(lang, text)
	if m == nil || m.pos != refused.Pos {
		return err
	}
	full := *refused
	full.Expected = m.expected
	return &full
}

// parse is the parser of package grammar.
func parse(lang Language, text string) (any, error) {
	switch lang {
	case Net:
		return grammar.ParseNet(text, limits)
	case Statement:
		return grammar.ParseStatement(text, limits)
	default:
		return grammar.ParseCond(text, limits)
	}
}

// generated is the generated parser, with the same trees.
func generated(lang Language, text string) (any, *mismatch) {
	switch lang {
	case Net:
		return parseNet(text)
	case Statement:
		return parseStatement(text)
	default:
		return parseCond(text)
	}
}
