package pages_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestCellPage looks at arms that move with a browser as people do, while devices come and go.
func TestCellPage(t *testing.T) {
	b := browser.Start(t)
	clock := rt.NewVirtual(time.Unix(1_000_000, 0)) // misses no tick, however busy the machine is
	clock.SetSpeed(1)
	c, address := serveOf(t, clock, primitives.All(), devices.Types()...)
	tab := b.Open(address + "/cell/")
	tab.Until(`link.textContent === "live" && !noarms.hidden && !nonets.hidden`)

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
	tab.Until(`document.querySelectorAll(".arm canvas:not([hidden])").length === 3 && noarms.hidden`)
	tab.Until(`[...document.querySelectorAll(".joints tbody")].map((e) => e.rows.length).join() === "7,6,7"`)

	for name, of := range map[string]string{"io": "io_sim", "gripper": "schunk_wsg_sim", "base": "robotbase_sim"} {
		if err := c.Devices.Create(name, of, nil); err != nil {
			t.Fatal(err)
		}
	}
	tab.Until(`Boolean(document.querySelector("[data-base=base] canvas:not([hidden])"))`)

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
	tab.Until(`running.querySelector(".state").textContent === "RUNNING" && running.textContent.includes("outPose")`)
	for _, arm := range []string{"lwr", "tx90l"} {
		for _, shown := range []string{`.joints td.value`, `.measured`} { // numbers and bars
			joint := fmt.Sprintf(`(() => { const e = document.querySelector("[data-arm=%s] %s"); return e.getAttribute("width") ?? e.textContent; })()`, arm, shown)
			first := tab.Do(joint)
			tab.Until(fmt.Sprintf("%s !== %q", joint, first))
		}
		picture := fmt.Sprintf(`document.querySelector("[data-arm=%s] canvas").toDataURL()`, arm)
		first := tab.Do(picture)
		tab.Until(fmt.Sprintf("%s !== %q", picture, first))
	}
	for _, seen := range []string{`td.value").textContent`, `canvas").toDataURL()`} {
		base := `document.querySelector("[data-base=base] ` + seen
		first := tab.Do(base)
		tab.Until(fmt.Sprintf("%s !== %q", base, first))
	}
	tab.Screenshot("cell")

	// A button pushes an arm that gives way, for a moment, and the mouse pulls it at its flange until it lets go.
	const felt = `(async () => { for (;;) {
		const { pushed } = await (await fetch("/devices/lwr/forces", { headers: { Accept: "application/json" } })).json();
		const force = Math.hypot(pushed.fx, pushed.fy, pushed.fz);
		if (%s) return "yes";
		await new Promise((resolve) => setTimeout(resolve, 20));
	} })()`
	tab.Front()
	tab.Until(`document.querySelectorAll(".push").length === 1`)
	tab.Do(`document.querySelector("[data-arm=lwr] .push button").click()`)
	tab.Do(fmt.Sprintf(felt, `force === 25`))
	tab.Do(fmt.Sprintf(felt, `force === 0`))
	x, y := flange(t, tab, "[data-arm=lwr] canvas")
	tab.Down(x, y)
	tab.Move(x+60, y)
	tab.Do(fmt.Sprintf(felt, `force > 5 && force <= 40.001`))
	tab.Screenshot("cell-pulled")
	tab.Up(x+60, y)
	tab.Do(fmt.Sprintf(felt, `force === 0`))

	// The view turns by buttons and keys, which leave the focus where it is.
	standing := `document.querySelector("[data-arm=kr16] canvas").toDataURL()`
	before := tab.Do(standing)
	tab.Do(`document.querySelector("[data-view=top]").click()`)
	tab.Until(fmt.Sprintf(`%s !== %q && document.querySelector("[data-view=top]").getAttribute("aria-pressed") === "true"`, standing, before))
	tab.Screenshot("cell-top")
	before = tab.Do(standing)
	tab.Do(`document.querySelector("[data-arm=kr16] canvas").focus()`)
	tab.Press(browser.ArrowDown)
	tab.Until(fmt.Sprintf(`%s !== %q && !document.querySelector("[aria-pressed=true]") && document.activeElement.matches("[data-arm=kr16] canvas")`, standing, before))
	tab.Do(`document.querySelector("[data-view=space]").click()`)
	tab.Narrow("cell")

	// Arms that stand apart are seen in one picture.
	c.Cell.SetPlace("lwr", geom.Frame{Pos: geom.Vector{X: 1}})
	tab.Until(`!together.hidden && !document.querySelector(".arm canvas:not([hidden])")`)
	first := tab.Do(`together.toDataURL()`)
	tab.Until(fmt.Sprintf("together.toDataURL() !== %q", first))
	tab.Screenshot("cell-together")
	c.Cell.SetPlace("lwr", geom.Frame{})
	tab.Until(`together.hidden && document.querySelectorAll(".arm canvas:not([hidden])").length === 3`)

	if err := c.Devices.Remove("kr16"); err != nil {
		t.Fatal(err)
	}
	tab.Until(`document.querySelectorAll(".arm").length === 2 && !document.querySelector("[data-arm=kr16]") && link.textContent === "live"`)
	if err := n.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Until(`running.children.length === 0 && !nonets.hidden`)
}

// flange looks on a picture for the place where an arm can be taken hold of.
func flange(t *testing.T, tab *browser.Tab, canvas string) (x, y float64) {
	t.Helper()
	var left, top, width, height float64
	tab.Do(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, canvas))
	box := tab.Do(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.width, r.height].join(" "); })()`, canvas))
	if _, err := fmt.Sscan(box, &left, &top, &width, &height); err != nil {
		t.Fatal(box, err)
	}
	const step = 16
	for y = top + step; y < top+height; y += step {
		for x = left + step; x < left+width; x += step {
			tab.Move(x, y)
			if tab.Do(fmt.Sprintf(`String(document.querySelector(%q).matches(".tip"))`, canvas)) == "true" {
				return x, y
			}
		}
	}
	t.Fatal("no flange is found")
	return 0, 0
}
