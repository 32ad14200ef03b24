package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
)

// handler answers a request, or returns an error and has not written anything.
type handler func(x *exchange) error

// route is an address. A segment in braces stands for any one segment that is not empty.
type route struct {
	pattern   string
	get, post handler
	exists    func(x *exchange) error

	asks, takes []parameter // of the address, for get and for post
}

// exchange is one request and its answer.
type exchange struct {
	*site
	w    http.ResponseWriter
	r    *http.Request
	vars map[string]string

	received *rcc.Receiving // body of the request; nil before it is read
}

// value returns the segment of the path that stands for a name in braces.
func (x *exchange) value(name string) string { return x.vars[name] }

// net returns the net that the path names.
func (x *exchange) net() (*rcc.Net, error) { return x.core.Nets.Get(x.value("net")) }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{site: s, w: w, r: r}
	defer x.forgetBody()
	err := meant(s.core.Instance(), r)
	if err == nil {
		err = x.route()
	}
	if err != nil {
		x.fail(err)
	}
}

func (x *exchange) route() error {
	path := x.r.URL.EscapedPath()
	if to := x.find(path); to != nil {
		h := to.handler(x.r.Method)
		if h == nil {
			x.w.Header().Set("Allow", to.allow())
			return refuse(codeMethod, path, "%s is not possible here", x.r.Method)
		}
		if err := x.checkAddress(to.parameters(x.r.Method)); err != nil {
			return err
		}
		return h(x)
	}
	if to := x.find(path + "/"); to != nil && (to.exists == nil || to.exists(x) == nil) {
		x.redirect(http.StatusTemporaryRedirect, path+"/")
		return nil
	}
	return refuse(codeNotFound, path, "no such address")
}

// find returns the route of a path and keeps what its braces stand for.
func (x *exchange) find(path string) *route {
	for i := range x.routes {
		if vars, ok := match(x.routes[i].pattern, path); ok {
			x.vars = vars
			return &x.routes[i]
		}
	}
	return nil
}

// match compares segment by segment, so that an escaped slash stays part of its segment.
func match(pattern, path string) (map[string]string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return nil, false
	}
	var vars map[string]string
	for i, segment := range want {
		text, err := url.PathUnescape(have[i])
		if err != nil {
			return nil, false
		}
		if name, braces := strings.CutPrefix(segment, "{"); braces && text != "" {
			if vars == nil {
				vars = map[string]string{}
			}
			vars[strings.TrimSuffix(name, "}")] = text
		} else if segment != text {
			return nil, false
		}
	}
	return vars, true
}

func (r *route) handler(method string) handler {
	switch method {
	case http.MethodGet, http.MethodHead:
		return r.get
	case http.MethodPost:
		return r.post
	}
	return nil
}

// parameters returns those that the address may have.
func (r *route) parameters(method string) []parameter {
	if method == http.MethodPost {
		return r.takes
	}
	return r.asks
}

func (r *route) allow() string {
	var methods []string
	if r.get != nil {
		methods = append(methods, http.MethodGet, http.MethodHead)
	}
	if r.post != nil {
		methods = append(methods, http.MethodPost)
	}
	return strings.Join(methods, ", ")
}

// redirect sends the client to another address of the daemon; the query goes along with a 307.
func (x *exchange) redirect(status int, path string) {
	if status == http.StatusTemporaryRedirect && x.r.URL.RawQuery != "" {
		path += "?" + x.r.URL.RawQuery
	}
	x.w.Header().Set("Location", path)
	x.write(status, "text/plain; charset=utf-8", []byte(path+"\n"))
}

// Fold removes empty segments from the path before next sees it: existing clients ask for //devices/.
func Fold(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "//") {
			next.ServeHTTP(w, r)
			return
		}
		folded, target := *r, *r.URL
		target.Path, target.RawPath = fold(target.Path), fold(target.RawPath)
		folded.URL = &target
		next.ServeHTTP(w, &folded)
	})
}

func fold(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] != '/' || i == 0 || path[i-1] != '/' {
			b.WriteByte(path[i])
		}
	}
	return b.String()
}

// parameter is one that an address may have behind its question mark.
type parameter struct {
	name  string
	lists bool                    // it may be there several times
	idle  func(all fields) string // why it has no effect beside others, empty when it has; nil when it always has
}

// asks names parameters that always have an effect.
func asks(names ...string) (list []parameter) {
	for _, name := range names {
		list = append(list, parameter{name: name})
	}
	return list
}

// byPage are those of a page that a device has brought, which looks at them itself.
var byPage = []parameter{{name: "*"}}

// loading are those with which a bare net is sent (§7.6.2).
var loading = append(asks("desc", "session", "cycle", "useparams", "refusal"),
	parameter{name: "realtime", idle: func(all fields) string {
		if _, given := all.get("isrealtime"); given && usesParams(all) {
			return "isrealtime counts"
		}
		return ""
	}},
	parameter{name: "isrealtime", idle: needsUseParams},
	frequency,
)

// checking are those with which a net is sent that is only checked.
var checking = append(asks("cycle", "useparams"), frequency)

var frequency = parameter{name: "frequency", idle: func(all fields) string {
	if _, given := all.get("cycle"); given {
		return "cycle counts"
	}
	return needsUseParams(all)
}}

// ruling are those of a rule.
var ruling = append(asks("condition", "description"), parameter{name: "stop", lists: true}, parameter{name: "cancel", lists: true}, parameter{name: "start", lists: true})

func usesParams(all fields) bool { return all.or("useparams", "") == "1" }

func needsUseParams(all fields) string {
	if usesParams(all) {
		return ""
	}
	return "it has an effect only with useparams=1"
}

// checkAddress refuses parameters of the address that have no effect: who has written them expects one.
func (x *exchange) checkAddress(known []parameter) error {
	sent := x.query()
	if len(known) > 0 && known[0].name == byPage[0].name {
		return nil
	}
	for i, kv := range sent {
		k := slices.IndexFunc(known, func(p parameter) bool { return p.name == kv.Key })
		where := "parameter " + short(kv.Key)
		switch {
		case k < 0:
			return refuse(codeParameter, where, "it has no effect here; %s", there(known))
		case !known[k].lists && slices.ContainsFunc(sent[:i], func(before rcc.KeyValue) bool { return before.Key == kv.Key }):
			return refuse(codeParameter, where, "given twice, and only the first one counts")
		case known[k].idle != nil:
			if why := known[k].idle(sent); why != "" {
				return refuse(codeParameter, where, "it has no effect: %s", why)
			}
		}
	}
	return nil
}

// there names the parameters of an address.
func there(known []parameter) string {
	var names []string
	for _, p := range known {
		names = append(names, p.name)
	}
	return "this address takes " + cmp.Or(strings.Join(names, ", "), "none")
}
