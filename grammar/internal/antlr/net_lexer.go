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
		"", "", "", "']'",
	}
	staticData.SymbolicNames = []string{
		"", "DOT", "EQUALS", "MARKER_OPEN", "PAREN_OPEN", "BRACE_OPEN", "COMMA",
		"PAREN_CLOSE", "BRACE_CLOSE", "NAME", "STRING", "SPACE", "COMMENT",
		"OTHER", "MARKER_CLOSE", "NUMBER", "MARKER_SPACE", "MARKER_COMMENT",
	}
	staticData.RuleNames = []string{
		"DOT", "EQUALS", "MARKER_OPEN", "PAREN_OPEN", "BRACE_OPEN", "COMMA",
		"PAREN_CLOSE", "BRACE_CLOSE", "NAME", "STRING", "SPACE", "COMMENT",
		"OTHER", "MARKER_CLOSE", "NUMBER", "MARKER_SPACE", "MARKER_COMMENT",
		"MARKER_OTHER",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 0, 17, 165, 6, -1, 6, -1, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3,
		7, 3, 2, 4, 7, 4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9,
		7, 9, 2, 10, 7, 10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7,
		14, 2, 15, 7, 15, 2, 16, 7, 16, 2, 17, 7, 17, 1, 0, 1, 0, 1, 1, 1, 1, 1,
		2, 1, 2, 1, 2, 1, 2, 1, 3, 1, 3, 1, 4, 1, 4, 1, 5, 1, 5, 1, 6, 1, 6, 1,
		7, 1, 7, 1, 8, 4, 8, 58, 8, 8, 11, 8, 12, 8, 59, 1, 9, 1, 9, 1, 9, 1, 9,
		5, 9, 66, 8, 9, 10, 9, 12, 9, 69, 9, 9, 1, 9, 1, 9, 1, 10, 4, 10, 74, 8,
		10, 11, 10, 12, 10, 75, 1, 10, 1, 10, 1, 11, 1, 11, 1, 11, 1, 11, 5, 11,
		84, 8, 11, 10, 11, 12, 11, 87, 9, 11, 1, 11, 1, 11, 1, 11, 1, 11, 5, 11,
		93, 8, 11, 10, 11, 12, 11, 96, 9, 11, 1, 11, 1, 11, 3, 11, 100, 8, 11,
		1, 11, 1, 11, 1, 12, 1, 12, 1, 13, 1, 13, 1, 13, 1, 13, 1, 14, 4, 14, 111,
		8, 14, 11, 14, 12, 14, 112, 1, 14, 1, 14, 4, 14, 117, 8, 14, 11, 14, 12,
		14, 118, 3, 14, 121, 8, 14, 1, 14, 1, 14, 4, 14, 125, 8, 14, 11, 14, 12,
		14, 126, 3, 14, 129, 8, 14, 1, 15, 4, 15, 132, 8, 15, 11, 15, 12, 15, 133,
		1, 15, 1, 15, 1, 16, 1, 16, 1, 16, 1, 16, 5, 16, 142, 8, 16, 10, 16, 12,
		16, 145, 9, 16, 1, 16, 1, 16, 1, 16, 1, 16, 5, 16, 151, 8, 16, 10, 16,
		12, 16, 154, 9, 16, 1, 16, 1, 16, 3, 16, 158, 8, 16, 1, 16, 1, 16, 1, 17,
		1, 17, 1, 17, 1, 17, 2, 94, 152, 0, 18, 2, 1, 4, 2, 6, 3, 8, 4, 10, 5,
		12, 6, 14, 7, 16, 8, 18, 9, 20, 10, 22, 11, 24, 12, 26, 13, 28, 14, 30,
		15, 32, 16, 34, 17, 36, 0, 2, 0, 1, 5, 4, 0, 48, 58, 65, 90, 95, 95, 97,
		122, 2, 0, 39, 39, 92, 92, 3, 0, 9, 10, 13, 13, 32, 32, 1, 0, 10, 10, 1,
		0, 48, 57, 179, 0, 2, 1, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 6, 1, 0, 0, 0, 0,
		8, 1, 0, 0, 0, 0, 10, 1, 0, 0, 0, 0, 12, 1, 0, 0, 0, 0, 14, 1, 0, 0, 0,
		0, 16, 1, 0, 0, 0, 0, 18, 1, 0, 0, 0, 0, 20, 1, 0, 0, 0, 0, 22, 1, 0, 0,
		0, 0, 24, 1, 0, 0, 0, 0, 26, 1, 0, 0, 0, 1, 28, 1, 0, 0, 0, 1, 30, 1, 0,
		0, 0, 1, 32, 1, 0, 0, 0, 1, 34, 1, 0, 0, 0, 1, 36, 1, 0, 0, 0, 2, 38, 1,
		0, 0, 0, 4, 40, 1, 0, 0, 0, 6, 42, 1, 0, 0, 0, 8, 46, 1, 0, 0, 0, 10, 48,
		1, 0, 0, 0, 12, 50, 1, 0, 0, 0, 14, 52, 1, 0, 0, 0, 16, 54, 1, 0, 0, 0,
		18, 57, 1, 0, 0, 0, 20, 61, 1, 0, 0, 0, 22, 73, 1, 0, 0, 0, 24, 99, 1,
		0, 0, 0, 26, 103, 1, 0, 0, 0, 28, 105, 1, 0, 0, 0, 30, 128, 1, 0, 0, 0,
		32, 131, 1, 0, 0, 0, 34, 157, 1, 0, 0, 0, 36, 161, 1, 0, 0, 0, 38, 39,
		5, 46, 0, 0, 39, 3, 1, 0, 0, 0, 40, 41, 5, 61, 0, 0, 41, 5, 1, 0, 0, 0,
		42, 43, 5, 91, 0, 0, 43, 44, 1, 0, 0, 0, 44, 45, 6, 2, 0, 0, 45, 7, 1,
		0, 0, 0, 46, 47, 5, 40, 0, 0, 47, 9, 1, 0, 0, 0, 48, 49, 5, 123, 0, 0,
		49, 11, 1, 0, 0, 0, 50, 51, 5, 44, 0, 0, 51, 13, 1, 0, 0, 0, 52, 53, 5,
		41, 0, 0, 53, 15, 1, 0, 0, 0, 54, 55, 5, 125, 0, 0, 55, 17, 1, 0, 0, 0,
		56, 58, 7, 0, 0, 0, 57, 56, 1, 0, 0, 0, 58, 59, 1, 0, 0, 0, 59, 57, 1,
		0, 0, 0, 59, 60, 1, 0, 0, 0, 60, 19, 1, 0, 0, 0, 61, 67, 5, 39, 0, 0, 62,
		66, 8, 1, 0, 0, 63, 64, 5, 92, 0, 0, 64, 66, 7, 1, 0, 0, 65, 62, 1, 0,
		0, 0, 65, 63, 1, 0, 0, 0, 66, 69, 1, 0, 0, 0, 67, 65, 1, 0, 0, 0, 67, 68,
		1, 0, 0, 0, 68, 70, 1, 0, 0, 0, 69, 67, 1, 0, 0, 0, 70, 71, 5, 39, 0, 0,
		71, 21, 1, 0, 0, 0, 72, 74, 7, 2, 0, 0, 73, 72, 1, 0, 0, 0, 74, 75, 1,
		0, 0, 0, 75, 73, 1, 0, 0, 0, 75, 76, 1, 0, 0, 0, 76, 77, 1, 0, 0, 0, 77,
		78, 6, 10, 1, 0, 78, 23, 1, 0, 0, 0, 79, 80, 5, 47, 0, 0, 80, 81, 5, 47,
		0, 0, 81, 85, 1, 0, 0, 0, 82, 84, 8, 3, 0, 0, 83, 82, 1, 0, 0, 0, 84, 87,
		1, 0, 0, 0, 85, 83, 1, 0, 0, 0, 85, 86, 1, 0, 0, 0, 86, 100, 1, 0, 0, 0,
		87, 85, 1, 0, 0, 0, 88, 89, 5, 47, 0, 0, 89, 90, 5, 42, 0, 0, 90, 94, 1,
		0, 0, 0, 91, 93, 9, 0, 0, 0, 92, 91, 1, 0, 0, 0, 93, 96, 1, 0, 0, 0, 94,
		95, 1, 0, 0, 0, 94, 92, 1, 0, 0, 0, 95, 97, 1, 0, 0, 0, 96, 94, 1, 0, 0,
		0, 97, 98, 5, 42, 0, 0, 98, 100, 5, 47, 0, 0, 99, 79, 1, 0, 0, 0, 99, 88,
		1, 0, 0, 0, 100, 101, 1, 0, 0, 0, 101, 102, 6, 11, 1, 0, 102, 25, 1, 0,
		0, 0, 103, 104, 9, 0, 0, 0, 104, 27, 1, 0, 0, 0, 105, 106, 5, 93, 0, 0,
		106, 107, 1, 0, 0, 0, 107, 108, 6, 13, 2, 0, 108, 29, 1, 0, 0, 0, 109,
		111, 7, 4, 0, 0, 110, 109, 1, 0, 0, 0, 111, 112, 1, 0, 0, 0, 112, 110,
		1, 0, 0, 0, 112, 113, 1, 0, 0, 0, 113, 120, 1, 0, 0, 0, 114, 116, 5, 46,
		0, 0, 115, 117, 7, 4, 0, 0, 116, 115, 1, 0, 0, 0, 117, 118, 1, 0, 0, 0,
		118, 116, 1, 0, 0, 0, 118, 119, 1, 0, 0, 0, 119, 121, 1, 0, 0, 0, 120,
		114, 1, 0, 0, 0, 120, 121, 1, 0, 0, 0, 121, 129, 1, 0, 0, 0, 122, 124,
		5, 46, 0, 0, 123, 125, 7, 4, 0, 0, 124, 123, 1, 0, 0, 0, 125, 126, 1, 0,
		0, 0, 126, 124, 1, 0, 0, 0, 126, 127, 1, 0, 0, 0, 127, 129, 1, 0, 0, 0,
		128, 110, 1, 0, 0, 0, 128, 122, 1, 0, 0, 0, 129, 31, 1, 0, 0, 0, 130, 132,
		7, 2, 0, 0, 131, 130, 1, 0, 0, 0, 132, 133, 1, 0, 0, 0, 133, 131, 1, 0,
		0, 0, 133, 134, 1, 0, 0, 0, 134, 135, 1, 0, 0, 0, 135, 136, 6, 15, 1, 0,
		136, 33, 1, 0, 0, 0, 137, 138, 5, 47, 0, 0, 138, 139, 5, 47, 0, 0, 139,
		143, 1, 0, 0, 0, 140, 142, 8, 3, 0, 0, 141, 140, 1, 0, 0, 0, 142, 145,
		1, 0, 0, 0, 143, 141, 1, 0, 0, 0, 143, 144, 1, 0, 0, 0, 144, 158, 1, 0,
		0, 0, 145, 143, 1, 0, 0, 0, 146, 147, 5, 47, 0, 0, 147, 148, 5, 42, 0,
		0, 148, 152, 1, 0, 0, 0, 149, 151, 9, 0, 0, 0, 150, 149, 1, 0, 0, 0, 151,
		154, 1, 0, 0, 0, 152, 153, 1, 0, 0, 0, 152, 150, 1, 0, 0, 0, 153, 155,
		1, 0, 0, 0, 154, 152, 1, 0, 0, 0, 155, 156, 5, 42, 0, 0, 156, 158, 5, 47,
		0, 0, 157, 137, 1, 0, 0, 0, 157, 146, 1, 0, 0, 0, 158, 159, 1, 0, 0, 0,
		159, 160, 6, 16, 1, 0, 160, 35, 1, 0, 0, 0, 161, 162, 9, 0, 0, 0, 162,
		163, 1, 0, 0, 0, 163, 164, 6, 17, 3, 0, 164, 37, 1, 0, 0, 0, 18, 0, 1,
		59, 65, 67, 75, 85, 94, 99, 112, 118, 120, 126, 128, 133, 143, 152, 157,
		4, 5, 1, 0, 6, 0, 0, 4, 0, 0, 7, 13, 0,
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
	NetLexerDOT            = 1
	NetLexerEQUALS         = 2
	NetLexerMARKER_OPEN    = 3
	NetLexerPAREN_OPEN     = 4
	NetLexerBRACE_OPEN     = 5
	NetLexerCOMMA          = 6
	NetLexerPAREN_CLOSE    = 7
	NetLexerBRACE_CLOSE    = 8
	NetLexerNAME           = 9
	NetLexerSTRING         = 10
	NetLexerSPACE          = 11
	NetLexerCOMMENT        = 12
	NetLexerOTHER          = 13
	NetLexerMARKER_CLOSE   = 14
	NetLexerNUMBER         = 15
	NetLexerMARKER_SPACE   = 16
	NetLexerMARKER_COMMENT = 17
)

// NetLexerMARKER is the NetLexer mode.
const NetLexerMARKER = 1
