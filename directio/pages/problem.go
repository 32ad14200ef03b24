package pages

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// code names an error towards clients. Codes are part of the contract.
type code string

const (
	codeNotFound  code = "not-found"
	codeNoNet     code = "no-net"
	codeNoThing   code = "no-such-name"
	codeMethod    code = "method"
	codeParameter code = "parameter"
	codeTooLarge  code = "too-large"
	codeMedia     code = "media-type"
	codeSlow      code = "slow-body"
	codeForm      code = "form"
	codeSyntax    code = "syntax"
	codeRejected  code = "rejected"
	codePlan      code = "plan"
	codeAction    code = "action"
	codeState     code = "state"
	codeTooMany   code = "too-many"
	codeResource  code = "resource"
	codeKey       code = "key"
	codeValue     code = "value"
	codeExtension code = "extension"
	codeRule      code = "rule"
	codeDevice    code = "device"
	codeInUse     code = "in-use"
	codeHost      code = "foreign-host"
	codeOrigin    code = "foreign-origin"
	codeInstance  code = "other-instance"
	codeBusy      code = "busy"
	codeMemory    code = "memory"
	codeLoad      code = "load"
	codeClosing   code = "closing"
	codeInternal  code = "internal"
)

// Codes of other protocols, and codes that they share.
const (
	CodeRequest code = "request"
	CodeLimit   code = "limit"
	CodeScope   code = "scope"
	CodeNothing code = "nothing"

	CodeNotFound = codeNotFound
	CodeNoThing  = codeNoThing
	CodeMethod   = codeMethod
	CodeTooMany  = codeTooMany
)

// problemTable says for each code with which status it is answered and what the client can do.
var problemTable = map[code]struct {
	status int
	remedy string
}{
	codeNotFound:  {http.StatusNotFound, "see / for the addresses of this daemon"},
	codeNoNet:     {http.StatusNotFound, "see /nets/ for the nets that are loaded; names are never used again"},
	codeNoThing:   {http.StatusNotFound, "see the list one level up"},
	codeMethod:    {http.StatusMethodNotAllowed, "use one of the methods in the header Allow"},
	codeParameter: {http.StatusBadRequest, "leave it out of the address, or correct its name"},
	codeTooLarge:  {http.StatusRequestEntityTooLarge, "send less at once, or raise the limit in the configuration"},
	codeMedia:     {http.StatusUnsupportedMediaType, "send a form, URL-encoded or multipart; a net also bare, as text/plain or application/xml"},
	codeSlow:      {http.StatusRequestTimeout, "send the whole body at once"},
	codeForm:      {http.StatusBadRequest, "see the page of this address for the fields of its form; a net can also be sent bare, as text/plain or application/xml"},
	codeSyntax:    {http.StatusUnprocessableEntity, "correct the text at this line and column"},
	codeRejected:  {http.StatusUnprocessableEntity, "correct the net; see /primitives/ for types, ports and parameters"},
	codePlan:      {http.StatusBadRequest, "see /preview/ for what a plan consists of"},
	codeAction:    {http.StatusBadRequest, "use START, CANCEL, ABORT or UNLOAD"},
	codeTooMany:   {http.StatusConflict, "unload nets that are not needed any more, or raise the limit in the configuration"},
	codeState:     {http.StatusConflict, "check the state of the net and try again when it allows this"},
	codeResource:  {http.StatusConflict, "cancel the net that holds the resource, or wait until it has ended"},
	codeKey:       {http.StatusBadRequest, "see the inputs of the net; keys carry their prefix in"},
	codeValue:     {http.StatusBadRequest, "write the value in the text form of its type"},
	codeExtension: {http.StatusBadRequest, "see /extensions/ for those that there are; correct those of users in the extension-folder"},
	codeRule:      {http.StatusUnprocessableEntity, "see /nets/ for the nets and their states; their pages have the keys of their values"},
	codeDevice:    {http.StatusBadRequest, "see /devices/ for the types of devices with their parameters, and for the names that are in use"},
	codeInUse:     {http.StatusConflict, "unload or remove first what uses it: nets, devices, extensions"},
	codeHost:      {http.StatusForbidden, "use the address of the daemon, or add the name to its configuration"},
	codeOrigin:    {http.StatusForbidden, "send the request from a page of this daemon, or from a program"},
	codeInstance:  {http.StatusPreconditionFailed, "reload the page, or list again: names of nets, rules and sessions from before do not exist any more, or belong to somebody else"},
	codeBusy:      {http.StatusServiceUnavailable, "try again a little later, or send fewer requests at a time"},
	codeMemory:    {http.StatusInsufficientStorage, "unload nets that are not needed any more, shorten their arrays and histories, or raise limits.memory in the configuration"},
	codeLoad:      {http.StatusConflict, "end nets that are not needed now, give this one a longer cycle, or raise limits.cpu-percent in the configuration; see /realtime/ for what runs"},
	codeClosing:   {http.StatusServiceUnavailable, "wait until the daemon runs again"},
	codeInternal:  {http.StatusInternalServerError, "report this with the log of the daemon"},
	CodeRequest:   {http.StatusBadRequest, "see docs/guide-stream.md for what can be asked for"},
	CodeScope:     {http.StatusBadRequest, "see docs/guide-scope.md for what setups consist of, and what can be asked of captures"},
	CodeNothing:   {http.StatusConflict, "wait longer, or look at the trigger: mode auto shows what there is"},
	CodeLimit:     {http.StatusTooManyRequests, "end what is not looked at any more, or ask for less"},
}

// problem is an error as clients see it.
type problem struct {
	XMLName xml.Name `xml:"error" json:"-"`
	Status  int      `xml:"status,attr" json:"status"`
	Code    code     `xml:"code,attr" json:"code"`
	Where   string   `xml:"where,attr,omitempty" json:"where,omitempty"`
	Line    int      `xml:"line,attr,omitempty" json:"line,omitempty"`
	Column  int      `xml:"column,attr,omitempty" json:"column,omitempty"`
	Net     string   `xml:"net,attr,omitempty" json:"net,omitempty"` // address of a net that was rejected
	Message string   `xml:"message" json:"message"`
	Remedy  string   `xml:"remedy" json:"remedy"`
	Reasons []reason `xml:"reason" json:"reasons,omitempty"`

	Warnings []reason `xml:"warning" json:"warnings,omitempty"` // that alone would not be a reason to reject the net

	Source []sourceLine `xml:"-" json:"-"` // the text around Line, for pages
}

func (p *problem) Error() string { return p.Where + ": " + p.Message }

// ProblemError is an error as clients see it, for other protocols.
type ProblemError = problem

// Refuse makes an error of the table for other protocols.
func Refuse(c code, where, format string, args ...any) *ProblemError {
	return refuse(c, where, format, args...)
}

// ProblemOf turns any error into one of the table, for other protocols.
func ProblemOf(err error) *ProblemError { return problemOf(err) }

// refuse makes an error of the table.
func refuse(c code, where, format string, args ...any) *problem {
	entry := problemTable[c]
	return &problem{Status: entry.status, Code: c, Where: where, Message: fmt.Sprintf(format, args...), Remedy: entry.remedy}
}

// kinds maps the errors of the facade.
var kinds = []struct {
	kind error
	code code
}{
	{rcc.ErrNoNet, codeNoNet},
	{rcc.ErrNoSession, codeNoThing},
	{rcc.ErrNoRule, codeNoThing},
	{rcc.ErrNoDevice, codeNoThing},
	{rcc.ErrNoPage, codeNoThing},
	{rcc.ErrNoPort, codeNoThing},
	{rcc.ErrInUse, codeInUse},
	{rcc.ErrState, codeState},
	{rcc.ErrResource, codeResource},
	{rcc.ErrNoKey, codeKey},
	{rcc.ErrValue, codeValue},
	{rcc.ErrOverlap, codeRule},
	{rcc.ErrCondition, codeRule},
	{rcc.ErrClosed, codeClosing},
	{rcc.ErrTooMany, codeTooMany},
	{rcc.ErrBusy, codeBusy},
	{rcc.ErrMemory, codeMemory},
	{rcc.ErrLoad, codeLoad},
}

// problemOf says any error in the words of the table.
func problemOf(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	var syntax *grammar.Error
	if errors.As(err, &syntax) {
		p = refuse(codeSyntax, "net", "%s", syntax.Error())
		p.Line, p.Column = syntax.Pos.Line, syntax.Pos.Column
		return p
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return tooLarge(large.Limit)
	}
	var refused *rcc.Error
	if errors.As(err, &refused) {
		for _, k := range kinds {
			if errors.Is(err, k.kind) {
				return refuse(k.code, refused.Place, "%s", refused.Reason)
			}
		}
	}
	if errors.Is(err, context.Canceled) {
		return refuse(codeBusy, "request", "given up, as the client has closed the connection")
	}
	return refuse(codeInternal, "daemon", "%v", err)
}

func tooLarge(limit int64) *problem {
	return refuse(codeTooLarge, "body", "it is longer than %d bytes", limit)
}

// pick returns the element of that name; that there is none is an error of its address. of gives the name of an
// element.
func pick[T any](list []T, kind, name string, of func(T) string) (found T, err error) {
	if i := slices.IndexFunc(list, func(e T) bool { return of(e) == name }); i >= 0 {
		return list[i], nil
	}
	p := refuse(codeNoThing, kind+" "+short(name), "no such %s", kind)
	if near := slices.IndexFunc(list, func(e T) bool { return strings.EqualFold(of(e), name) }); near >= 0 {
		p.Message += "; did you mean " + of(list[near]) + "?"
	}
	return found, p
}
