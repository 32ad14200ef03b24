package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

const mediaJSON = "application/json"

// deviceFields reads parameters for a device, or for one of its pages: a form, or an object of JSON.
func (x *exchange) deviceFields() (f fields, err error) {
	media, _, err := x.media()
	if err != nil {
		return nil, err
	}
	if media != mediaJSON {
		f, err = x.fields()
	} else {
		var body []byte
		if body, err = x.body(); err == nil {
			f, err = jsonFields(body)
		}
	}
	for i, kv := range f {
		if _, twice := f[:i].get(kv.Key); twice && err == nil {
			err = refuse(codeForm, "field "+short(kv.Key), "given twice")
		}
	}
	return f, err
}

// jsonFields reads an object as if it were a form; what is in its member parameters are fields as well.
func jsonFields(body []byte) (fields, error) {
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return nil, refuse(codeForm, "body", "not a JSON object")
	}
	if p := twice(body, codeForm); p != nil {
		return nil, p
	}
	inner, _ := members["parameters"].(map[string]any)
	if inner != nil {
		delete(members, "parameters")
	}
	var list fields
	for _, of := range []map[string]any{members, inner} {
		for _, key := range slices.Sorted(maps.Keys(of)) {
			list = append(list, rcc.KeyValue{Key: key, Value: textOf(of[key])})
		}
	}
	return list, nil
}

// textOf writes a value of JSON as values are written on ports.
func textOf(v any) string {
	switch v := v.(type) {
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, textOf(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key+":"+textOf(v[key]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// without returns the fields as parameters, except for some.
func (f fields) without(own ...string) map[string]string {
	params := map[string]string{}
	for _, kv := range f {
		if !slices.Contains(own, kv.Key) {
			params[kv.Key] = kv.Value
		}
	}
	return params
}

// postDevices creates or removes a device.
func postDevices(x *exchange) error {
	f, err := x.deviceFields()
	if err != nil {
		return err
	}
	name, typeName, action := f.or("name", ""), f.or("type", ""), f.or("action", "")
	switch {
	case action == "remove":
		return x.removeDevice(name)
	case action != "" && action != "create":
		p := refuse(codeAction, "field action", "unknown action %q", short(action))
		p.Remedy = "use remove, or no action to create a device"
		return p
	}
	params := f.without("name", "type", "action")
	if x.older() {
		params = x.paramsOfOlder(typeName, params)
	}
	if err := x.core.Devices.Create(name, typeName, params); err != nil {
		return refusedDevice(name, err)
	}
	if x.form() == asHTML {
		x.redirect(http.StatusSeeOther, facts.DeviceURI(name))
		return nil
	}
	x.w.Header().Set("Location", facts.DeviceURI(name))
	d, err := x.core.Devices.Get(name)
	if err != nil {
		return err // removed again in the meantime
	}
	return x.show(http.StatusCreated, "device", x.detailsOf(&d))
}

// older reports whether a request is one of the older generations of clients: they append "/devices/" to an address that ends in a slash,
// and where they do not, the library gives them away that they use.
func (x *exchange) older() bool {
	return strings.HasPrefix(x.r.RequestURI, "//") || strings.HasPrefix(x.r.UserAgent(), "Java/")
}

// paramsOfOlder are parameters of a device of a type that an older client creates.
func (x *exchange) paramsOfOlder(typeName string, params map[string]string) map[string]string {
	for _, t := range x.core.Devices.Types() {
		if t.Name == typeName {
			return t.ForOlder(params)
		}
	}
	return params
}

// removeDevice leads to the list, also when there is no such device: it is not there afterwards.
func (x *exchange) removeDevice(name string) error {
	if err := x.core.Devices.Remove(name); err != nil && !errors.Is(err, rcc.ErrNoDevice) {
		return err
	}
	x.redirect(http.StatusSeeOther, "/devices/")
	return nil
}

// refusedDevice lists all mistakes in the parameters of a device that is changed or created.
func refusedDevice(name string, err error) error {
	var refused *rcc.Error
	switch {
	case errors.Is(err, rcc.ErrClosed):
		return refuse(codeClosing, "daemon", "%v", rcc.ErrClosed)
	case errors.As(err, &refused):
		return err
	}
	list := rcc.ReasonsOf(err)
	p := refuse(codeDevice, "device "+short(name), "there are %d reasons against it", len(list))
	for _, r := range list {
		text := strings.TrimPrefix(r.Text, fmt.Sprintf("device %q: ", name))
		p.Reasons = append(p.Reasons, reason{Block: cmp.Or(r.Param, "device"), Text: text})
	}
	if one := p.Reasons[0]; len(list) == 1 {
		p.Message = strings.TrimPrefix(one.Block+": "+one.Text, "device: ")
	}
	return p
}

// refusedPage answers with all mistakes in a query or a post to a page.
func refusedPage(name, path string, err error) error {
	err = refusedDevice(name, err)
	var p *problem
	if errors.As(err, &p) && p.Code == codeDevice {
		p.Where = "page " + short(path) + " of device " + short(name)
		p.Remedy = "see this address in a browser for what can be asked and told"
	}
	return err
}

// setParameters changes what can be changed while a device exists.
func setParameters(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	f, err := x.deviceFields()
	if err != nil {
		return err
	}
	if d.Name == coreDevice {
		p := refuse(codeState, "device "+coreDevice, "its parameters are those of the configuration")
		p.Remedy = "change the configuration and start the daemon again"
		return p
	}
	if err := x.core.Devices.Tune(d.Name, f.without()); err != nil {
		return refusedDevice(d.Name, err)
	}
	return x.showAgain(showParameters, facts.DeviceURI(d.Name))
}

// showAgain answers a change: programs with what is there now, people are sent to a page that does not repeat it.
func (x *exchange) showAgain(show handler, page string) error {
	if x.form() != asHTML {
		return show(x)
	}
	x.redirect(http.StatusSeeOther, page)
	return nil
}
