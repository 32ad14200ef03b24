package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestLongPages looks at the pages of a big cell: what there is many of is folded, everything is found from the top, and a net is
// shown in lines.
func TestLongPages(t *testing.T) {
	b := openBrowser(t)
	clock := rt.NewVirtual(time.Unix(1_000_000, 0))
	c, address := serveOf(t, clock, primitives.All(), devices.Types()...)
	for i := range 20 {
		if err := c.Devices.Create(fmt.Sprintf("arm%d", i), "kuka_lwr_sim", nil); err != nil {
			t.Fatal(err)
		}
	}
	const executors = 30
	for i := range executors {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: `{f={c=Core::Clock(),outC=c.outValue}(),outTerminate=Core::BooleanValue(Value='false').outValue}`, Period: time.Duration(i+1) * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(n.Problems(), err)
		}
	}
	if err := clock.Advance(t.Context(), 200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	const height = `document.documentElement.scrollHeight`
	for _, p := range []struct {
		path, has string
		most      int // pixels
	}{
		{"/devices/", `document.querySelectorAll("details.type").length > 30`, 5500},
		{"/realtime/", fmt.Sprintf(`document.querySelectorAll("main section details").length === %d`, executors), 5500},
	} {
		tab := b.open(address + p.path)
		tab.front()
		tab.until(p.has + ` && !document.querySelector("details[open]")`)
		tab.until(fmt.Sprintf("%s < %d", height, p.most))
		tab.until(`[...document.querySelectorAll(".index a")].length > 0 && [...document.querySelectorAll(".index a")].every((a) => document.querySelector(a.getAttribute("href")))`)
		tab.screenshot("long" + strings.ReplaceAll(p.path, "/", "-"))
		tab.narrow("long" + strings.ReplaceAll(p.path, "/", "-"))
		tab.do(`document.querySelector("main section details summary").click()`)
		tab.until(`document.querySelector("main section details").open`)
	}

	tab := b.open(address + "/nets/rpinet0/")
	tab.until(`document.querySelectorAll(".net .inner .inner > div").length === 2`)
	tab.do(`document.querySelector(".net .inner summary").click()`)
	tab.until(`!document.querySelector(".net .inner details").open`)
	tab.until(`[...document.querySelectorAll("nav a")].map((a) => a.textContent).join().endsWith("Extensions,Eval,Preview,Real time,Log")`)
	tab.narrow("net-lines")

	// The wheel zooms a picture, and scrolls everywhere else.
	tab = b.open(address + "/cell/")
	tab.front()
	tab.until(`link.textContent === "live" && document.querySelector("canvas.scene:not([hidden])")`)
	picture := `document.querySelector(".arm canvas").toDataURL()`
	before := tab.do(picture)
	tab.wheel(".arm canvas", -120)
	tab.until(fmt.Sprintf("%s !== %q && scrollY === 0", picture, before))
	tab.wheel(".arm table", 120)
	tab.until(`scrollY > 0`)

	// On a telephone a finger on a picture scrolls the page.
	tab.do(`scrollTo(0, 0)`)
	tab.narrow("cell-touched")
	tab.call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true})
	x, y := tab.middle(".arm canvas")
	for _, kind := range []string{"touchStart", "touchMove", "touchMove", "touchMove", "touchMove"} {
		tab.call("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": []map[string]any{{"x": x, "y": y}}})
		y -= 60
	}
	tab.call("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []map[string]any{}})
	tab.until(`scrollY > 100`)
}

// wheel turns the wheel of the mouse over something.
func (p *tab) wheel(over string, by int) {
	p.t.Helper()
	x, y := p.middle(over)
	p.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by})
}

// middle is that of something, in the window.
func (p *tab) middle(of string) (x, y float64) {
	p.t.Helper()
	at := p.do(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2); })()`, of))
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		p.t.Fatal(at, err)
	}
	return x, y
}
