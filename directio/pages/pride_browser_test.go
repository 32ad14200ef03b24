package pages_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
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

// watched is a net with a formula, a device, a value that a rule reads, and a part that is executed only now and then.
const watched = `{x=Core::DoubleNetcommIn(Key='x'),go=Core::BooleanNetcommIn(Key='go'),` +
	`high=Core::BooleanAnd(inFirst=Core::DoubleGreater(inFirst=Core::DoubleMultiply(inFirst=x.outValue,Second='2').outValue,Second='10').outValue,inSecond=go.outValue),` +
	`tell=Core::BooleanNetcommOut(inValue=high.outValue,Key='high'),` +
	`lamp=IO::OutBool(DeviceID='io',Port='0',inIO=high.outValue),` +
	`part={held=Core::DoublePre(inValue=parent.inX),twice=Core::DoubleAdd(inFirst=held.outValue,inSecond=held.outValue),show=Core::DoubleNetcommOut(inValue=twice.outValue,Key='twice')}` +
	`(inActive=go.outValue,inX=x.outValue),outTerminate=Core::BooleanValue(Value='false').outValue}`

// TestPrideWatches sees values change and parts stand still, and goes from a formula to what it consists of, to a device, a rule and the text.
func TestPrideWatches(t *testing.T) {
	clock := rt.NewVirtual(time.Unix(1_000_000, 0)) // misses no tick, however busy the machine is
	clock.SetSpeed(1)
	c, address := serveOf(t, clock, primitives.All(), devices.Types()...)
	if page := get(t, address+"/pride/"); strings.Contains(page, "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	if err := c.Devices.Create("io", "io_sim", nil); err != nil {
		t.Fatal(err)
	}
	load := func(text string) *rcc.Net {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: text, Description: "watched"})
		if err != nil || n.State() == rcc.Rejected {
			t.Fatal(err, n.Problems())
		}
		return n
	}
	n := load(watched)
	rule, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: n.Name() + ".outhigh", Stop: []string{n.Name()}})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab := browser.Start(t).Open(address + "/pride/#/nets/" + n.Name())
	tab.Until(`document.querySelectorAll(".box").length === 9`) // x, go, three operators of which two are anonymous, tell, lamp, part, false
	tab.Until(`document.querySelector("h1 .state").textContent === "RUNNING"`)

	// Values change where links begin.
	value := func(port, text string) {
		t.Helper()
		tab.Until(fmt.Sprintf(`document.querySelector('.values span[data-port=%q]').textContent === %q`, port, text))
	}
	value("x.outValue", "0")
	if err := n.Set([]rcc.KeyValue{{Key: "inx", Value: "4.5"}}); err != nil {
		t.Fatal(err)
	}
	value("x.outValue", "4.5")
	value("go.outValue", "false")
	tab.Until(`document.querySelector(".box[data-live=inactive] b").textContent === "part"`)

	// An operator and what it computes with are one box.
	tab.Do(`[...document.querySelectorAll(".tools label")].find((e) => e.textContent.includes("Formulas")).click()`)
	tab.Until(`[...document.querySelectorAll(".box .formula span")].map((e) => e.textContent).join(" ") === "x.outValue * 2 > 10 && go.outValue"`)
	tab.Until(`document.querySelectorAll(".box").length === 7`)
	tab.Screenshot("pride-formulas")

	// Keys lead from box to box, and take the formula apart again.
	key := func(keys ...string) {
		for _, k := range keys {
			tab.Do(`document.querySelector(".canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "` + k + `", bubbles: true }))`)
		}
	}
	selected := func(name string) {
		t.Helper()
		tab.Until(`document.querySelector(".box.selected b").textContent === "` + name + `" && document.querySelector(".spoken").textContent.startsWith("` + name + `")`)
	}
	tab.Do(`document.querySelector(".canvas").focus()`)
	key("n")
	selected("x")
	key("n")
	selected("go")
	key("n")
	selected("high")
	key("Enter")
	tab.Until(`document.querySelector(".box .formula") === null`)
	key("Enter")
	tab.Until(`document.querySelector(".box .formula") !== null`)
	key("n")
	selected("tell")
	tab.Until(fmt.Sprintf(`document.querySelector(".details a[href='/rules/%d']") !== null`, rule.Number()))
	key("n")
	selected("lamp")
	tab.Until(`document.querySelector(".details a[href='/devices/io/']").textContent === "io"`)
	tab.Do(`document.querySelector(".details summary").click()`)
	tab.Until(`document.querySelector(".excerpt mark").textContent === "lamp=IO::OutBool"`)
	key("n", "Enter")
	tab.Until(`document.querySelector(".box.fragment b").textContent === "part"`)

	// The next version of the net is drawn where this one was.
	places := `JSON.stringify([...document.querySelectorAll(".react-flow__node")].map((e) => [e.querySelector("b")?.textContent ?? "end", e.style.transform]).sort())`
	before := tab.Do(places)
	next := load(strings.Replace(watched, "tell=", "more=Core::DoubleNetcommOut(inValue=x.outValue,Key='more'),tell=", 1))
	tab.Do(`location.hash = "#/nets/` + next.Name() + `"`)
	tab.Until(`[...document.querySelectorAll(".box b")].some((e) => e.textContent === "more") && document.querySelector(".box.fragment") !== null`)
	var was, is [][2]string
	if err := errors.Join(json.Unmarshal([]byte(before), &was), json.Unmarshal([]byte(tab.Do(places)), &is)); err != nil {
		t.Fatal(err)
	}
	for _, box := range was {
		if !slices.Contains(is, box) {
			t.Errorf("%s was at %s, now there are %v", box[0], box[1], is)
		}
	}
	tab.Screenshot("pride-next-version")

	// It is of use on a small screen.
	tab.Size(400, 800)
	tab.Until(`innerWidth === 400 && document.documentElement.scrollWidth <= 400 && document.querySelector(".canvas").clientWidth > 300`)
	tab.Do(`document.querySelector(".canvas").focus()`)
	key("n")
	selected("x")
	tab.Until(`document.querySelector(".details").getBoundingClientRect().right <= 400`)
	tab.Until(`(() => { const box = document.querySelector(".box.selected").getBoundingClientRect(), c = document.querySelector(".canvas").getBoundingClientRect();
		return box.top >= c.top && box.bottom <= c.bottom && box.left >= c.left; })()`)
	tab.Screenshot("pride-narrow")
	tab.Size(1280, 900)

	// A net that ends says so, and so does one that has gone.
	if err := n.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Do(`location.hash = "#/nets/` + n.Name() + `"`)
	tab.Until(`document.querySelector("h1 .state").textContent === "TERMINATED"`)
	tab.Until(`[...document.querySelectorAll("[role=status]")].some((e) => e.textContent.startsWith("No values: "))`)
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
	n, err := c.Nets.Load(rcc.LoadRequest{Text: flat(2000)})
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

func get(t testing.TB, address string) string {
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
