// Code generated from Cond.g4 by ANTLR 4.13.1. DO NOT EDIT.

package antlr

import (
	"fmt"
	"github.com/antlr4-go/antlr/v4"
	"sync"
	"unicode"
)

// Suppress unused import error
var _ = fmt.Printf
var _ = sync.Once{}
var _ = unicode.IsLetter

type CondLexer struct {
	*antlr.BaseLexer
	channelNames []string
	modeNames    []string
	// TODO: EOF string
}

var CondLexerLexerStaticData struct {
	once                   sync.Once
	serializedATN          []int32
	ChannelNames           []string
	ModeNames              []string
	LiteralNames           []string
	SymbolicNames          []string
	RuleNames              []string
	PredictionContextCache *antlr.PredictionContextCache
	atn                    *antlr.ATN
	decisionToDFA          []*antlr.DFA
}

func condlexerLexerInit() {
	staticData := &CondLexerLexerStaticData
	staticData.ChannelNames = []string{
		"DEFAULT_TOKEN_CHANNEL", "HIDDEN",
	}
	staticData.ModeNames = []string{
		"DEFAULT_MODE",
	}
	staticData.LiteralNames = []string{
		"", "'|'", "'&'", "'!'", "'.'", "'('", "')'", "'t'",
	}
	staticData.SymbolicNames = []string{
		"", "", "", "", "", "", "", "TRUE", "NAME", "SPACE", "OTHER",
	}
	staticData.RuleNames = []string{
		"T__0", "T__1", "T__2", "T__3", "T__4", "T__5", "TRUE", "NAME", "SPACE",
		"OTHER",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 0, 10, 49, 6, -1, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2,
		4, 7, 4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 1,
		0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 2, 1, 3, 1, 3, 1, 4, 1, 4, 1, 5, 1, 5, 1,
		6, 1, 6, 1, 7, 4, 7, 37, 8, 7, 11, 7, 12, 7, 38, 1, 8, 4, 8, 42, 8, 8,
		11, 8, 12, 8, 43, 1, 8, 1, 8, 1, 9, 1, 9, 0, 0, 10, 1, 1, 3, 2, 5, 3, 7,
		4, 9, 5, 11, 6, 13, 7, 15, 8, 17, 9, 19, 10, 1, 0, 2, 4, 0, 48, 58, 65,
		90, 95, 95, 97, 122, 3, 0, 9, 10, 13, 13, 32, 32, 50, 0, 1, 1, 0, 0, 0,
		0, 3, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 9, 1, 0, 0, 0,
		0, 11, 1, 0, 0, 0, 0, 13, 1, 0, 0, 0, 0, 15, 1, 0, 0, 0, 0, 17, 1, 0, 0,
		0, 0, 19, 1, 0, 0, 0, 1, 21, 1, 0, 0, 0, 3, 23, 1, 0, 0, 0, 5, 25, 1, 0,
		0, 0, 7, 27, 1, 0, 0, 0, 9, 29, 1, 0, 0, 0, 11, 31, 1, 0, 0, 0, 13, 33,
		1, 0, 0, 0, 15, 36, 1, 0, 0, 0, 17, 41, 1, 0, 0, 0, 19, 47, 1, 0, 0, 0,
		21, 22, 5, 124, 0, 0, 22, 2, 1, 0, 0, 0, 23, 24, 5, 38, 0, 0, 24, 4, 1,
		0, 0, 0, 25, 26, 5, 33, 0, 0, 26, 6, 1, 0, 0, 0, 27, 28, 5, 46, 0, 0, 28,
		8, 1, 0, 0, 0, 29, 30, 5, 40, 0, 0, 30, 10, 1, 0, 0, 0, 31, 32, 5, 41,
		0, 0, 32, 12, 1, 0, 0, 0, 33, 34, 5, 116, 0, 0, 34, 14, 1, 0, 0, 0, 35,
		37, 7, 0, 0, 0, 36, 35, 1, 0, 0, 0, 37, 38, 1, 0, 0, 0, 38, 36, 1, 0, 0,
		0, 38, 39, 1, 0, 0, 0, 39, 16, 1, 0, 0, 0, 40, 42, 7, 1, 0, 0, 41, 40,
		1, 0, 0, 0, 42, 43, 1, 0, 0, 0, 43, 41, 1, 0, 0, 0, 43, 44, 1, 0, 0, 0,
		44, 45, 1, 0, 0, 0, 45, 46, 6, 8, 0, 0, 46, 18, 1, 0, 0, 0, 47, 48, 9,
		0, 0, 0, 48, 20, 1, 0, 0, 0, 3, 0, 38, 43, 1, 6, 0, 0,
	}
	deserializer := antlr.NewATNDeserializer(nil)
	staticData.atn = deserializer.Deserialize(staticData.serializedATN)
	atn := staticData.atn
	staticData.decisionToDFA = make([]*antlr.DFA, len(atn.DecisionToState))
	decisionToDFA := staticData.decisionToDFA
	for index, state := range atn.DecisionToState {
		decisionToDFA[index] = antlr.NewDFA(state, index)
	}
}

// CondLexerInit initializes any static state used to implement CondLexer. By default the
// static state used to implement the lexer is lazily initialized during the first call to
// NewCondLexer(). You can call this function if you wish to initialize the static state ahead
// of time.
func CondLexerInit() {
	staticData := &CondLexerLexerStaticData
	staticData.once.Do(condlexerLexerInit)
}

// NewCondLexer produces a new lexer instance for the optional input antlr.CharStream.
func NewCondLexer(input antlr.CharStream) *CondLexer {
	CondLexerInit()
	l := new(CondLexer)
	l.BaseLexer = antlr.NewBaseLexer(input)
	staticData := &CondLexerLexerStaticData
	l.Interpreter = antlr.NewLexerATNSimulator(l, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	l.channelNames = staticData.ChannelNames
	l.modeNames = staticData.ModeNames
	l.RuleNames = staticData.RuleNames
	l.LiteralNames = staticData.LiteralNames
	l.SymbolicNames = staticData.SymbolicNames
	l.GrammarFileName = "Cond.g4"
	// TODO: l.EOF = antlr.TokenEOF

	return l
}

// CondLexer tokens.
const (
	CondLexerT__0  = 1
	CondLexerT__1  = 2
	CondLexerT__2  = 3
	CondLexerT__3  = 4
	CondLexerT__4  = 5
	CondLexerT__5  = 6
	CondLexerTRUE  = 7
	CondLexerNAME  = 8
	CondLexerSPACE = 9
	CondLexerOTHER = 10
)
