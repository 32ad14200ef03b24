package pages_test

import (
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// switchable ends, and fires rules, when its input says so.
const switchable = `{end=Core::BooleanNetcommIn(Key='End'),go=Core::BooleanNetcommIn(Key='Go'),` +
	`out=Core::BooleanNetcommOut(inValue=go.outValue,Key='Go'),outTerminate=end.outValue}`

// narrow makes the window as wide as that of a telephone. Nothing may stick out of it.
func (p *tab) narrow(name string) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 1400, "deviceScaleFactor": 1, "mobile": true})
	p.until(`innerWidth === 400 && document.documentElement.scrollWidth === 400`)
	p.screenshot(name + "-narrow")
}

// front brings the page to where somebody sees it: pages that nobody sees do not look again.
func (p *tab) front() {
	p.t.Helper()
	p.call("Page.bringToFront", nil)
}

// press types a key.
func (p *tab) press(key string) {
	p.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "text": key})
	}
}

func (p *tab) write(text string) {
	p.t.Helper()
	p.call("Input.insertText", map[string]any{"text": text})
}

// TestPagesThatLookAgain changes rules, slots and sessions while somebody looks at them.
func TestPagesThatLookAgain(t *testing.T) {
	b := openBrowser(t)
	c, address := serve(t)
	session, err := c.Sessions.Open("a session")
	if err != nil {
		t.Fatal(err)
	}
	load := func(session string) *rcc.Net {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: switchable, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first, second := load(""), load("")
	if err := first.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	rules, slots, sessions := b.open(address+"/rules/"), b.open(address+"/slots/"), b.open(address+"/sessions/")
	rules.front()
	rules.until(`link.textContent === "live" && live.textContent.includes("There are no rules.")`)
	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: first.Name() + ".outGo", Start: []string{second.Name()}, Description: "start the second"})
	if err != nil {
		t.Fatal(err)
	}
	rules.front()
	rules.until(`live.querySelector(".state")?.textContent === "ACTIVE"`)
	rules.do(`live.querySelector("td a").focus()`)
	rule := b.open(fmt.Sprintf("%s/rules/%d", address, r.Number()))
	rule.until(`link.textContent === "live" && live.textContent.includes("It waits")`)
	rule.screenshot("rule-waits")

	if err := first.Set([]rcc.KeyValue{{Key: "inGo", Value: "true"}}); err != nil {
		t.Fatal(err)
	}
	rule.until(`live.querySelector("h1 .state").textContent === "FIRED" && live.textContent.includes("started")`)
	rule.screenshot("rule-fired")
	rule.narrow("rule-fired")
	rules.front()
	rules.until(`live.querySelector(".state").textContent === "FIRED"`)
	rules.until(fmt.Sprintf(`document.activeElement.getAttribute("href") === "/rules/%d"`, r.Number())) // the place is kept
	rules.narrow("rules")
	slots.front()
	slots.until(`[...live.querySelectorAll(".state")].map((e) => e.textContent).join() === "RUNNING,RUNNING"`)
	slots.narrow("slots")

	load(session.Name())
	sessions.front()
	sessions.until(`live.querySelectorAll("tbody tr").length === 1`)
	sessions.narrow("sessions")
}

// TestCataloguePages looks for a primitive as people do, and loads its net.
func TestCataloguePages(t *testing.T) {
	b := openBrowser(t)
	_, address := serve(t)
	tab := b.open(address + "/primitives/")
	const shown = `[...document.querySelectorAll("#primitives tbody tr")].filter((r) => !r.hidden).length`
	tab.until(shown + ` > 100`)
	tab.screenshot("primitives")
	tab.press("/")
	tab.until(`document.activeElement.id === "search" && search.value === ""`)
	tab.write("core doubleadd")
	tab.until(shown + ` === 1 && nofind.hidden`)
	tab.do(`search.value = ""; search.focus()`)
	tab.write("nothing has this name")
	tab.until(shown + ` === 0 && !nofind.hidden`)
	tab.narrow("primitives")

	tab = b.open(address + "/primitives/?q=inCondition&family=Core::Double")
	tab.until(`document.querySelectorAll("#primitives tbody tr").length === 1 && search.value === "inCondition"`)

	tab = b.open(address + "/primitives/Core::DoubleAdd")
	tab.until(`dionet.value.includes("Core::DoubleAdd(") && document.querySelectorAll(".series").length > 0`)
	tab.screenshot("primitive")
	tab.narrow("primitive")
	tab.do(`document.querySelector("button[formaction]").click()`)
	tab.until(`location.pathname === "/eval/" && [...document.querySelectorAll("tbody th")].some((e) => e.textContent === "outValue")`)
	tab.screenshot("eval")
	tab.narrow("eval")

	tab = b.open(address + "/primitives/Core::DoubleAdd")
	tab.do(`document.querySelector("#load button").click()`)
	tab.until(`location.pathname === "/nets/rpinet0/" && document.querySelectorAll("#inputs input").length === 2`)
	tab = b.open(address + "/log/")
	tab.until(`link.textContent === "live"`)
	tab.narrow("log")
}
