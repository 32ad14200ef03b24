// Code generated from Statement.g4 by ANTLR 4.13.1. DO NOT EDIT.

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

type StatementLexer struct {
	*antlr.BaseLexer
	channelNames []string
	modeNames    []string
	// TODO: EOF string
}

var StatementLexerLexerStaticData struct {
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

func statementlexerLexerInit() {
	staticData := &StatementLexerLexerStaticData
	staticData.ChannelNames = []string{
		"DEFAULT_TOKEN_CHANNEL", "HIDDEN",
	}
	staticData.ModeNames = []string{
		"DEFAULT_MODE",
	}
	staticData.LiteralNames = []string{
		"", "'='", "'('", "','", "')'", "'['", "']'", "'{'", "'}'", "':'",
	}
	staticData.SymbolicNames = []string{
		"", "", "", "", "", "", "", "", "", "", "NAME", "INT", "FLOAT", "STRING",
		"SPACE", "OTHER",
	}
	staticData.RuleNames = []string{
		"T__0", "T__1", "T__2", "T__3", "T__4", "T__5", "T__6", "T__7", "T__8",
		"NAME", "INT", "FLOAT", "STRING", "SPACE", "OTHER", "SIGN", "DIGIT",
		"EXPONENT",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 0, 15, 133, 6, -1, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2,
		4, 7, 4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2,
		10, 7, 10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15,
		7, 15, 2, 16, 7, 16, 2, 17, 7, 17, 1, 0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 2,
		1, 3, 1, 3, 1, 4, 1, 4, 1, 5, 1, 5, 1, 6, 1, 6, 1, 7, 1, 7, 1, 8, 1, 8,
		1, 9, 1, 9, 5, 9, 58, 8, 9, 10, 9, 12, 9, 61, 9, 9, 1, 10, 3, 10, 64, 8,
		10, 1, 10, 4, 10, 67, 8, 10, 11, 10, 12, 10, 68, 1, 11, 3, 11, 72, 8, 11,
		1, 11, 5, 11, 75, 8, 11, 10, 11, 12, 11, 78, 9, 11, 1, 11, 1, 11, 4, 11,
		82, 8, 11, 11, 11, 12, 11, 83, 1, 11, 3, 11, 87, 8, 11, 1, 11, 3, 11, 90,
		8, 11, 1, 11, 4, 11, 93, 8, 11, 11, 11, 12, 11, 94, 1, 11, 1, 11, 3, 11,
		99, 8, 11, 1, 12, 1, 12, 1, 12, 1, 12, 5, 12, 105, 8, 12, 10, 12, 12, 12,
		108, 9, 12, 1, 12, 1, 12, 1, 13, 4, 13, 113, 8, 13, 11, 13, 12, 13, 114,
		1, 13, 1, 13, 1, 14, 1, 14, 1, 15, 1, 15, 1, 16, 1, 16, 1, 17, 1, 17, 3,
		17, 127, 8, 17, 1, 17, 4, 17, 130, 8, 17, 11, 17, 12, 17, 131, 0, 0, 18,
		1, 1, 3, 2, 5, 3, 7, 4, 9, 5, 11, 6, 13, 7, 15, 8, 17, 9, 19, 10, 21, 11,
		23, 12, 25, 13, 27, 14, 29, 15, 31, 0, 33, 0, 35, 0, 1, 0, 7, 3, 0, 65,
		90, 95, 95, 97, 122, 4, 0, 48, 57, 65, 90, 95, 95, 97, 122, 2, 0, 34, 34,
		92, 92, 3, 0, 9, 10, 13, 13, 32, 32, 2, 0, 43, 43, 45, 45, 1, 0, 48, 57,
		2, 0, 69, 69, 101, 101, 144, 0, 1, 1, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 5,
		1, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 11, 1, 0, 0, 0, 0, 13,
		1, 0, 0, 0, 0, 15, 1, 0, 0, 0, 0, 17, 1, 0, 0, 0, 0, 19, 1, 0, 0, 0, 0,
		21, 1, 0, 0, 0, 0, 23, 1, 0, 0, 0, 0, 25, 1, 0, 0, 0, 0, 27, 1, 0, 0, 0,
		0, 29, 1, 0, 0, 0, 1, 37, 1, 0, 0, 0, 3, 39, 1, 0, 0, 0, 5, 41, 1, 0, 0,
		0, 7, 43, 1, 0, 0, 0, 9, 45, 1, 0, 0, 0, 11, 47, 1, 0, 0, 0, 13, 49, 1,
		0, 0, 0, 15, 51, 1, 0, 0, 0, 17, 53, 1, 0, 0, 0, 19, 55, 1, 0, 0, 0, 21,
		63, 1, 0, 0, 0, 23, 98, 1, 0, 0, 0, 25, 100, 1, 0, 0, 0, 27, 112, 1, 0,
		0, 0, 29, 118, 1, 0, 0, 0, 31, 120, 1, 0, 0, 0, 33, 122, 1, 0, 0, 0, 35,
		124, 1, 0, 0, 0, 37, 38, 5, 61, 0, 0, 38, 2, 1, 0, 0, 0, 39, 40, 5, 40,
		0, 0, 40, 4, 1, 0, 0, 0, 41, 42, 5, 44, 0, 0, 42, 6, 1, 0, 0, 0, 43, 44,
		5, 41, 0, 0, 44, 8, 1, 0, 0, 0, 45, 46, 5, 91, 0, 0, 46, 10, 1, 0, 0, 0,
		47, 48, 5, 93, 0, 0, 48, 12, 1, 0, 0, 0, 49, 50, 5, 123, 0, 0, 50, 14,
		1, 0, 0, 0, 51, 52, 5, 125, 0, 0, 52, 16, 1, 0, 0, 0, 53, 54, 5, 58, 0,
		0, 54, 18, 1, 0, 0, 0, 55, 59, 7, 0, 0, 0, 56, 58, 7, 1, 0, 0, 57, 56,
		1, 0, 0, 0, 58, 61, 1, 0, 0, 0, 59, 57, 1, 0, 0, 0, 59, 60, 1, 0, 0, 0,
		60, 20, 1, 0, 0, 0, 61, 59, 1, 0, 0, 0, 62, 64, 3, 31, 15, 0, 63, 62, 1,
		0, 0, 0, 63, 64, 1, 0, 0, 0, 64, 66, 1, 0, 0, 0, 65, 67, 3, 33, 16, 0,
		66, 65, 1, 0, 0, 0, 67, 68, 1, 0, 0, 0, 68, 66, 1, 0, 0, 0, 68, 69, 1,
		0, 0, 0, 69, 22, 1, 0, 0, 0, 70, 72, 3, 31, 15, 0, 71, 70, 1, 0, 0, 0,
		71, 72, 1, 0, 0, 0, 72, 76, 1, 0, 0, 0, 73, 75, 3, 33, 16, 0, 74, 73, 1,
		0, 0, 0, 75, 78, 1, 0, 0, 0, 76, 74, 1, 0, 0, 0, 76, 77, 1, 0, 0, 0, 77,
		79, 1, 0, 0, 0, 78, 76, 1, 0, 0, 0, 79, 81, 5, 46, 0, 0, 80, 82, 3, 33,
		16, 0, 81, 80, 1, 0, 0, 0, 82, 83, 1, 0, 0, 0, 83, 81, 1, 0, 0, 0, 83,
		84, 1, 0, 0, 0, 84, 86, 1, 0, 0, 0, 85, 87, 3, 35, 17, 0, 86, 85, 1, 0,
		0, 0, 86, 87, 1, 0, 0, 0, 87, 99, 1, 0, 0, 0, 88, 90, 3, 31, 15, 0, 89,
		88, 1, 0, 0, 0, 89, 90, 1, 0, 0, 0, 90, 92, 1, 0, 0, 0, 91, 93, 3, 33,
		16, 0, 92, 91, 1, 0, 0, 0, 93, 94, 1, 0, 0, 0, 94, 92, 1, 0, 0, 0, 94,
		95, 1, 0, 0, 0, 95, 96, 1, 0, 0, 0, 96, 97, 3, 35, 17, 0, 97, 99, 1, 0,
		0, 0, 98, 71, 1, 0, 0, 0, 98, 89, 1, 0, 0, 0, 99, 24, 1, 0, 0, 0, 100,
		106, 5, 34, 0, 0, 101, 105, 8, 2, 0, 0, 102, 103, 5, 92, 0, 0, 103, 105,
		7, 2, 0, 0, 104, 101, 1, 0, 0, 0, 104, 102, 1, 0, 0, 0, 105, 108, 1, 0,
		0, 0, 106, 104, 1, 0, 0, 0, 106, 107, 1, 0, 0, 0, 107, 109, 1, 0, 0, 0,
		108, 106, 1, 0, 0, 0, 109, 110, 5, 34, 0, 0, 110, 26, 1, 0, 0, 0, 111,
		113, 7, 3, 0, 0, 112, 111, 1, 0, 0, 0, 113, 114, 1, 0, 0, 0, 114, 112,
		1, 0, 0, 0, 114, 115, 1, 0, 0, 0, 115, 116, 1, 0, 0, 0, 116, 117, 6, 13,
		0, 0, 117, 28, 1, 0, 0, 0, 118, 119, 9, 0, 0, 0, 119, 30, 1, 0, 0, 0, 120,
		121, 7, 4, 0, 0, 121, 32, 1, 0, 0, 0, 122, 123, 7, 5, 0, 0, 123, 34, 1,
		0, 0, 0, 124, 126, 7, 6, 0, 0, 125, 127, 3, 31, 15, 0, 126, 125, 1, 0,
		0, 0, 126, 127, 1, 0, 0, 0, 127, 129, 1, 0, 0, 0, 128, 130, 3, 33, 16,
		0, 129, 128, 1, 0, 0, 0, 130, 131, 1, 0, 0, 0, 131, 129, 1, 0, 0, 0, 131,
		132, 1, 0, 0, 0, 132, 36, 1, 0, 0, 0, 16, 0, 59, 63, 68, 71, 76, 83, 86,
		89, 94, 98, 104, 106, 114, 126, 131, 1, 6, 0, 0,
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

// StatementLexerInit initializes any static state used to implement StatementLexer. By default the
// static state used to implement the lexer is lazily initialized during the first call to
// NewStatementLexer(). You can call this function if you wish to initialize the static state ahead
// of time.
func StatementLexerInit() {
	staticData := &StatementLexerLexerStaticData
	staticData.once.Do(statementlexerLexerInit)
}

// NewStatementLexer produces a new lexer instance for the optional input antlr.CharStream.
func NewStatementLexer(input antlr.CharStream) *StatementLexer {
	StatementLexerInit()
	l := new(StatementLexer)
	l.BaseLexer = antlr.NewBaseLexer(input)
	staticData := &StatementLexerLexerStaticData
	l.Interpreter = antlr.NewLexerATNSimulator(l, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	l.channelNames = staticData.ChannelNames
	l.modeNames = staticData.ModeNames
	l.RuleNames = staticData.RuleNames
	l.LiteralNames = staticData.LiteralNames
	l.SymbolicNames = staticData.SymbolicNames
	l.GrammarFileName = "Statement.g4"
	// TODO: l.EOF = antlr.TokenEOF

	return l
}

// StatementLexer tokens.
const (
	StatementLexerT__0   = 1
	StatementLexerT__1   = 2
	StatementLexerT__2   = 3
	StatementLexerT__3   = 4
	StatementLexerT__4   = 5
	StatementLexerT__5   = 6
	StatementLexerT__6   = 7
	StatementLexerT__7   = 8
	StatementLexerT__8   = 9
	StatementLexerNAME   = 10
	StatementLexerINT    = 11
	StatementLexerFLOAT  = 12
	StatementLexerSTRING = 13
	StatementLexerSPACE  = 14
	StatementLexerOTHER  = 15
)
