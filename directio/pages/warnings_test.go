package pages

import (
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestWarnings: what a net is warned of stands where its problems would.
func TestWarnings(t *testing.T) {
	c := newCell(t, Options{})
	n := c.load(`{a=Core::DoubleNetcommIn(Key='X'),outTerminate=a.outValue}`, "", "")
	if n.State() != rcc.Ready {
		t.Fatal(n.Problems())
	}
	const text = "type differs: double from a.outValue to bool; the port counts as open, the net does not end by it"
	for accept, want := range map[string]string{
		browser:           `Warnings</h2>`,
		forJSON:           `"warnings":[{"kind":"types differ","minor":11,"block":"","port":"outTerminate","line":1,"column":35,"text":"` + text + `"}]`,
		"application/xml": `<warning kind="types differ" major="1" minor="11" block="" port="outTerminate" line="1" column="35">` + text + `</warning>`,
	} {
		a := c.answer(request("GET", "/nets/"+n.Name()+"/", "", "Accept", accept))
		if !strings.Contains(a.text, want) || !strings.Contains(a.text, text) {
			t.Errorf("%s: %s", accept, a.text)
		}
	}
}
