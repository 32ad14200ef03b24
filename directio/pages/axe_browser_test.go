package pages_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/rcc"
)

// accessible looks at a view in a wide and in a narrow window.
func accessible(tab *browser.Tab, name string) {
	tab.Accessible()
	tab.Screenshot(name)
	tab.Narrow(name)
	tab.Accessible()
	tab.Size(1360, 1000)
	tab.Until(`innerWidth === 1360`)
}

// TestPrideGraphForAll lets nobody be kept out of a graph: with values and parts that stand still, with what feeds a node, with formulas, costs and the
// order of execution.
func TestPrideGraphForAll(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	if err := l.Devices.Create("io", "io_sim", nil); err != nil {
		t.Fatal(err)
	}
	n := l.run(watched, "for all")
	if err := n.Set([]rcc.KeyValue{{Key: "inx", Value: "4.5"}}); err != nil {
		t.Fatal(err)
	}
	tab := b.Open("http://" + l.address + "/pride/#/nets/" + n.Name())
	tab.Size(1360, 1000)
	tab.Until(`document.querySelectorAll(".box").length === 9 && document.querySelector(".box[data-live=inactive]") && document.querySelector('.values span[data-port="x.outValue"]').textContent === "4.5"`)
	accessible(tab, "pride-for-all-graph")

	tab.Do(`document.querySelector(".canvas").focus()`)
	for !holds(tab, `document.querySelector(".box.selected b")?.textContent === "high"`) {
		tab.Press("n")
	}
	tab.Until(`document.querySelector(".details h2").textContent === "high"`)
	tab.Click(`.details label:has(input[type=radio]) + label`)
	tab.Until(`document.querySelectorAll(".box.dim").length > 2 && document.querySelectorAll(".box:not(.dim)").length > 2`)
	tab.Click(`.details summary`)
	accessible(tab, "pride-for-all-feeds")

	tab.Do(`[...document.querySelectorAll(".tools label")].forEach((e) => !e.querySelector("input").checked && e.querySelector("input").click()); ""`)
	tab.Until(`document.querySelector(".box .formula") && document.querySelector(".box .order") && document.querySelector(".box.dim")`)
	accessible(tab, "pride-for-all-formulas")
	tab.Do(`document.querySelector(".box.folded").dispatchEvent(new MouseEvent("dblclick", { bubbles: true })); ""`)
	tab.Until(`document.querySelector(".box.fragment.dim, .box.fragment") && document.querySelectorAll(".box").length > 8`)
	accessible(tab, "pride-for-all-fragment")
}

// holds reports whether a condition holds now.
func holds(tab *browser.Tab, condition string) bool { return tab.Do(`String(`+condition+`)`) == "true" }

// TestPrideScopeForAll lets nobody be kept out of the scope, empty, with a capture and all that it has to say, and with each kind of trigger.
func TestPrideScopeForAll(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	l.run(spiky, "for all")
	empty := b.Open("http://" + l.address + "/pride/#/scope")
	empty.Size(1360, 1000)
	empty.Until(`document.querySelector(".offered li")`)
	accessible(empty, "pride-for-all-scope-empty")

	o := openScope(b, l.address, "spike.outValue")
	o.Size(1360, 1400)
	o.find("time.outValue")
	o.find("short.outValue")
	o.find("rcc: state")
	o.on("2.5", "normal", "20", "20")
	o.Until(captured)
	o.Do(`[...document.querySelectorAll(".scope .tools input[type=checkbox]")].slice(1).forEach((e) => e.click());
		document.querySelector(".plots .help summary").click(); document.querySelector(".plots").focus(); ""`)
	o.Press("a")
	o.Press("b")
	o.Do(labelled("Name") + `.select(); ""`)
	o.Write("for all")
	o.Press(browser.Enter)
	o.Until(`[...document.querySelectorAll(".channels a")].some((a) => a.textContent === "for all")`)
	o.Do(`[...document.querySelectorAll("button")].find((e) => e.textContent === "Delete…").click()`)
	o.Do(labelled("Find") + `.select(); ""`)
	o.Write("value")
	o.Until(`document.querySelectorAll(".offered li").length > 3 && document.querySelectorAll(".xy").length === 2 && document.querySelectorAll(".xy canvas").length === 2`)
	accessible(o.Tab, "pride-for-all-scope")
	o.Do(`document.querySelector(".scope .tools input[type=checkbox]").click()`) // lines in one plot
	o.Until(`document.querySelector(".lane[data-shape=all]")`)
	accessible(o.Tab, "pride-for-all-scope-together")
	for _, kind := range []string{"window", "rule", "state", "incident", "fault", "none"} {
		o.pick("Kind", kind)
		o.Accessible()
	}
	o.Do(`location.hash = "#/scope/nothing"`)
	o.Until(`document.querySelector(".scope > [role=alert]")`)
	accessible(o.Tab, "pride-for-all-scope-problem")
}
