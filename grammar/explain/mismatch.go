package explain

import (
	"slices"
	"strings"

	antlr "github.com/antlr4-go/antlr/v4"

	"github.com/softrobot-rcc/rccd/grammar"
)

// mismatch is the first place where a text leaves its grammar.
type mismatch struct {
	pos      grammar.Pos
	expected []string // nothing when the text follows the grammar, but breaks a rule that is not in it
}

// lexer and parser are what is common to the generated ones.
type (
	lexer interface {
		antlr.Lexer
		RemoveErrorListeners()
	}
	parser interface {
		antlr.Parser
		RemoveErrorListeners()
		SetErrorHandler(antlr.ErrorStrategy)
	}
)

func tokens(text string, newLexer func(antlr.CharStream) lexer) antlr.TokenStream {
	l := newLexer(antlr.NewInputStream(text))
	l.RemoveErrorListeners() // of those that print; every text has tokens
	return antlr.NewCommonTokenStream(l, antlr.TokenDefaultChannel)
}

// run calls a rule of a generated parser and stops it at the first mismatch.
func run(p parser, rule func()) (m *mismatch) {
	p.RemoveErrorListeners()
	p.SetErrorHandler(firstMismatch{antlr.NewDefaultErrorStrategy()})
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *mismatch:
			m = r
		default:
			panic(r)
		}
	}()
	rule()
	return nil
}

// firstMismatch ends the parser at the first mismatch by a panic, as generated code has no other way out. The runtime's
// own strategy of that kind does not work in the Go runtime 4.13.1.
type firstMismatch struct{ *antlr.DefaultErrorStrategy }

func (firstMismatch) ReportError(antlr.Parser, antlr.RecognitionException) {}

func (firstMismatch) Recover(p antlr.Parser, _ antlr.RecognitionException) { panic(mismatchAt(p)) }

func (firstMismatch) RecoverInline(p antlr.Parser) antlr.Token { panic(mismatchAt(p)) }

// Sync is called before everything optional or repeated. The runtime's own one lets pass what could be accepted
// somewhere further out, and so loses sight of the optional things that were possible here.
func (firstMismatch) Sync(p antlr.Parser) {
	next := p.GetTokenStream().LA(1)
	for _, i := range p.GetExpectedTokens().GetIntervals() {
		if i.Start <= next && next < i.Stop {
			return
		}
	}
	panic(mismatchAt(p))
}

func mismatchAt(p antlr.Parser) *mismatch {
	return &mismatch{pos: posOf(p.GetCurrentToken()), expected: expectedWords(p)}
}

func posOf(t antlr.Token) grammar.Pos {
	return grammar.Pos{Line: t.GetLine(), Column: t.GetColumn() + 1}
}

// expectedWords says as package grammar does what the parser expects, kinds of tokens before punctuation before the end
// of the text.
func expectedWords(p antlr.Parser) []string {
	var kinds, marks, end []string
	for _, i := range p.GetExpectedTokens().GetIntervals() {
		for t := i.Start; t < i.Stop; t++ {
			switch symbol := symbolName(p, t); {
			case t == antlr.TokenEOF:
				end = append(end, "end of text")
			case symbol == "STRING":
				kinds = append(kinds, "a string")
			case symbol == "NAME" || symbol == "TRUE":
				kinds = append(kinds, "a name")
			case symbol == "NUMBER" || symbol == "INT" || symbol == "FLOAT":
				kinds = append(kinds, "a number")
			default:
				marks = append(marks, `"`+strings.Trim(p.GetLiteralNames()[t], "'")+`"`)
			}
		}
	}
	slices.Sort(kinds)
	return slices.Concat(slices.Compact(kinds), marks, end)
}

func symbolName(p antlr.Parser, t int) string {
	if names := p.GetSymbolicNames(); t >= 0 && t < len(names) {
		return names[t]
	}
	return ""
}

// unescape drops quotes and backslashes of a string.
func unescape(text string) string {
	quote := text[:1]
	return strings.NewReplacer(`\\`, `\`, `\`+quote, quote).Replace(text[1 : len(text)-1])
}
