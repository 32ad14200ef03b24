package pages

import (
	"net/url"
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

// TestWarningsAtEveryDoor: and so it is with what is tried out, evaluated, checked, or rejected for another reason.
func TestWarningsAtEveryDoor(t *testing.T) {
	const (
		form     = "application/x-www-form-urlencoded"
		doubtful = `{a=Core::DoubleDivide(First='1',Second='0'),outA=a.outValue,outTerminate=b.outValue,b=Core::BooleanValue(Value='true')}`
		wrong    = `{a=Core::DoubleDivide(First='1',Second='0'),outA=a.outValue,outTerminate=b.outAll,b=Core::BooleanLastN(inValue=c.outCancel,Count='0'),c=Cancel()}`
		text     = "it is 0, but should be other than 0: the result is not a finite number"
		inJSON   = `"block":"a","port":"Second","line":1,"column":33,"text":"` + text + `"}]`
		inXML    = `block="a" port="Second" line="1" column="33">` + text + `</warning>`
		onPage   = `<td>a <span class="hint">line 1, column 33</span></td><td>Second</td><td>` + text
	)
	plan := func(net string) string { return `{"nets":[{"text":"` + net + `"}]}` }
	asForm := func(net string) string { return "dionet=" + url.QueryEscape(net) }
	for _, tt := range []struct{ path, media, accept, body, want string }{
		{"/preview/", forJSON, forJSON, plan(doubtful), inJSON},
		{"/preview/", form, browser, asForm(doubtful), onPage},
		{"/preview/", forJSON, forJSON, plan(wrong), inJSON},
		{"/preview/", form, browser, asForm(wrong), onPage},
		{"/eval/", "text/plain", forJSON, doubtful, inJSON},
		{"/eval/", "text/plain", forXML, doubtful, inXML},
		{"/eval/", form, browser, asForm(doubtful), onPage},
		{"/eval/", "text/plain", forXML, wrong, inXML},
		{"/eval/", form, browser, asForm(wrong), onPage},
		{"/check/", "text/plain", forJSON, doubtful, inJSON},
		{"/check/", "text/plain", forJSON, wrong, inJSON},
		{"/nets/", "text/plain", forJSON, wrong, inJSON},
		{"/nets/", "text/plain", forXML, wrong, inXML},
		{"/nets/", form, browser, asForm(wrong), onPage},
	} {
		c := withArms(t)
		if a := c.answer(request("POST", tt.path, tt.body, "Accept", tt.accept, "Content-Type", tt.media)); !strings.Contains(a.text, tt.want) {
			t.Errorf("%s with %s for %s: %s", tt.path, tt.media, tt.accept, a.text)
		}
	}
}
