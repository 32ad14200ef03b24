package pages_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// nested is a net with fragments in fragments, a constant, a guard and a Pre.
const nested = `{on=Core::BooleanValue(Value='true'),count={sum=Core::DoubleAdd(inFirst=parent.inStep,inSecond=last.outValue),` +
	`last=Core::DoublePre(inValue=sum.outValue),limit={more=Core::DoubleGreater(inFirst=parent.inValue,Second='1000'),outMore=more.outValue}(inValue=sum.outValue),` +
	`outDone=limit.outMore,outSum=sum.outValue}(inActive=on.outValue,inStep=Core::DoubleValue(Value='1').outValue),` +
	`tell=Core::DoubleNetcommOut(inValue=count.outSum,Key='<b>sum</b>'),outTerminate=count.outDone}`

// TestPride looks at a net as a person does who wants to know what it consists of.
func TestPride(t *testing.T) {
	clock := rt.NewVirtual(time.Unix(1_000_000, 0))
	c, address := serveOf(t, clock, primitives.All())
	n, err := c.Nets.Load(rcc.LoadRequest{Text: nested, Description: "counts <i>up</i>"})
	if err != nil {
		t.Fatal(err)
	}
	if page := get(t, address+"/pride/"); strings.Contains(page, "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	b := browser.Start(t)
	tab := b.Open(address + "/pride/")
	tab.Until(`document.querySelector("[data-panel=nets] tbody").textContent.includes("counts <i>up</i>")`)
	tab.Do(`[...document.querySelectorAll("[data-panel=nets] th a")].find((a) => a.textContent === "` + n.Name() + `").click()`)
	tab.Until(`document.title === "` + n.Name() + ` · prIDE" && document.querySelectorAll(".box").length === 4`) // on, count, its step, tell
	boxes := `[...document.querySelectorAll(".box .head b")].map((e) => e.textContent).sort().join()`
	tab.Until(boxes + ` === "count,inStep,on,tell"`)
	tab.Until(`document.querySelector(".box.constant b").textContent !== "" && document.querySelector(".box.folded b").textContent === "count"`)
	tab.Until(`document.querySelectorAll(".react-flow__edge-path.type-bool").length === 2`) // on to count, count to the end

	// Primitives within fragments are found by their names, and the fragments open.
	tab.Do(`{ const input = document.querySelector("input[type=search]");
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "greater");
		input.dispatchEvent(new Event("input", { bubbles: true })); }`)
	tab.Until(`document.querySelector(".search [role=status]").textContent === "1 found"`)
	tab.Do(`document.querySelector(".search form, form.search").requestSubmit()`)
	tab.Until(`document.querySelector(".box.selected b").textContent === "more"`)
	tab.Do(`document.querySelector("button[title='See all']").click()`)
	tab.Until(boxes + ` === "count,inStep,last,limit,more,on,sum,tell"`)
	tab.Until(`document.querySelector(".details h2").textContent === "count.limit.more"`)
	tab.Until(`document.querySelector(".details").textContent.includes("count.sum.outValue")`) // through the port of a fragment
	tab.Screenshot("pride-graph")

	// The nodes that feed it are shown, one step back.
	tab.Do(`document.querySelectorAll(".details input[type=radio]")[1].click()`)
	tab.Until(`document.querySelectorAll(".box.dim").length > 0`)
	tab.Until(`[...document.querySelectorAll(".box:not(.dim, .fragment) b")].map((e) => e.textContent).sort().join() === "inStep,last,more,sum"`)

	// A net that is not there says so, and so does an address that nothing has.
	tab.Do(`location.hash = "#/nets/none"`)
	tab.Until(`document.querySelector("[role=alert]").textContent.includes("none")`)
	tab.Do(`location.hash = "#/nowhere/at/all"`)
	tab.Until(`document.querySelector("[role=alert]").textContent.includes("/nowhere/at/all")`)
}

// TestPrideDemo opens the fragments of the demonstration, one after the other.
func TestPrideDemo(t *testing.T) {
	c, address := serveOf(t, rt.NewVirtual(time.Unix(1_000_000, 0)), primitives.All(), devices.Types()...)
	if page := get(t, address+"/pride/"); strings.Contains(page, "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	for name, of := range map[string]string{"lwr": "kuka_lwr_sim", "tx90l": "staubli_tx90_sim", "io": "io_sim", "gripper": "schunk_wsg_sim", "base": "robotbase_sim"} {
		if err := c.Devices.Create(name, of, nil); err != nil {
			t.Fatal(err)
		}
	}
	text, err := configs.Files.ReadFile("demo.dio")
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Nets.Load(rcc.LoadRequest{Text: string(text)})
	if err != nil || n.State() == rcc.Rejected {
		t.Fatal(err, n.Problems())
	}
	tab := browser.Start(t).Open(address + "/pride/#/nets/" + n.Name())
	tab.Until(`document.querySelectorAll(".box").length > 30`)
	for opened := range 3 {
		tab.Do(`document.querySelector(".box.folded").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }))`)
		tab.Until(fmt.Sprintf(`document.querySelectorAll(".box.fragment").length === %d`, opened+1))
		tab.Do(`document.querySelector("button[title='See all']").click()`)
		tab.Until(`document.querySelector(".canvas").dataset.careful === "true" && document.querySelector(".box.folded") !== null`)
	}
	tab.Screenshot("pride-demo")
}

// TestPrideLarge opens nets that are too large to be laid out with care, and to be elements of a page when all of it is in sight.
func TestPrideLarge(t *testing.T) {
	c, address := serveOf(t, rt.NewVirtual(time.Unix(1_000_000, 0)), primitives.All())
	if page := get(t, address+"/pride/"); strings.Contains(page, "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	var text strings.Builder
	text.WriteString("{n0=Core::DoubleValue(Value='1'),start=Core::CycleTime()")
	const size = 2000
	for i := 1; i < size; i++ {
		fmt.Fprintf(&text, ",n%d=Core::DoubleAdd(inFirst=start.outValue,inSecond=n%d.outValue)", i, i/2)
	}
	text.WriteString(",outTerminate=Core::BooleanValue(Value='false').outValue}")
	n, err := c.Nets.Load(rcc.LoadRequest{Text: text.String()})
	if err != nil {
		t.Fatal(err)
	}
	tab := browser.Start(t).Open(address + "/pride/#/nets/" + n.Name())
	tab.Until(`document.querySelector(".canvas[data-ready=true][data-far=true] canvas.far") !== null`)
	tab.Until(`(() => { const c = document.querySelector("canvas.far"); // something is drawn
		return c.width > 0 && new Set(c.getContext("2d").getImageData(0, 0, c.width, c.height).data).size > 3; })()`)
	tab.Screenshot("pride-large")
	tab.Do(`{ const input = document.querySelector("input[type=search]");
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "n1999");
		input.dispatchEvent(new Event("input", { bubbles: true })); }`)
	tab.Until(`document.querySelector(".search [role=status]").textContent === "1 found"`)
	tab.Do(`document.querySelector("form.search").requestSubmit()`)
	tab.Until(`document.querySelector(".canvas[data-far=false]") !== null && document.querySelector(".box.selected b").textContent === "n1999"`)
	tab.Screenshot("pride-large-near")
}

func get(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
