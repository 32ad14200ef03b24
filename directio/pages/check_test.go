package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestCheckNet: a net that is checked gets the answer that loading it would get, in whatever way it is sent, and nothing is loaded.
func TestCheckNet(t *testing.T) {
	const good = `{s=Core::DoubleNetcommOut(inValue=Core::Clock().outValue,Key='s'),outTerminate=Cancel().outCancel}`
	for _, tt := range []struct {
		name, media, path, body string
		status                  int
		want                    string
	}{
		{"text", "text/plain", "/check/", good, http.StatusOK, `"warnings":[]`},
		{"form", "application/x-www-form-urlencoded", "/check/", "dionet=" + url.QueryEscape(good), http.StatusOK, `"warnings":[]`},
		{"xml", "application/xml", "/check/", `<rpinet><primitive id="c" type="Cancel"/><outport name="outTerminate" fromprimitive="c" fromport="outCancel"/></rpinet>`, http.StatusOK, `"warnings":[]`},
		{"syntax", "text/plain", "/check/", "{\n a Core::Clock()}", http.StatusUnprocessableEntity, `"line":2`},
		{"wrong", "text/plain", "/check/", `{x=Core::NoSuch(),y=Core::DoubleAdd(inFrist=x.outValue),outTerminate=Cancel().outCancel}`, http.StatusUnprocessableEntity, `inFrist`},
		{"cycle", "text/plain", "/check/?cycle=1h", good, http.StatusUnprocessableEntity, `cycle time 1h`},
		{"time", "text/plain", "/check/?cycle=soon", good, http.StatusBadRequest, `soon`},
		{"nothing", "application/x-www-form-urlencoded", "/check/", "a=b", http.StatusBadRequest, `dionet`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newWholeCell(t)
			before := c.condition()
			a := c.answer(request("POST", tt.path, tt.body, "Content-Type", tt.media, "Accept", forJSON))
			if a.StatusCode != tt.status || !strings.Contains(a.text, tt.want) {
				t.Errorf("%d %s", a.StatusCode, a.text)
			}
			if after := c.condition(); !slices.Equal(after, before) {
				t.Errorf("from %v to %v", before, after)
			}
		})
	}
}
