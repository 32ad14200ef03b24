// Code generated from NetLexer.g4 by ANTLR 4.13.1. DO NOT EDIT.

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

type NetLexer struct {
	*antlr.BaseLexer
	channelNames []string
	modeNames    []string
	// TODO: EOF string
}

var NetLexerLexerStaticData struct {
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

func netlexerLexerInit() {
	staticData := &NetLexerLexerStaticData
	staticData.ChannelNames = []string{
		"DEFAULT_TOKEN_CHANNEL", "HIDDEN",
	}
	staticData.ModeNames = []string{
		"DEFAULT_MODE", "MARKER",
	}
	staticData.LiteralNames = []string{
		"", "'.'", "'='", "'['", "'('", "'{'", "','", "')'", "'}'", "", "",
		"", "", "']'",
	}
	staticData.SymbolicNames = []string{
		"", "DOT", "EQUALS", "MARKER_OPEN", "PAREN_OPEN", "BRACE_OPEN", "COMMA",
		"PAREN_CLOSE", "BRACE_CLOSE", "NAME", "STRING", "SPACE", "OTHER", "MARKER_CLOSE",
		"NUMBER", "MARKER_SPACE",
	}
	staticData.RuleNames = []string{
		"DOT", "EQUALS", "MARKER_OPEN", "PAREN_OPEN", "BRACE_OPEN", "COMMA",
		"PAREN_CLOSE", "BRACE_CLOSE", "NAME", "STRING", "SPACE", "OTHER", "MARKER_CLOSE",
		"NUMBER", "MARKER_SPACE", "MARKER_OTHER",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 0, 15, 113, 6, -1, 6, -1, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3,
		7, 3, 2, 4, 7, 4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9,
		7, 9, 2, 10, 7, 10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7,
		14, 2, 15, 7, 15, 1, 0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3,
		1, 3, 1, 4, 1, 4, 1, 5, 1, 5, 1, 6, 1, 6, 1, 7, 1, 7, 1, 8, 4, 8, 54, 8,
		8, 11, 8, 12, 8, 55, 1, 9, 1, 9, 1, 9, 1, 9, 5, 9, 62, 8, 9, 10, 9, 12,
		9, 65, 9, 9, 1, 9, 1, 9, 1, 10, 4, 10, 70, 8, 10, 11, 10, 12, 10, 71, 1,
		10, 1, 10, 1, 11, 1, 11, 1, 12, 1, 12, 1, 12, 1, 12, 1, 13, 4, 13, 83,
		8, 13, 11, 13, 12, 13, 84, 1, 13, 1, 13, 4, 13, 89, 8, 13, 11, 13, 12,
		13, 90, 3, 13, 93, 8, 13, 1, 13, 1, 13, 4, 13, 97, 8, 13, 11, 13, 12, 13,
		98, 3, 13, 101, 8, 13, 1, 14, 4, 14, 104, 8, 14, 11, 14, 12, 14, 105, 1,
		14, 1, 14, 1, 15, 1, 15, 1, 15, 1, 15, 0, 0, 16, 2, 1, 4, 2, 6, 3, 8, 4,
		10, 5, 12, 6, 14, 7, 16, 8, 18, 9, 20, 10, 22, 11, 24, 12, 26, 13, 28,
		14, 30, 15, 32, 0, 2, 0, 1, 4, 4, 0, 48, 58, 65, 90, 95, 95, 97, 122, 2,
		0, 39, 39, 92, 92, 3, 0, 9, 10, 13, 13, 32, 32, 1, 0, 48, 57, 121, 0, 2,
		1, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 6, 1, 0, 0, 0, 0, 8, 1, 0, 0, 0, 0, 10,
		1, 0, 0, 0, 0, 12, 1, 0, 0, 0, 0, 14, 1, 0, 0, 0, 0, 16, 1, 0, 0, 0, 0,
		18, 1, 0, 0, 0, 0, 20, 1, 0, 0, 0, 0, 22, 1, 0, 0, 0, 0, 24, 1, 0, 0, 0,
		1, 26, 1, 0, 0, 0, 1, 28, 1, 0, 0, 0, 1, 30, 1, 0, 0, 0, 1, 32, 1, 0, 0,
		0, 2, 34, 1, 0, 0, 0, 4, 36, 1, 0, 0, 0, 6, 38, 1, 0, 0, 0, 8, 42, 1, 0,
		0, 0, 10, 44, 1, 0, 0, 0, 12, 46, 1, 0, 0, 0, 14, 48, 1, 0, 0, 0, 16, 50,
		1, 0, 0, 0, 18, 53, 1, 0, 0, 0, 20, 57, 1, 0, 0, 0, 22, 69, 1, 0, 0, 0,
		24, 75, 1, 0, 0, 0, 26, 77, 1, 0, 0, 0, 28, 100, 1, 0, 0, 0, 30, 103, 1,
		0, 0, 0, 32, 109, 1, 0, 0, 0, 34, 35, 5, 46, 0, 0, 35, 3, 1, 0, 0, 0, 36,
		37, 5, 61, 0, 0, 37, 5, 1, 0, 0, 0, 38, 39, 5, 91, 0, 0, 39, 40, 1, 0,
		0, 0, 40, 41, 6, 2, 0, 0, 41, 7, 1, 0, 0, 0, 42, 43, 5, 40, 0, 0, 43, 9,
		1, 0, 0, 0, 44, 45, 5, 123, 0, 0, 45, 11, 1, 0, 0, 0, 46, 47, 5, 44, 0,
		0, 47, 13, 1, 0, 0, 0, 48, 49, 5, 41, 0, 0, 49, 15, 1, 0, 0, 0, 50, 51,
		5, 125, 0, 0, 51, 17, 1, 0, 0, 0, 52, 54, 7, 0, 0, 0, 53, 52, 1, 0, 0,
		0, 54, 55, 1, 0, 0, 0, 55, 53, 1, 0, 0, 0, 55, 56, 1, 0, 0, 0, 56, 19,
		1, 0, 0, 0, 57, 63, 5, 39, 0, 0, 58, 62, 8, 1, 0, 0, 59, 60, 5, 92, 0,
		0, 60, 62, 7, 1, 0, 0, 61, 58, 1, 0, 0, 0, 61, 59, 1, 0, 0, 0, 62, 65,
		1, 0, 0, 0, 63, 61, 1, 0, 0, 0, 63, 64, 1, 0, 0, 0, 64, 66, 1, 0, 0, 0,
		65, 63, 1, 0, 0, 0, 66, 67, 5, 39, 0, 0, 67, 21, 1, 0, 0, 0, 68, 70, 7,
		2, 0, 0, 69, 68, 1, 0, 0, 0, 70, 71, 1, 0, 0, 0, 71, 69, 1, 0, 0, 0, 71,
		72, 1, 0, 0, 0, 72, 73, 1, 0, 0, 0, 73, 74, 6, 10, 1, 0, 74, 23, 1, 0,
		0, 0, 75, 76, 9, 0, 0, 0, 76, 25, 1, 0, 0, 0, 77, 78, 5, 93, 0, 0, 78,
		79, 1, 0, 0, 0, 79, 80, 6, 12, 2, 0, 80, 27, 1, 0, 0, 0, 81, 83, 7, 3,
		0, 0, 82, 81, 1, 0, 0, 0, 83, 84, 1, 0, 0, 0, 84, 82, 1, 0, 0, 0, 84, 85,
		1, 0, 0, 0, 85, 92, 1, 0, 0, 0, 86, 88, 5, 46, 0, 0, 87, 89, 7, 3, 0, 0,
		88, 87, 1, 0, 0, 0, 89, 90, 1, 0, 0, 0, 90, 88, 1, 0, 0, 0, 90, 91, 1,
		0, 0, 0, 91, 93, 1, 0, 0, 0, 92, 86, 1, 0, 0, 0, 92, 93, 1, 0, 0, 0, 93,
		101, 1, 0, 0, 0, 94, 96, 5, 46, 0, 0, 95, 97, 7, 3, 0, 0, 96, 95, 1, 0,
		0, 0, 97, 98, 1, 0, 0, 0, 98, 96, 1, 0, 0, 0, 98, 99, 1, 0, 0, 0, 99, 101,
		1, 0, 0, 0, 100, 82, 1, 0, 0, 0, 100, 94, 1, 0, 0, 0, 101, 29, 1, 0, 0,
		0, 102, 104, 7, 2, 0, 0, 103, 102, 1, 0, 0, 0, 104, 105, 1, 0, 0, 0, 105,
		103, 1, 0, 0, 0, 105, 106, 1, 0, 0, 0, 106, 107, 1, 0, 0, 0, 107, 108,
		6, 14, 1, 0, 108, 31, 1, 0, 0, 0, 109, 110, 9, 0, 0, 0, 110, 111, 1, 0,
		0, 0, 111, 112, 6, 15, 3, 0, 112, 33, 1, 0, 0, 0, 12, 0, 1, 55, 61, 63,
		71, 84, 90, 92, 98, 100, 105, 4, 5, 1, 0, 6, 0, 0, 4, 0, 0, 7, 12, 0,
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

// NetLexerInit initializes any static state used to implement NetLexer. By default the
// static state used to implement the lexer is lazily initialized during the first call to
// NewNetLexer(). You can call this function if you wish to initialize the static state ahead
// of time.
func NetLexerInit() {
	staticData := &NetLexerLexerStaticData
	staticData.once.Do(netlexerLexerInit)
}

// NewNetLexer produces a new lexer instance for the optional input antlr.CharStream.
func NewNetLexer(input antlr.CharStream) *NetLexer {
	NetLexerInit()
	l := new(NetLexer)
	l.BaseLexer = antlr.NewBaseLexer(input)
	staticData := &NetLexerLexerStaticData
	l.Interpreter = antlr.NewLexerATNSimulator(l, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	l.channelNames = staticData.ChannelNames
	l.modeNames = staticData.ModeNames
	l.RuleNames = staticData.RuleNames
	l.LiteralNames = staticData.LiteralNames
	l.SymbolicNames = staticData.SymbolicNames
	l.GrammarFileName = "NetLexer.g4"
	// TODO: l.EOF = antlr.TokenEOF

	return l
}

// NetLexer tokens.
const (
	NetLexerDOT          = 1
	NetLexerEQUALS       = 2
	NetLexerMARKER_OPEN  = 3
	NetLexerPAREN_OPEN   = 4
	NetLexerBRACE_OPEN   = 5
	NetLexerCOMMA        = 6
	NetLexerPAREN_CLOSE  = 7
	NetLexerBRACE_CLOSE  = 8
	NetLexerNAME         = 9
	NetLexerSTRING       = 10
	NetLexerSPACE        = 11
	NetLexerOTHER        = 12
	NetLexerMARKER_CLOSE = 13
	NetLexerNUMBER       = 14
	NetLexerMARKER_SPACE = 15
)

// NetLexerMARKER is the NetLexer mode.
const NetLexerMARKER = 1
