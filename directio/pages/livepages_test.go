package pages_test

import (
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/rcc"
)

// switchable ends, and fires rules, when its input says so.
const switchable = `{end=Core::BooleanNetcommIn(Key='End'),go=Core::BooleanNetcommIn(Key='Go'),` +
	`out=Core::BooleanNetcommOut(inValue=go.outValue,Key='Go'),outTerminate=end.outValue}`

// TestPagesThatLookAgain changes rules, slots and sessions while somebody looks at them.
func TestPagesThatLookAgain(t *testing.T) {
	b := browser.Start(t)
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
	rules, slots, sessions := b.Open(address+"/rules/"), b.Open(address+"/slots/"), b.Open(address+"/sessions/")
	rules.Front()
	rules.Until(`link.textContent === "live" && live.textContent.includes("There are no rules.")`)
	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: first.Name() + ".outGo", Start: []string{second.Name()}, Description: "start the second"})
	if err != nil {
		t.Fatal(err)
	}
	rules.Front()
	rules.Until(`live.querySelector(".state")?.textContent === "ACTIVE"`)
	rules.Do(`live.querySelector("td a").focus()`)
	rule := b.Open(fmt.Sprintf("%s/rules/%d", address, r.Number()))
	rule.Until(`link.textContent === "live" && live.textContent.includes("It waits")`)
	rule.Screenshot("rule-waits")

	if err := first.Set([]rcc.KeyValue{{Key: "inGo", Value: "true"}}); err != nil {
		t.Fatal(err)
	}
	rule.Until(`live.querySelector("h1 .state").textContent === "FIRED" && live.textContent.includes("started")`)
	rule.Screenshot("rule-fired")
	rule.Narrow("rule-fired")
	rules.Front()
	rules.Until(`live.querySelector(".state").textContent === "FIRED"`)
	rules.Until(fmt.Sprintf(`document.activeElement.getAttribute("href") === "/rules/%d"`, r.Number())) // the place is kept
	rules.Narrow("rules")
	slots.Front()
	slots.Until(`[...live.querySelectorAll(".state")].map((e) => e.textContent).join() === "RUNNING,RUNNING"`)
	slots.Narrow("slots")

	load(session.Name())
	sessions.Front()
	sessions.Until(`live.querySelectorAll("tbody tr").length === 1`)
	sessions.Narrow("sessions")
}

// TestCataloguePages looks for a primitive as people do, and loads its net.
func TestCataloguePages(t *testing.T) {
	b := browser.Start(t)
	_, address := serve(t)
	tab := b.Open(address + "/primitives/")
	const shown = `[...document.querySelectorAll("#primitives tbody tr")].filter((r) => !r.hidden).length`
	tab.Until(shown + ` > 100`)
	tab.Screenshot("primitives")
	tab.Press("/")
	tab.Until(`document.activeElement.id === "search" && search.value === ""`)
	tab.Write("core doubleadd")
	tab.Until(shown + ` === 1 && nofind.hidden`)
	tab.Do(`search.value = ""; search.focus()`)
	tab.Write("nothing has this name")
	tab.Until(shown + ` === 0 && !nofind.hidden`)
	tab.Narrow("primitives")

	tab = b.Open(address + "/primitives/?q=inCondition&family=Core::Double")
	tab.Until(`document.querySelectorAll("#primitives tbody tr").length === 1 && search.value === "inCondition"`)

	tab = b.Open(address + "/primitives/Core::DoubleAdd")
	tab.Until(`dionet.value.includes("Core::DoubleAdd(") && document.querySelectorAll(".series").length > 0`)
	tab.Screenshot("primitive")
	tab.Narrow("primitive")
	tab.Do(`document.querySelector("button[formaction]").click()`)
	tab.Until(`location.pathname === "/eval/" && [...document.querySelectorAll("tbody th")].some((e) => e.textContent === "outValue")`)
	tab.Screenshot("eval")
	tab.Narrow("eval")

	tab = b.Open(address + "/primitives/Core::DoubleAdd")
	tab.Do(`document.querySelector("#load button").click()`)
	tab.Until(`location.pathname === "/nets/rpinet0/" && document.querySelectorAll("#inputs input").length === 2`)
	tab = b.Open(address + "/log/")
	tab.Until(`link.textContent === "live"`)
	tab.Narrow("log")
}
