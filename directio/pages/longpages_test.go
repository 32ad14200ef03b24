package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestLongPages looks at the pages of a big cell: what there is many of is folded, everything is found from the top, and a net is
// shown in lines.
func TestLongPages(t *testing.T) {
	b := browser.Start(t)
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
		tab := b.Open(address + p.path)
		tab.Front()
		tab.Until(p.has + ` && !document.querySelector("details[open]")`)
		tab.Until(fmt.Sprintf("%s < %d", height, p.most))
		tab.Until(`[...document.querySelectorAll(".index a")].length > 0 && [...document.querySelectorAll(".index a")].every((a) => document.querySelector(a.getAttribute("href")))`)
		tab.Screenshot("long" + strings.ReplaceAll(p.path, "/", "-"))
		tab.Narrow("long" + strings.ReplaceAll(p.path, "/", "-"))
		tab.Do(`document.querySelector("main section details summary").click()`)
		tab.Until(`document.querySelector("main section details").open`)
	}

	tab := b.Open(address + "/nets/rpinet0/")
	tab.Until(`document.querySelectorAll(".net .inner .inner > div").length === 2`)
	tab.Do(`document.querySelector(".net .inner summary").click()`)
	tab.Until(`!document.querySelector(".net .inner details").open`)
	tab.Until(`[...document.querySelectorAll("nav a")].map((a) => a.textContent).join().endsWith("Extensions,Eval,Preview,Real time,Log")`)
	tab.Narrow("net-lines")

	// The wheel zooms a picture, and scrolls everywhere else.
	tab = b.Open(address + "/cell/")
	tab.Front()
	tab.Until(`link.textContent === "live" && document.querySelector("canvas.scene:not([hidden])")`)
	picture := `document.querySelector(".arm canvas").toDataURL()`
	before := tab.Do(picture)
	tab.Wheel(".arm canvas", -120)
	tab.Until(fmt.Sprintf("%s !== %q && scrollY === 0", picture, before))
	tab.Wheel(".arm table", 120)
	tab.Until(`scrollY > 0`)

	// On a telephone a finger on a picture scrolls the page.
	tab.Do(`scrollTo(0, 0)`)
	tab.Narrow("cell-touched")
	tab.Swipe(".arm canvas", 4, 0, -60)
	tab.Until(`scrollY > 100`)
}
