package pages_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
)

// flat is a net of so many primitives without fragments, each fed by two others.
func flat(size int) string {
	var text strings.Builder
	text.WriteString("{n0=Core::DoubleValue(Value='1'),start=Core::CycleTime()")
	for i := 1; i < size; i++ {
		fmt.Fprintf(&text, ",n%d=Core::DoubleAdd(inFirst=start.outValue,inSecond=n%d.outValue)", i, i/2)
	}
	text.WriteString(",outTerminate=Core::BooleanValue(Value='false').outValue}")
	return text.String()
}

// parted is a net of so many primitives in fragments of fifty, each a chain with Pres.
func parted(size int) string {
	const each = 50
	var text strings.Builder
	text.WriteString("{start=Core::CycleTime()")
	for f := range size / each {
		fmt.Fprintf(&text, ",f%d={p0=Core::DoubleAdd(inFirst=parent.inStart,inSecond=p%d.outValue)", f, each-1)
		for i := 1; i < each; i++ {
			of := "Add(inFirst=parent.inStart,inSecond"
			if i%5 == 4 {
				of = "Pre(inValue"
			}
			fmt.Fprintf(&text, ",p%d=Core::Double%s=p%d.outValue)", i, of, i-1)
		}
		from := "start.outValue"
		if f > 0 {
			from = fmt.Sprintf("f%d.outSum", f/2)
			if f == 1 {
				from = "f0.outSum"
			}
		}
		fmt.Fprintf(&text, ",outSum=p%d.outValue}(inStart=%s)", each-1, from)
	}
	text.WriteString(",outTerminate=Core::BooleanValue(Value='false').outValue}")
	return text.String()
}

// moving pans and zooms for so long and counts frames.
const moving = `new Promise((done) => {
	const pane = document.querySelector(".react-flow__pane"), box = pane.getBoundingClientRect();
	const x = box.left + box.width / 2, y = box.top + box.height / 2;
	const begin = performance.now(), frames = [];
	const at = (type, x, y) => pane.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, view: window, button: 0, buttons: type === "mouseup" ? 0 : 1 }));
	const zooming = %t;
	if (!zooming) at("mousedown", x, y);
	const step = (now) => {
		frames.push(now);
		const t = performance.now() - begin;
		if (t > 3000) {
			if (!zooming) window.dispatchEvent(new MouseEvent("mouseup", { bubbles: true, view: window, clientX: x, clientY: y }));
			const gaps = frames.slice(1).map((f, i) => f - frames[i]).sort((a, b) => a - b);
			done([1000 * (frames.length - 1) / (frames[frames.length - 1] - frames[0]), gaps[Math.floor(gaps.length * 0.95)], frames.length].join(" "));
			return;
		}
		if (zooming) pane.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: x, clientY: y, deltaY: 60 * Math.cos(t / 300), view: window }));
		else window.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: x + 200 * Math.sin(t / 200), clientY: y + 120 * Math.sin(t / 330), view: window, buttons: 1 }));
		requestAnimationFrame(step);
	};
	requestAnimationFrame(step);
})`

// BenchmarkPride opens large nets in Chromium, and pans and zooms them: from afar, where all of it is in sight, and near, where boxes are
// elements of the page. Frames are those that the page was asked for; gap-ms is longer than 95 of 100 of them took. cpu-ms/frame is what all processes
// of Chromium took together, which says more on a machine that others use, too: two cores have 66 ms for each of 30 frames in a second.
func BenchmarkPride(b *testing.B) {
	for _, of := range []struct {
		name string
		text string
		find string
	}{{"flat/2000", flat(2000), "n1999"}, {"flat/5000", flat(5000), "n4999"}, {"fragments/2000", parted(2000), "f7.p20"}} {
		b.Run(of.name, func(b *testing.B) { benchPride(b, of.text, of.find) })
	}
}

func benchPride(b *testing.B, text, find string) {
	c, address := serveOf(b, rt.NewVirtual(time.Unix(1_000_000, 0)), primitives.All())
	if page := get(b, address+"/pride/"); strings.Contains(page, "is not in this build") {
		b.Skip("skip: the application is not in this build: make pride")
	}
	n, err := c.Nets.Load(rcc.LoadRequest{Text: text})
	if err != nil || n.State() == rcc.Rejected {
		b.Fatal(err, n.Problems())
	}
	chromium := browser.Start(b)
	for b.Loop() {
		tab := chromium.Open(address + "/pride/")
		tab.Until(`document.querySelector("tbody a") !== null`)
		before := chromium.CPU()
		took := tab.Do(`new Promise((done) => {
			const begin = performance.now();
			const look = () => document.querySelector(".canvas[data-ready=true] :is(canvas.far, .box)") ? requestAnimationFrame(() => done(String(performance.now() - begin))) : requestAnimationFrame(look);
			location.hash = "#/nets/` + n.Name() + `";
			look();
		})`)
		report(b, took, "open-ms")
		b.ReportMetric(1000*(chromium.CPU()-before), "open-cpu-ms")
		measure := func(where string) {
			for _, zooming := range []bool{false, true} {
				what := map[bool]string{false: "pan", true: "zoom"}[zooming]
				before := chromium.CPU()
				got := strings.Fields(tab.Do(fmt.Sprintf(moving, zooming)))
				report(b, got[0], where+"-"+what+"-fps")
				report(b, got[1], where+"-"+what+"-gap-ms")
				frames, _ := strconv.ParseFloat(got[2], 64)
				b.ReportMetric(1000*(chromium.CPU()-before)/frames, where+"-"+what+"-cpu-ms/frame")
			}
		}
		measure("far")
		tab.Do(`{ const input = document.querySelector("input[type=search]");
			Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "` + find + `");
			input.dispatchEvent(new Event("input", { bubbles: true })); }`)
		tab.Until(`document.querySelector(".search [role=status]").textContent.endsWith("found")`)
		tab.Do(`document.querySelector("form.search").requestSubmit()`)
		tab.Until(`document.querySelector(".canvas[data-far=false]") !== null && document.querySelector(".box.selected") !== null`)
		measure("near")
	}
}

func report(b *testing.B, text, unit string) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(v, unit)
}
