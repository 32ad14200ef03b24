package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
)

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
