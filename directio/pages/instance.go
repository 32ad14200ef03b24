package pages

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc"
)

// InstanceName is how answers call the instance of the daemon in a header. In requests it is the name of a header, or of a field of the query where there are no
// headers, as in links, forms and WebSockets of browsers. No input of a net and no parameter has this name.
const InstanceName = "Rccd-Instance"

// Instance lets every answer of next say which instance of the daemon gives it: one that was started again has other nets, rules and sessions, even where their names are the same.
func Instance(core *rcc.Core, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(InstanceName, core.Instance())
		next.ServeHTTP(w, r)
	})
}

// Meant refuses requests that are meant for another instance. Those that name none pass.
func Meant(core *rcc.Core, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := meant(core, r); err != nil {
			x := &exchange{site: &site{}, w: w, r: r}
			x.fail(err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func meant(core *rcc.Core, r *http.Request) error {
	named := slices.Clone(r.Header.Values(InstanceName))
	for _, kv := range parseFields(r.URL.RawQuery) {
		if kv.Key == InstanceName {
			named = append(named, kv.Value)
		}
	}
	for _, name := range named {
		if name != core.Instance() {
			return refuse(codeInstance, InstanceName, "this is meant for %q, and the daemon is %s: it was started again, or is another one", short(name), core.Instance())
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
