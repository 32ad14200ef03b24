package pages_test

import (
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestDebugPage looks at the debugging log with a browser as people do, by mouse and keyboard, on a narrow screen too.
func TestDebugPage(t *testing.T) {
	b := browser.Start(t)
	c, address := serve(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: strings.ReplaceAll(strings.ReplaceAll(wave, "inValue=wave", "inValue[5.0]=wave"), "inValue=pre", "inValue[5.0]=pre")})
	if err != nil {
		t.Fatal(err)
	}
	page := address + "/nets/" + n.Name() + "/"
	tab := b.Open(page)
	tab.Until(`document.querySelector("#figures a[href$=debug]").textContent === "2 recorded ports"`)

	tab = b.Open(page + "debug")
	tab.Until(`plotpane.hidden && state.textContent === "READY"`)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Until(`state.textContent === "RUNNING" && !plotpane.hidden && document.querySelectorAll("#ports input").length === 2`)
	tab.Until(`Number(cycle.max) > 100 && cycle.value === cycle.max`)
	tab.Screenshot("debug")

	// Going back through the cycles pauses; the table has the values of that cycle.
	tab.Do(`cycle.focus()`)
	const shown = `cyclename.textContent`
	newest := tab.Do(shown)
	tab.Press(browser.Home)
	tab.Until(`cycle.value === "0" && pause.getAttribute("aria-pressed") === "true" && ` + shown + ` !== "` + newest + `"`)
	tab.Until(`cycle.getAttribute("aria-valuetext").startsWith("cycle ") && ports.rows[1].cells[2].textContent === "" && ports.rows[2].cells[2].textContent !== ""`)
	tab.Until(`[...ports.querySelectorAll("input")].every((box) => box.getAttribute("aria-label").startsWith("plot "))`)
	tab.Do(`ports.querySelector("input").click()`)

	tab.Narrow("debug")

	tab.Do(`pause.click()`)
	if err := n.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Until(`state.textContent === "TERMINATED" && cycle.value === cycle.max`)
}
