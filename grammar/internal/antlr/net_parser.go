// Code generated from NetParser.g4 by ANTLR 4.13.1. DO NOT EDIT.

package antlr // NetParser
import (
	"fmt"
	"strconv"
	"sync"

	"github.com/antlr4-go/antlr/v4"
)

// Suppress unused import errors
var _ = fmt.Printf
var _ = strconv.Itoa
var _ = sync.Once{}

type NetParser struct {
	*antlr.BaseParser
}

var NetParserParserStaticData struct {
	once                   sync.Once
	serializedATN          []int32
	LiteralNames           []string
	SymbolicNames          []string
	RuleNames              []string
	PredictionContextCache *antlr.PredictionContextCache
	atn                    *antlr.ATN
	decisionToDFA          []*antlr.DFA
}

func netparserParserInit() {
	staticData := &NetParserParserStaticData
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
		"net", "body", "entry", "node", "arguments", "argument", "marker",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 17, 79, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 5,
		1, 22, 8, 1, 10, 1, 12, 1, 25, 9, 1, 3, 1, 27, 8, 1, 1, 1, 1, 1, 1, 2,
		1, 2, 3, 2, 33, 8, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3, 2, 39, 8, 2, 1, 3, 1,
		3, 3, 3, 43, 8, 3, 1, 3, 1, 3, 1, 3, 3, 3, 48, 8, 3, 1, 4, 1, 4, 1, 4,
		1, 4, 5, 4, 54, 8, 4, 10, 4, 12, 4, 57, 9, 4, 3, 4, 59, 8, 4, 1, 4, 1,
		4, 1, 5, 1, 5, 3, 5, 65, 8, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 3, 5,
		73, 8, 5, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 0, 0, 7, 0, 2, 4, 6, 8, 10, 12,
		0, 0, 81, 0, 14, 1, 0, 0, 0, 2, 17, 1, 0, 0, 0, 4, 30, 1, 0, 0, 0, 6, 47,
		1, 0, 0, 0, 8, 49, 1, 0, 0, 0, 10, 62, 1, 0, 0, 0, 12, 74, 1, 0, 0, 0,
		14, 15, 3, 2, 1, 0, 15, 16, 5, 0, 0, 1, 16, 1, 1, 0, 0, 0, 17, 26, 5, 5,
		0, 0, 18, 23, 3, 4, 2, 0, 19, 20, 5, 6, 0, 0, 20, 22, 3, 4, 2, 0, 21, 19,
		1, 0, 0, 0, 22, 25, 1, 0, 0, 0, 23, 21, 1, 0, 0, 0, 23, 24, 1, 0, 0, 0,
		24, 27, 1, 0, 0, 0, 25, 23, 1, 0, 0, 0, 26, 18, 1, 0, 0, 0, 26, 27, 1,
		0, 0, 0, 27, 28, 1, 0, 0, 0, 28, 29, 5, 8, 0, 0, 29, 3, 1, 0, 0, 0, 30,
		32, 5, 9, 0, 0, 31, 33, 3, 12, 6, 0, 32, 31, 1, 0, 0, 0, 32, 33, 1, 0,
		0, 0, 33, 34, 1, 0, 0, 0, 34, 35, 5, 2, 0, 0, 35, 38, 3, 6, 3, 0, 36, 37,
		5, 1, 0, 0, 37, 39, 5, 9, 0, 0, 38, 36, 1, 0, 0, 0, 38, 39, 1, 0, 0, 0,
		39, 5, 1, 0, 0, 0, 40, 42, 5, 9, 0, 0, 41, 43, 3, 8, 4, 0, 42, 41, 1, 0,
		0, 0, 42, 43, 1, 0, 0, 0, 43, 48, 1, 0, 0, 0, 44, 45, 3, 2, 1, 0, 45, 46,
		3, 8, 4, 0, 46, 48, 1, 0, 0, 0, 47, 40, 1, 0, 0, 0, 47, 44, 1, 0, 0, 0,
		48, 7, 1, 0, 0, 0, 49, 58, 5, 4, 0, 0, 50, 55, 3, 10, 5, 0, 51, 52, 5,
		6, 0, 0, 52, 54, 3, 10, 5, 0, 53, 51, 1, 0, 0, 0, 54, 57, 1, 0, 0, 0, 55,
		53, 1, 0, 0, 0, 55, 56, 1, 0, 0, 0, 56, 59, 1, 0, 0, 0, 57, 55, 1, 0, 0,
		0, 58, 50, 1, 0, 0, 0, 58, 59, 1, 0, 0, 0, 59, 60, 1, 0, 0, 0, 60, 61,
		5, 7, 0, 0, 61, 9, 1, 0, 0, 0, 62, 64, 5, 9, 0, 0, 63, 65, 3, 12, 6, 0,
		64, 63, 1, 0, 0, 0, 64, 65, 1, 0, 0, 0, 65, 66, 1, 0, 0, 0, 66, 72, 5,
		2, 0, 0, 67, 73, 5, 10, 0, 0, 68, 69, 3, 6, 3, 0, 69, 70, 5, 1, 0, 0, 70,
		71, 5, 9, 0, 0, 71, 73, 1, 0, 0, 0, 72, 67, 1, 0, 0, 0, 72, 68, 1, 0, 0,
		0, 73, 11, 1, 0, 0, 0, 74, 75, 5, 3, 0, 0, 75, 76, 5, 15, 0, 0, 76, 77,
		5, 14, 0, 0, 77, 13, 1, 0, 0, 0, 10, 23, 26, 32, 38, 42, 47, 55, 58, 64,
		72,
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

// NetParserInit initializes any static state used to implement NetParser. By default the
// static state used to implement the parser is lazily initialized during the first call to
// NewNetParser(). You can call this function if you wish to initialize the static state ahead
// of time.
func NetParserInit() {
	staticData := &NetParserParserStaticData
	staticData.once.Do(netparserParserInit)
}

// NewNetParser produces a new parser instance for the optional input antlr.TokenStream.
func NewNetParser(input antlr.TokenStream) *NetParser {
	NetParserInit()
	this := new(NetParser)
	this.BaseParser = antlr.NewBaseParser(input)
	staticData := &NetParserParserStaticData
	this.Interpreter = antlr.NewParserATNSimulator(this, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	this.RuleNames = staticData.RuleNames
	this.LiteralNames = staticData.LiteralNames
	this.SymbolicNames = staticData.SymbolicNames
	this.GrammarFileName = "NetParser.g4"

	return this
}

// NetParser tokens.
const (
	NetParserEOF            = antlr.TokenEOF
	NetParserDOT            = 1
	NetParserEQUALS         = 2
	NetParserMARKER_OPEN    = 3
	NetParserPAREN_OPEN     = 4
	NetParserBRACE_OPEN     = 5
	NetParserCOMMA          = 6
	NetParserPAREN_CLOSE    = 7
	NetParserBRACE_CLOSE    = 8
	NetParserNAME           = 9
	NetParserSTRING         = 10
	NetParserSPACE          = 11
	NetParserCOMMENT        = 12
	NetParserOTHER          = 13
	NetParserMARKER_CLOSE   = 14
	NetParserNUMBER         = 15
	NetParserMARKER_SPACE   = 16
	NetParserMARKER_COMMENT = 17
)

// NetParser rules.
const (
	NetParserRULE_net       = 0
	NetParserRULE_body      = 1
	NetParserRULE_entry     = 2
	NetParserRULE_node      = 3
	NetParserRULE_arguments = 4
	NetParserRULE_argument  = 5
	NetParserRULE_marker    = 6
)

// INetContext is an interface to support dynamic dispatch.
type INetContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Body() IBodyContext
	EOF() antlr.TerminalNode

	// IsNetContext differentiates from other interfaces.
	IsNetContext()
}

type NetContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyNetContext() *NetContext {
	var p = new(NetContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_net
	return p
}

func InitEmptyNetContext(p *NetContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_net
}

func (*NetContext) IsNetContext() {}

func NewNetContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *NetContext {
	var p = new(NetContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_net

	return p
}

func (s *NetContext) GetParser() antlr.Parser { return s.parser }

func (s *NetContext) Body() IBodyContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBodyContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBodyContext)
}

func (s *NetContext) EOF() antlr.TerminalNode {
	return s.GetToken(NetParserEOF, 0)
}

func (s *NetContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *NetContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Net() (localctx INetContext) {
	localctx = NewNetContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 0, NetParserRULE_net)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(14)
		p.Body()
	}
	{
		p.SetState(15)
		p.Match(NetParserEOF)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IBodyContext is an interface to support dynamic dispatch.
type IBodyContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	BRACE_OPEN() antlr.TerminalNode
	BRACE_CLOSE() antlr.TerminalNode
	AllEntry() []IEntryContext
	Entry(i int) IEntryContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsBodyContext differentiates from other interfaces.
	IsBodyContext()
}

type BodyContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyBodyContext() *BodyContext {
	var p = new(BodyContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_body
	return p
}

func InitEmptyBodyContext(p *BodyContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_body
}

func (*BodyContext) IsBodyContext() {}

func NewBodyContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *BodyContext {
	var p = new(BodyContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_body

	return p
}

func (s *BodyContext) GetParser() antlr.Parser { return s.parser }

func (s *BodyContext) BRACE_OPEN() antlr.TerminalNode {
	return s.GetToken(NetParserBRACE_OPEN, 0)
}

func (s *BodyContext) BRACE_CLOSE() antlr.TerminalNode {
	return s.GetToken(NetParserBRACE_CLOSE, 0)
}

func (s *BodyContext) AllEntry() []IEntryContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IEntryContext); ok {
			len++
		}
	}

	tst := make([]IEntryContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IEntryContext); ok {
			tst[i] = t.(IEntryContext)
			i++
		}
	}

	return tst
}

func (s *BodyContext) Entry(i int) IEntryContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IEntryContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IEntryContext)
}

func (s *BodyContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(NetParserCOMMA)
}

func (s *BodyContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(NetParserCOMMA, i)
}

func (s *BodyContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *BodyContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Body() (localctx IBodyContext) {
	localctx = NewBodyContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 2, NetParserRULE_body)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(17)
		p.Match(NetParserBRACE_OPEN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(26)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == NetParserNAME {
		{
			p.SetState(18)
			p.Entry()
		}
		p.SetState(23)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == NetParserCOMMA {
			{
				p.SetState(19)
				p.Match(NetParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(20)
				p.Entry()
			}

			p.SetState(25)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(28)
		p.Match(NetParserBRACE_CLOSE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IEntryContext is an interface to support dynamic dispatch.
type IEntryContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// GetName returns the name token.
	GetName() antlr.Token

	// GetPort returns the port token.
	GetPort() antlr.Token

	// SetName sets the name token.
	SetName(antlr.Token)

	// SetPort sets the port token.
	SetPort(antlr.Token)

	// Getter signatures
	EQUALS() antlr.TerminalNode
	Node() INodeContext
	AllNAME() []antlr.TerminalNode
	NAME(i int) antlr.TerminalNode
	Marker() IMarkerContext
	DOT() antlr.TerminalNode

	// IsEntryContext differentiates from other interfaces.
	IsEntryContext()
}

type EntryContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
	name   antlr.Token
	port   antlr.Token
}

func NewEmptyEntryContext() *EntryContext {
	var p = new(EntryContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_entry
	return p
}

func InitEmptyEntryContext(p *EntryContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_entry
}

func (*EntryContext) IsEntryContext() {}

func NewEntryContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *EntryContext {
	var p = new(EntryContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_entry

	return p
}

func (s *EntryContext) GetParser() antlr.Parser { return s.parser }

func (s *EntryContext) GetName() antlr.Token { return s.name }

func (s *EntryContext) GetPort() antlr.Token { return s.port }

func (s *EntryContext) SetName(v antlr.Token) { s.name = v }

func (s *EntryContext) SetPort(v antlr.Token) { s.port = v }

func (s *EntryContext) EQUALS() antlr.TerminalNode {
	return s.GetToken(NetParserEQUALS, 0)
}

func (s *EntryContext) Node() INodeContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(INodeContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(INodeContext)
}

func (s *EntryContext) AllNAME() []antlr.TerminalNode {
	return s.GetTokens(NetParserNAME)
}

func (s *EntryContext) NAME(i int) antlr.TerminalNode {
	return s.GetToken(NetParserNAME, i)
}

func (s *EntryContext) Marker() IMarkerContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IMarkerContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IMarkerContext)
}

func (s *EntryContext) DOT() antlr.TerminalNode {
	return s.GetToken(NetParserDOT, 0)
}

func (s *EntryContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *EntryContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Entry() (localctx IEntryContext) {
	localctx = NewEntryContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 4, NetParserRULE_entry)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(30)

		var _m = p.Match(NetParserNAME)

		localctx.(*EntryContext).name = _m
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(32)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == NetParserMARKER_OPEN {
		{
			p.SetState(31)
			p.Marker()
		}

	}
	{
		p.SetState(34)
		p.Match(NetParserEQUALS)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(35)
		p.Node()
	}
	p.SetState(38)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == NetParserDOT {
		{
			p.SetState(36)
			p.Match(NetParserDOT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(37)

			var _m = p.Match(NetParserNAME)

			localctx.(*EntryContext).port = _m
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// INodeContext is an interface to support dynamic dispatch.
type INodeContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	NAME() antlr.TerminalNode
	Arguments() IArgumentsContext
	Body() IBodyContext

	// IsNodeContext differentiates from other interfaces.
	IsNodeContext()
}

type NodeContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyNodeContext() *NodeContext {
	var p = new(NodeContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_node
	return p
}

func InitEmptyNodeContext(p *NodeContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_node
}

func (*NodeContext) IsNodeContext() {}

func NewNodeContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *NodeContext {
	var p = new(NodeContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_node

	return p
}

func (s *NodeContext) GetParser() antlr.Parser { return s.parser }

func (s *NodeContext) NAME() antlr.TerminalNode {
	return s.GetToken(NetParserNAME, 0)
}

func (s *NodeContext) Arguments() IArgumentsContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IArgumentsContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IArgumentsContext)
}

func (s *NodeContext) Body() IBodyContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBodyContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBodyContext)
}

func (s *NodeContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *NodeContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Node() (localctx INodeContext) {
	localctx = NewNodeContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 6, NetParserRULE_node)
	var _la int

	p.SetState(47)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case NetParserNAME:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(40)
			p.Match(NetParserNAME)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(42)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == NetParserPAREN_OPEN {
			{
				p.SetState(41)
				p.Arguments()
			}

		}

	case NetParserBRACE_OPEN:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(44)
			p.Body()
		}
		{
			p.SetState(45)
			p.Arguments()
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IArgumentsContext is an interface to support dynamic dispatch.
type IArgumentsContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	PAREN_OPEN() antlr.TerminalNode
	PAREN_CLOSE() antlr.TerminalNode
	AllArgument() []IArgumentContext
	Argument(i int) IArgumentContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsArgumentsContext differentiates from other interfaces.
	IsArgumentsContext()
}

type ArgumentsContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyArgumentsContext() *ArgumentsContext {
	var p = new(ArgumentsContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_arguments
	return p
}

func InitEmptyArgumentsContext(p *ArgumentsContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_arguments
}

func (*ArgumentsContext) IsArgumentsContext() {}

func NewArgumentsContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ArgumentsContext {
	var p = new(ArgumentsContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_arguments

	return p
}

func (s *ArgumentsContext) GetParser() antlr.Parser { return s.parser }

func (s *ArgumentsContext) PAREN_OPEN() antlr.TerminalNode {
	return s.GetToken(NetParserPAREN_OPEN, 0)
}

func (s *ArgumentsContext) PAREN_CLOSE() antlr.TerminalNode {
	return s.GetToken(NetParserPAREN_CLOSE, 0)
}

func (s *ArgumentsContext) AllArgument() []IArgumentContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IArgumentContext); ok {
			len++
		}
	}

	tst := make([]IArgumentContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IArgumentContext); ok {
			tst[i] = t.(IArgumentContext)
			i++
		}
	}

	return tst
}

func (s *ArgumentsContext) Argument(i int) IArgumentContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IArgumentContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IArgumentContext)
}

func (s *ArgumentsContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(NetParserCOMMA)
}

func (s *ArgumentsContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(NetParserCOMMA, i)
}

func (s *ArgumentsContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ArgumentsContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Arguments() (localctx IArgumentsContext) {
	localctx = NewArgumentsContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 8, NetParserRULE_arguments)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(49)
		p.Match(NetParserPAREN_OPEN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(58)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == NetParserNAME {
		{
			p.SetState(50)
			p.Argument()
		}
		p.SetState(55)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == NetParserCOMMA {
			{
				p.SetState(51)
				p.Match(NetParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(52)
				p.Argument()
			}

			p.SetState(57)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(60)
		p.Match(NetParserPAREN_CLOSE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IArgumentContext is an interface to support dynamic dispatch.
type IArgumentContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// GetName returns the name token.
	GetName() antlr.Token

	// GetPort returns the port token.
	GetPort() antlr.Token

	// SetName sets the name token.
	SetName(antlr.Token)

	// SetPort sets the port token.
	SetPort(antlr.Token)

	// Getter signatures
	EQUALS() antlr.TerminalNode
	AllNAME() []antlr.TerminalNode
	NAME(i int) antlr.TerminalNode
	STRING() antlr.TerminalNode
	Node() INodeContext
	DOT() antlr.TerminalNode
	Marker() IMarkerContext

	// IsArgumentContext differentiates from other interfaces.
	IsArgumentContext()
}

type ArgumentContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
	name   antlr.Token
	port   antlr.Token
}

func NewEmptyArgumentContext() *ArgumentContext {
	var p = new(ArgumentContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_argument
	return p
}

func InitEmptyArgumentContext(p *ArgumentContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_argument
}

func (*ArgumentContext) IsArgumentContext() {}

func NewArgumentContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ArgumentContext {
	var p = new(ArgumentContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_argument

	return p
}

func (s *ArgumentContext) GetParser() antlr.Parser { return s.parser }

func (s *ArgumentContext) GetName() antlr.Token { return s.name }

func (s *ArgumentContext) GetPort() antlr.Token { return s.port }

func (s *ArgumentContext) SetName(v antlr.Token) { s.name = v }

func (s *ArgumentContext) SetPort(v antlr.Token) { s.port = v }

func (s *ArgumentContext) EQUALS() antlr.TerminalNode {
	return s.GetToken(NetParserEQUALS, 0)
}

func (s *ArgumentContext) AllNAME() []antlr.TerminalNode {
	return s.GetTokens(NetParserNAME)
}

func (s *ArgumentContext) NAME(i int) antlr.TerminalNode {
	return s.GetToken(NetParserNAME, i)
}

func (s *ArgumentContext) STRING() antlr.TerminalNode {
	return s.GetToken(NetParserSTRING, 0)
}

func (s *ArgumentContext) Node() INodeContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(INodeContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(INodeContext)
}

func (s *ArgumentContext) DOT() antlr.TerminalNode {
	return s.GetToken(NetParserDOT, 0)
}

func (s *ArgumentContext) Marker() IMarkerContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IMarkerContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IMarkerContext)
}

func (s *ArgumentContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ArgumentContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Argument() (localctx IArgumentContext) {
	localctx = NewArgumentContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 10, NetParserRULE_argument)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(62)

		var _m = p.Match(NetParserNAME)

		localctx.(*ArgumentContext).name = _m
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(64)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == NetParserMARKER_OPEN {
		{
			p.SetState(63)
			p.Marker()
		}

	}
	{
		p.SetState(66)
		p.Match(NetParserEQUALS)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(72)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case NetParserSTRING:
		{
			p.SetState(67)
			p.Match(NetParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case NetParserBRACE_OPEN, NetParserNAME:
		{
			p.SetState(68)
			p.Node()
		}
		{
			p.SetState(69)
			p.Match(NetParserDOT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(70)

			var _m = p.Match(NetParserNAME)

			localctx.(*ArgumentContext).port = _m
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IMarkerContext is an interface to support dynamic dispatch.
type IMarkerContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	MARKER_OPEN() antlr.TerminalNode
	NUMBER() antlr.TerminalNode
	MARKER_CLOSE() antlr.TerminalNode

	// IsMarkerContext differentiates from other interfaces.
	IsMarkerContext()
}

type MarkerContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyMarkerContext() *MarkerContext {
	var p = new(MarkerContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_marker
	return p
}

func InitEmptyMarkerContext(p *MarkerContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = NetParserRULE_marker
}

func (*MarkerContext) IsMarkerContext() {}

func NewMarkerContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *MarkerContext {
	var p = new(MarkerContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = NetParserRULE_marker

	return p
}

func (s *MarkerContext) GetParser() antlr.Parser { return s.parser }

func (s *MarkerContext) MARKER_OPEN() antlr.TerminalNode {
	return s.GetToken(NetParserMARKER_OPEN, 0)
}

func (s *MarkerContext) NUMBER() antlr.TerminalNode {
	return s.GetToken(NetParserNUMBER, 0)
}

func (s *MarkerContext) MARKER_CLOSE() antlr.TerminalNode {
	return s.GetToken(NetParserMARKER_CLOSE, 0)
}

func (s *MarkerContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *MarkerContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *NetParser) Marker() (localctx IMarkerContext) {
	localctx = NewMarkerContext(p, p.GetParserRuleContext(), p.GetState())
	p.EnterRule(localctx, 12, NetParserRULE_marker)
	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(74)
		p.Match(NetParserMARKER_OPEN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(75)
		p.Match(NetParserNUMBER)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(76)
		p.Match(NetParserMARKER_CLOSE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}
