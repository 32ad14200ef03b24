package pages

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Guard refuses requests that a browser can only have sent for a page of another site: any request whose Host is not
// the daemon's own, and changing requests and WebSockets whose Origin is another one. Hosts are the names and addresses
// of the daemon besides those of the loopback and of the connection itself. Programs send no Origin and pass.
func Guard(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := inspect(hosts, r); err != nil {
			x := &exchange{site: &site{}, w: w, r: r}
			x.fail(err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func inspect(hosts []string, r *http.Request) error {
	if !ownHost(hosts, r) {
		return refuse(codeHost, "header Host", "%q is not a name of this daemon", short(r.Host))
	}
	if changing(r) && !ownOrigin(r) {
		return refuse(codeOrigin, "header Origin", "%q is another origin than %q", short(r.Header.Get("Origin")), short(r.Host))
	}
	return nil
}

// ownHost keeps out names that somebody else has pointed at this machine (DNS rebinding). No browser leaves Host out.
func ownHost(hosts []string, r *http.Request) bool {
	name := strings.ToLower(hostname(r.Host))
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if slices.ContainsFunc(hosts, func(own string) bool { return strings.EqualFold(hostname(own), name) }) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr.IsLoopback() || addr.Unmap() == localAddr(r))
}

// hostname returns a host without port and brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// localAddr returns the address at which the connection has arrived.
func localAddr(r *http.Request) netip.Addr {
	if addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if ap, err := netip.ParseAddrPort(addr.String()); err == nil {
			return ap.Addr().Unmap()
		}
	}
	return netip.Addr{}
}

func changing(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return r.Header.Get("Upgrade") != ""
	}
	return true
}

func ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		site := r.Header.Get("Sec-Fetch-Site") // a browser that hides the origin still sends this
		return site == "" || site == "same-origin" || site == "none"
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && withoutDefaultPort(u.Scheme, u.Host) == withoutDefaultPort(u.Scheme, r.Host)
}

func withoutDefaultPort(scheme, host string) string {
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.ToLower(strings.TrimSuffix(host, port))
}

// short bounds what an answer repeats of a text from outside.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// InstanceName is the name of the header of answers with the instance of the daemon. In requests it is the name of a header, or of a field of
// the query in links, forms and WebSockets of browsers, which have no headers. No input of a net and no parameter has this name.
const InstanceName = "Rccd-Instance"

// Instance adds the instance of the daemon to every answer of next: a daemon that was started again has other nets, rules
// and sessions, even if their names are the same.
func Instance(instance string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(InstanceName, instance)
		next.ServeHTTP(w, r)
	})
}

// Meant refuses requests for another instance. Requests that name no instance pass.
func Meant(instance string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := meant(instance, r); err != nil {
			x := &exchange{site: &site{}, w: w, r: r}
			x.fail(err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func meant(instance string, r *http.Request) error {
	named := slices.Clone(r.Header.Values(InstanceName))
	for _, kv := range parseFields(r.URL.RawQuery) {
		if kv.Key == InstanceName {
			named = append(named, kv.Value)
		}
	}
	for _, name := range named {
		if name != instance {
			return refuse(codeInstance, InstanceName, "this is meant for %q, and the daemon is %s: it was started again, or is another one", short(name), instance)
		}
	}
	return nil
}

// commandTo returns the address of a form, which is meant for this instance only.
func commandTo(instance string) func(uri string) string {
	return func(uri string) string { return uri + "?" + InstanceName + "=" + url.QueryEscape(instance) }
}

// query returns the fields of the query, without what is not for the address.
func (x *exchange) query() fields {
	return slices.DeleteFunc(parseFields(x.r.URL.RawQuery), func(kv rcc.KeyValue) bool { return kv.Key == InstanceName })
}
