package pages_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestCellPage looks at arms that move with a browser as people do, while devices come and go.
func TestCellPage(t *testing.T) {
	b := openBrowser(t)
	clock := rt.NewVirtual(time.Unix(1_000_000, 0)) // misses no tick, however busy the machine is
	clock.SetSpeed(1)
	c, address := serveOf(t, clock, primitives.All(), devices.Types()...)
	tab := b.open(address + "/cell/")
	tab.until(`link.textContent === "live" && !noarms.hidden && !nonets.hidden`)

	for _, d := range []struct {
		name, of string
		params   map[string]string
	}{
		{"lwr", "kuka_lwr_sim", nil},
		{"tx90l", "staubli_tx90_sim", nil},
		{"kr16", "kuka_kr_arm_sim", map[string]string{"linear_axis": "{x:0,y:1,z:0}"}},
	} {
		if err := c.Devices.Create(d.name, d.of, d.params); err != nil {
			t.Fatal(err)
		}
	}
	tab.until(`document.querySelectorAll(".arm canvas:not([hidden])").length === 3 && noarms.hidden`)
	tab.until(`[...document.querySelectorAll(".joints tbody")].map((e) => e.rows.length).join() === "7,6,7"`)

	for name, of := range map[string]string{"io": "io_sim", "gripper": "schunk_wsg_sim", "base": "robotbase_sim"} {
		if err := c.Devices.Create(name, of, nil); err != nil {
			t.Fatal(err)
		}
	}
	tab.until(`Boolean(document.querySelector("[data-base=base] canvas:not([hidden])"))`)

	text, err := configs.Files.ReadFile("demo.dio")
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Nets.Load(rcc.LoadRequest{Text: string(text), Description: "demonstration", Period: 2 * time.Millisecond})
	if err != nil {
		t.Fatal(err, n)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.until(`running.querySelector(".state").textContent === "RUNNING" && running.textContent.includes("outPose")`)
	for _, arm := range []string{"lwr", "tx90l"} {
		for _, shown := range []string{`.joints td.value`, `.measured`} { // numbers and bars
			joint := fmt.Sprintf(`(() => { const e = document.querySelector("[data-arm=%s] %s"); return e.getAttribute("width") ?? e.textContent; })()`, arm, shown)
			first := tab.do(joint)
			tab.until(fmt.Sprintf("%s !== %q", joint, first))
		}
		picture := fmt.Sprintf(`document.querySelector("[data-arm=%s] canvas").toDataURL()`, arm)
		first := tab.do(picture)
		tab.until(fmt.Sprintf("%s !== %q", picture, first))
	}
	for _, seen := range []string{`td.value").textContent`, `canvas").toDataURL()`} {
		base := `document.querySelector("[data-base=base] ` + seen
		first := tab.do(base)
		tab.until(fmt.Sprintf("%s !== %q", base, first))
	}
	tab.screenshot("cell")

	// A button pushes an arm that gives way, for a moment, and the mouse pulls it at its flange until it lets go.
	const felt = `(async () => { for (;;) {
		const { pushed } = await (await fetch("/devices/lwr/forces", { headers: { Accept: "application/json" } })).json();
		const force = Math.hypot(pushed.fx, pushed.fy, pushed.fz);
		if (%s) return "yes";
		await new Promise((resolve) => setTimeout(resolve, 20));
	} })()`
	tab.front()
	tab.until(`document.querySelectorAll(".push").length === 1`)
	tab.do(`document.querySelector("[data-arm=lwr] .push button").click()`)
	tab.do(fmt.Sprintf(felt, `force === 25`))
	tab.do(fmt.Sprintf(felt, `force === 0`))
	x, y := tab.flange("[data-arm=lwr] canvas")
	mouse := func(kind string, dx float64) {
		tab.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x + dx, "y": y, "button": "left", "buttons": 1, "clickCount": 1})
	}
	mouse("mousePressed", 0)
	mouse("mouseMoved", 60)
	tab.do(fmt.Sprintf(felt, `force > 5 && force <= 40.001`))
	tab.screenshot("cell-pulled")
	mouse("mouseReleased", 60)
	tab.do(fmt.Sprintf(felt, `force === 0`))

	// The view turns by buttons and keys, which leave the focus where it is.
	standing := `document.querySelector("[data-arm=kr16] canvas").toDataURL()`
	before := tab.do(standing)
	tab.do(`document.querySelector("[data-view=top]").click()`)
	tab.until(fmt.Sprintf(`%s !== %q && document.querySelector("[data-view=top]").getAttribute("aria-pressed") === "true"`, standing, before))
	tab.screenshot("cell-top")
	before = tab.do(standing)
	tab.do(`document.querySelector("[data-arm=kr16] canvas").focus()`)
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		tab.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40})
	}
	tab.until(fmt.Sprintf(`%s !== %q && !document.querySelector("[aria-pressed=true]") && document.activeElement.matches("[data-arm=kr16] canvas")`, standing, before))
	tab.do(`document.querySelector("[data-view=space]").click()`)
	tab.narrow("cell")

	// Arms that stand apart are seen in one picture.
	c.Cell.SetPlace("lwr", geom.Frame{Pos: geom.Vector{X: 1}})
	tab.until(`!together.hidden && !document.querySelector(".arm canvas:not([hidden])")`)
	first := tab.do(`together.toDataURL()`)
	tab.until(fmt.Sprintf("together.toDataURL() !== %q", first))
	tab.screenshot("cell-together")
	c.Cell.SetPlace("lwr", geom.Frame{})
	tab.until(`together.hidden && document.querySelectorAll(".arm canvas:not([hidden])").length === 3`)

	if err := c.Devices.Remove("kr16"); err != nil {
		t.Fatal(err)
	}
	tab.until(`document.querySelectorAll(".arm").length === 2 && !document.querySelector("[data-arm=kr16]") && link.textContent === "live"`)
	if err := n.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.until(`running.children.length === 0 && !nonets.hidden`)
}

// flange looks on a picture for the place where an arm can be taken hold of.
func (p *tab) flange(canvas string) (x, y float64) {
	p.t.Helper()
	var left, top, width, height float64
	p.do(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, canvas))
	box := p.do(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.width, r.height].join(" "); })()`, canvas))
	if _, err := fmt.Sscan(box, &left, &top, &width, &height); err != nil {
		p.t.Fatal(box, err)
	}
	const step = 16
	for y = top + step; y < top+height; y += step {
		for x = left + step; x < left+width; x += step {
			p.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y})
			if p.do(fmt.Sprintf(`String(document.querySelector(%q).matches(".tip"))`, canvas)) == "true" {
				return x, y
			}
		}
	}
	p.t.Fatal("no flange is found")
	return 0, 0
}
