package pages_test

import (
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestDebugPage looks at the debugging log with a browser as people do, by mouse and keyboard, on a narrow screen too.
func TestDebugPage(t *testing.T) {
	b := openBrowser(t)
	c, address := serve(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: strings.ReplaceAll(strings.ReplaceAll(wave, "inValue=wave", "inValue[5.0]=wave"), "inValue=pre", "inValue[5.0]=pre")})
	if err != nil {
		t.Fatal(err)
	}
	page := address + "/nets/" + n.Name() + "/"
	tab := b.open(page)
	tab.until(`document.querySelector("#figures a[href$=debug]").textContent === "2 recorded ports"`)

	tab = b.open(page + "debug")
	tab.until(`plotpane.hidden && state.textContent === "READY"`)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.until(`state.textContent === "RUNNING" && !plotpane.hidden && document.querySelectorAll("#ports input").length === 2`)
	tab.until(`Number(cycle.max) > 100 && cycle.value === cycle.max`)
	tab.screenshot("debug")

	// Going back through the cycles pauses; the table has the values of that cycle.
	tab.do(`cycle.focus()`)
	const shown = `cyclename.textContent`
	newest := tab.do(shown)
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		tab.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": "Home", "code": "Home", "windowsVirtualKeyCode": 36})
	}
	tab.until(`cycle.value === "0" && pause.getAttribute("aria-pressed") === "true" && ` + shown + ` !== "` + newest + `"`)
	tab.until(`cycle.getAttribute("aria-valuetext").startsWith("cycle ") && ports.rows[1].cells[2].textContent === "" && ports.rows[2].cells[2].textContent !== ""`)
	tab.until(`[...ports.querySelectorAll("input")].every((box) => box.getAttribute("aria-label").startsWith("plot "))`)
	tab.do(`ports.querySelector("input").click()`)

	tab.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 1400, "deviceScaleFactor": 1, "mobile": true})
	tab.until(`innerWidth === 400 && document.documentElement.scrollWidth === 400`) // nothing sticks out
	tab.screenshot("debug-narrow")

	tab.do(`pause.click()`)
	if err := n.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.until(`state.textContent === "TERMINATED" && cycle.value === cycle.max`)
}
