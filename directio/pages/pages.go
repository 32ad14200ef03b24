// Package pages answers HTTP requests: the addresses under which people, scripts and applications see the core and
// load nets (§7.6.2).
//
// Every address has one view, a struct whose tags are its contract, and answers it in the form that the client asks for:
// HTML to browsers, JSON to those who name it, XML to all others, as existing clients expect. A request passes through:
//
//	Guard      refuses requests of browsers for foreign pages
//	Fold       turns // into /, which existing clients send
//	router     finds the handler; knows 307, 404 and 405
//	handler    works on the facade of package rcc, shows a view or returns an error
//	answer     writes view or error, with its length
//
// Errors come from one table (problem.go), which has a remedy for each.
//
// The live parts of the pages are made by the modules of package web, which talk DirectIO like any other client.
// Forms can do everything without them.
package pages

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc"
)

// Options are what the pages need beyond the core.
type Options struct {
	Version  string
	Realtime func() State // as it is now: it changes while the daemon runs
	Hosts    []string     // names and addresses under which the daemon may be reached, besides those of the loopback
	MaxBody  int64        // bytes of a request body, the limit of a net's text when zero

	Log         func() []facts.LogLine // newest lines of the log, the oldest first; nil when none are kept
	LogLost     func() uint64          // lines that were not written to where the log goes; nil when unknown
	Panics      func() uint64          // of goroutines; nil when they are not counted
	Connections func() int             // that speak DirectIO; nil when unknown

	Usage      func() (Usage, error)    // of the machine by the process; nil when unknown
	TurnedAway func() map[string]uint64 // connections that were refused, by reason; nil when they are not counted

	Ports func() (web, directIO int) // where it listens, 0 for none; nil when unknown
	Open  func() []string            // addresses at which others than this machine reach it; nil for none

	Costs func() (*Costs, error) // of types, as measured; nil without measurements

	Program string        // that moves the cell, for its page to show; empty when unknown
	Pause   func() string // why the program does not go on; empty while it does, and nil without one
}

// Costs are the times that an instance of each type takes in a cycle, in ns, without types that were not measured.
type Costs struct {
	From  string // where the figures come from
	Types map[string]float64
}

// State is how far nets are executed in real time.
type State struct {
	Word   string // full, checking, degraded or off
	Reason string // why it is not full
	Facts  []Fact // behind it: rights, machine and record
	Notes  []Note
}

// Fact is one of three about real time (ADR 0040).
type Fact struct {
	Name  string
	OK    bool
	State string // a word
	Text  string
}

func (f Fact) String() string { return f.Name + " " + f.State + ": " + f.Text }

// clean reports whether all is as it should be.
func (s State) clean() bool {
	return s.Word == "full" && !slices.ContainsFunc(s.Facts, func(f Fact) bool { return !f.OK })
}

// Mood returns the style of the state: full is good only with a clean record.
func (s State) Mood() string {
	if s.Word == "full" && !s.clean() {
		return "busy"
	}
	return stateClass(s.Word)
}

// Title returns the facts, one a line.
func (s State) Title() string {
	var lines []string
	for _, f := range s.Facts {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Note is a feature that is not available.
type Note struct {
	What    string
	Command string // that would grant it
}

// site is what the handlers share.
type site struct {
	core   *rcc.Core
	opt    Options
	routes []route
	pages  func() templates
	assets map[string]asset
	pride  pride
	tables chan struct{} // debugging logs that are being made and sent

	previews previews
}

// Handler returns the handler of all addresses except /DirectIO/. To serve both with one listener, compare paths by
// hand, or put Fold and Guard before both: http.ServeMux redirects paths with // before a handler sees them.
func Handler(core *rcc.Core, opt Options) http.Handler {
	if opt.Realtime == nil {
		opt.Realtime = func() State { return State{} }
	}
	if opt.MaxBody == 0 {
		opt.MaxBody = int64(core.Nets.Limits().Bytes)
	}
	if opt.MaxBody == 0 {
		opt.MaxBody = 8 << 20
	}
	pages := sync.OnceValue(func() templates { return parseTemplates(core.Instance()) })
	guard.Go("templates", func() { pages() }) // the first answers may be others
	s := &site{core: core, opt: opt, pages: pages, assets: loadAssets(), pride: loadPride(), tables: make(chan struct{}, debugTables), previews: newPreviews()}
	s.routes = routes()
	return Instance(core.Instance(), Guard(opt.Hosts, Fold(secure(s))))
}

// routes returns the table of addresses. Where exists is set, an address without its final slash is redirected only when it
// finds nothing amiss.
func routes() []route {
	return []route{
		{pattern: "/", get: showStart},
		{pattern: "/cell/", get: showCell},
		{pattern: "/nets/", get: listNets, post: loadNet, takes: loading},
		{pattern: "/nets/{net}/", get: showNet, post: postNet, exists: netExists},
		{pattern: "/nets/{net}/dio", get: netText},
		{pattern: "/nets/{net}/xml", get: netXML},
		{pattern: "/nets/{net}/values", get: showValues},
		{pattern: "/nets/{net}/graph", get: showGraph},
		{pattern: "/nets/{net}/stats", get: showStats, post: keepPhases},
		{pattern: "/nets/{net}/debug", get: showDebug, asks: asks("after")},
		{pattern: "/nets/{net}/debug.tsv", get: debugTable, asks: asks("after")},
		{pattern: "/nets/{net}/debugstream", get: streamDebug, asks: asks("after")},
		{pattern: "/nets/{net}/start", post: commandNet("START")},
		{pattern: "/nets/{net}/cancel", post: commandNet("CANCEL")},
		{pattern: "/nets/{net}/abort", post: commandNet("ABORT")},
		{pattern: "/nets/{net}/unload", post: commandNet("UNLOAD")},
		{pattern: "/nets/{net}/schedule", post: scheduleNet, takes: asks("after", "takeovernet")},
		{pattern: "/eval/", get: showEval, post: evaluate, asks: asks("dionet")},
		{pattern: "/check/", post: checkNet, takes: checking},
		{pattern: "/preview/", get: showPreview, post: tryOut, asks: asks("dionet")},

		{pattern: "/realtime/", get: showRealtime},
		{pattern: "/rules/", get: listRules, post: addRule, takes: ruling},
		{pattern: "/rules/{rule}", get: showRule},
		{pattern: "/rules/{rule}/", get: showRule}, // as nets and sessions are asked for
		{pattern: "/slots/", get: listSlots},
		{pattern: "/sessions/", get: listSessions, post: openSession},
		{pattern: "/sessions/{session}/", get: showSession, post: postSession, exists: sessionExists},
		{pattern: "/devices/", get: listDevices, post: postDevices},
		{pattern: "/devices/{device}/", get: showDevice, exists: deviceExists},
		{pattern: "/devices/{device}/parameters", get: showParameters, post: setParameters},
		{pattern: "/devices/{device}/{page}", get: showDevicePage, post: tellDevice, asks: byPage, takes: byPage}, // as interfaces and devices bring them
		{pattern: "/devices/{device}/{page}/{file}", get: showDeviceFile},
		{pattern: "/primitives/", get: listPrimitives, asks: asks("q", "family")},
		{pattern: "/primitives/{type}", get: showPrimitive},
		{pattern: "/primitives/{type}/", get: showPrimitive}, // as nets and sessions are asked for
		{pattern: "/catalogue.json", get: catalogueJSON},
		{pattern: "/modules/", get: listModules},
		{pattern: "/modules/{type}/", get: showModule, exists: moduleExists},
		{pattern: "/modules/{type}/source.java", get: moduleSource},
		{pattern: "/modulesdetails/", get: detailModules},
		{pattern: "/types/", get: listTypes},
		{pattern: "/types/{type}/", get: showType, exists: typeExists},
		{pattern: "/types/{type}/source.java", get: typeSource},
		{pattern: "/extensions/", get: listExtensions, post: loadExtension},
		{pattern: "/extensions/{extension}/", get: showExtension, exists: extensionExists},
		{pattern: "/extensions/{extension}/{page}", get: showExtensionPage},
		{pattern: "/healthz", get: showHealth},
		{pattern: "/metrics", get: showMetrics},
		{pattern: "/log/", get: showLog, asks: asks("start", "filter")},
		{pattern: "/clock", get: showClock, post: setClock, takes: asks("speed", "advance")},
		{pattern: "/assets/{file}", get: showAsset},
		{pattern: "/pride/", get: showPride},
		{pattern: "/pride/assets/{file}", get: showPrideAsset},
		{pattern: favicon, get: showIcon},
	}
}

// secure sets the headers that keep a page from doing more than it was written for.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; "+
			"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
