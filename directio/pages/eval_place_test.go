package pages

import (
	"strings"
	"testing"
)

// TestEvalPlaces: what is wrong with a net that is evaluated has its place, in whatever form somebody asks.
func TestEvalPlaces(t *testing.T) {
	c := newCell(t, Options{})
	for text, want := range map[string]map[string]string{
		"{\n outX=none.outValue}": {
			forJSON:           `"port":"outX","line":2,"column":2,"text":"the fragment has no primitive none"`,
			"application/xml": `port="outX" line="2" column="2">the fragment has no primitive none</reason>`,
			browser:           `<span class="hint">line 2, column 2</span>`,
		},
		"{\n a=Core::DoubleAdd(Second=2),outX=a.outValue}": {
			forJSON:           `"line":2,"column":28,`,
			"application/xml": `line="2" column="28"`,
			browser:           `line 2, column 28: found`,
		},
	} {
		for accept, place := range want {
			a := c.answer(request("POST", "/eval/", text, "Accept", accept, "Content-Type", "text/plain"))
			if a.StatusCode != 200 || !strings.Contains(a.text, place) {
				t.Errorf("%s: %s\n%s", text, accept, a.text)
			}
			if accept == "application/xml" && !strings.Contains(a.text, `<data key="error">Failed to `) {
				t.Errorf("existing clients do not read that: %s", a.text)
			}
		}
	}
}
