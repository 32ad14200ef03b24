package pages_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/rcc"
)

// spiky has a value that is 5 for three cycles of 400, and a ramp.
const spiky = `{n=Core::IntAdd(inFirst=last.outValue,Second='1'),before=Core::IntPre(inValue=n.outValue),none=Core::IntIsNull(inValue=before.outValue),` +
	`last=Core::IntConditional(inCondition=none.outValue,True='0',inFalse=before.outValue),` +
	`part=Core::IntDivide(inFirst=n.outValue,Second='400'),whole=Core::IntMultiply(inFirst=part.outValue,Second='400'),` +
	`third=Core::IntAdd(inFirst=whole.outValue,Second='3'),short=Core::IntGreater(inFirst=third.outValue,inSecond=n.outValue),` +
	`spike=Core::DoubleConditional(inCondition=short.outValue,True='5',False='0'),time=Core::Clock(),` +
	`outTerminate=Core::BooleanNetcommIn(Key='end',Value='false').outValue}`

// The step response of springy: how much it is damped, how fast it would oscillate undamped in rad/s, and the cycle in s.
const (
	damping = 0.5
	omega   = 40.0
	each    = 0.001
)

// springy is a mass at a spring that gets from 0 to 1 when its input becomes true, and beyond.
func springy() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	past := func(name, of string) string { // the value of the cycle before; at first 0
		return name + "Pre=Core::DoublePre(inValue=" + of + ".outValue)," + name + "None=Core::DoubleIsNull(inValue=" + name + "Pre.outValue)," +
			name + "=Core::DoubleConditional(inCondition=" + name + "None.outValue,True='0',inFalse=" + name + "Pre.outValue)"
	}
	return `{go=Core::BooleanNetcommIn(Key='go',Value='false'),goal=Core::DoubleConditional(inCondition=go.outValue,True='1',False='0'),` + past("x0", "x") + `,` + past("v0", "v") +
		`,away=Core::DoubleMultiply(inFirst=x0.outValue,Second='-1'),error=Core::DoubleAdd(inFirst=goal.outValue,inSecond=away.outValue),` +
		`pull=Core::DoubleMultiply(inFirst=error.outValue,Second='` + number(omega*omega*each) + `'),brake=Core::DoubleMultiply(inFirst=v0.outValue,Second='` + number(-2*damping*omega*each) + `'),` +
		`force=Core::DoubleAdd(inFirst=pull.outValue,inSecond=brake.outValue),v=Core::DoubleAdd(inFirst=v0.outValue,inSecond=force.outValue),` +
		`way=Core::DoubleMultiply(inFirst=v.outValue,Second='` + number(each) + `'),x=Core::DoubleAdd(inFirst=x0.outValue,inSecond=way.outValue),` +
		`outTerminate=Core::BooleanNetcommIn(Key='end',Value='false').outValue}`
}

// known returns the overshoot of springy in percent, and when it has come within 2 % of its end for good, in ms, by the solution of its
// differential equation.
func known() (overshoot, settling float64) {
	rest := math.Sqrt(1 - damping*damping)
	at := func(t float64) float64 {
		return 1 - math.Exp(-damping*omega*t)*(math.Cos(rest*omega*t)+damping/rest*math.Sin(rest*omega*t))
	}
	for t := 0.0; t < 1; t += each / 10 {
		if math.Abs(at(t)-1) > 0.02 {
			settling = 1000 * t
		}
	}
	return 100 * math.Exp(-math.Pi*damping/rest), settling
}

// run loads a net with a cycle of 1 ms and starts it.
func (l *lab) run(text, description string) *rcc.Net {
	l.t.Helper()
	n, err := l.Nets.Load(rcc.LoadRequest{Text: text, Description: description, Period: time.Millisecond})
	if err != nil || n.State() == rcc.Rejected {
		l.t.Fatal(err, n.Problems())
	}
	if err := n.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// oscilloscope is the scope in a tab.
type oscilloscope struct{ *browser.Tab }

// openScope opens one at a daemon, with a port that is found by a word.
func openScope(b *browser.Browser, address, word string) oscilloscope {
	o := oscilloscope{b.Open("http://" + address + "/pride/#/scope")}
	o.find(word)
	return o
}

// labelled is the control of the scope whose label begins with a text.
func labelled(label string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".scope label")].find((l) => l.textContent.startsWith(%q))?.querySelector("input, select")`, label)
}

// find adds the first port that is found.
func (o oscilloscope) find(word string) {
	o.Until(labelled("Find"))
	count := o.Do(`String(document.querySelectorAll(".channels .swatch").length)`)
	o.Do(labelled("Find") + `.select(); ""`)
	o.Write(word)
	o.Until(fmt.Sprintf(`document.querySelector(".offered li").textContent.includes(%q)`, word))
	o.Press(browser.Enter)
	o.Until(fmt.Sprintf(`document.querySelectorAll(".channels .swatch").length > %s && document.querySelectorAll(".readings tbody tr").length > %s`, count, count))
}

// write puts a number into a field.
func (o oscilloscope) write(label, number string) {
	o.Until(labelled(label))
	o.Do(labelled(label) + `.select(); ""`)
	o.Write(number)
	o.Press(browser.Enter)
	o.Until(fmt.Sprintf(`%s.value === %q && %s.ariaInvalid !== "true"`, labelled(label), number, labelled(label)))
}

// pick takes an entry of a list.
func (o oscilloscope) pick(label, value string) {
	o.Until(labelled(label) + `?.querySelector('option[value="` + value + `"]:not(:disabled)')`)
	o.Do(fmt.Sprintf(`{ const list = %s;
		Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(list, %q);
		list.dispatchEvent(new Event("change", { bubbles: true })); }`, labelled(label), value))
	o.Until(fmt.Sprintf(`%s.value === %q`, labelled(label), value))
}

// on lets it record so many ms around an edge.
func (o oscilloscope) on(level, mode, before, after string) {
	o.pick("Kind", "edge")
	o.write("Level", level)
	o.pick("Mode", mode)
	o.write("Before", before)
	o.write("After", after)
}

const (
	phase    = `document.querySelector(".phase").dataset.phase`
	captured = `/Capture \d+, triggered at/.test(document.querySelector(".phase").textContent)`
)

// reading is the text of a column of the table, in a row.
func reading(row int, column string) string {
	return fmt.Sprintf(`document.querySelectorAll(".readings tbody tr")[%d].cells[[...document.querySelectorAll(".readings thead th")].findIndex((h) => h.textContent === %q)].textContent`, row, column)
}

// drawn is what the picture of a plot shows in its colour: the highest and the lowest pixel, how wide it is at the top, and how wide the plot is.
const drawn = `(() => {
	const canvas = document.querySelector(".lane .canvas canvas"), { width, height } = canvas, copy = document.createElement("canvas");
	copy.width = width;
	copy.height = height;
	const g = copy.getContext("2d", { willReadFrequently: true });
	g.fillStyle = getComputedStyle(document.querySelector(".lane .swatch")).color;
	g.fillRect(0, 0, 1, 1);
	const want = g.getImageData(0, 0, 1, 1).data;
	g.clearRect(0, 0, 1, 1);
	g.drawImage(canvas, 0, 0);
	const is = g.getImageData(0, 0, width, height).data;
	let top = height, bottom = 0, left = width, right = 0;
	const own = (x, y) => [0, 1, 2].every((i) => Math.abs(is[4 * (y * width + x) + i] - want[i]) < 40) && is[4 * (y * width + x) + 3] > 128;
	for (let y = 0; y < height; y++) for (let x = 80; x < width; x++) if (own(x, y)) { top = Math.min(top, y); bottom = Math.max(bottom, y); }
	for (let y = top; y < top + 3; y++) for (let x = 80; x < width; x++) if (own(x, y)) { left = Math.min(left, x); right = Math.max(right, x); }
	return [top, bottom, right - left, width - 84].join(" ");
})()`

// TestPrideSpike catches a spike of three cycles, sees it, and reads with cursors how long it was.
func TestPrideSpike(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	l.run(spiky, "spikes")
	o := openScope(b, l.address, "spike.outValue")
	o.on("2.5", "single", "20", "20")
	o.Until(phase + ` === "done" && ` + captured)
	o.find("time.outValue") // a second channel: the scope runs again
	o.Until(phase + ` === "done" && ` + captured + ` && ` + reading(1, "Samples") + ` === "41"`)
	o.Until(reading(0, "Samples") + ` === "41" && ` + reading(0, "Minimum") + ` === "0" && ` + reading(0, "Maximum") + ` === "5"`)
	o.Screenshot("pride-scope-spike")
	var top, bottom, wide, width int
	seen := o.Do(drawn)
	if _, err := fmt.Sscan(seen, &top, &bottom, &wide, &width); err != nil {
		t.Fatal(seen, err)
	}
	// Three samples of 41 are at the top: two of 40 parts, and the slopes beside them.
	if bottom-top < 60 || wide < width/40 || wide > width/8 {
		t.Errorf("the picture has the curve from %d to %d, %d of %d wide at the top", top, bottom, wide, width)
	}

	// Cursors move by ticks: A to the last tick before the spike, B to the last one of it.
	o.Do(`document.querySelector(".plots").focus()`)
	difference := func(text string) {
		o.Until(fmt.Sprintf(`document.querySelector(".difference").textContent.includes(%q)`, text))
	}
	step := func(cursor string, to int) {
		o.Press(cursor)
		o.Until(fmt.Sprintf(`document.querySelector(".cursor[data-taken=true]")?.textContent === %q && document.querySelector(".difference").textContent.includes("%s ")`, strings.ToUpper(cursor), strings.ToUpper(cursor)))
		at, err := strconv.ParseFloat(o.Do(`document.querySelector(".cursor[data-taken=true]").getAttribute("aria-valuenow")`), 64)
		if err != nil {
			t.Fatal(err)
		}
		key := browser.ArrowRight
		by := to - int(math.Round(at*1000))
		if by < 0 {
			key, by = browser.ArrowLeft, -by
		}
		for range by {
			o.Press(key)
		}
	}
	step("a", -1)
	difference("A −1.000 ms")
	step("b", 2)
	difference("B 2.000 ms: Δt 3.000 ms, 3 ticks")
	o.Until(reading(0, "At A") + ` === "0" && ` + reading(0, "At B") + ` === "5" && ` + reading(0, "B − A") + ` === "5" && ` + reading(0, "Samples") + ` === "4"`)
	o.Press(browser.ArrowRight)
	o.Until(reading(0, "At B") + ` === "0"`)
	o.Press(browser.Escape)
	o.Until(`document.querySelector(".difference").textContent === "" && ` + reading(0, "Samples") + ` === "41"`)

	// The saved file opens again, with the same values, without the daemon.
	file := filepath.Join(t.TempDir(), "spike.mcap")
	if err := os.WriteFile(file, []byte(get(t, o.Do(`document.querySelector("a[href$='capture.mcap']").href`))), 0o644); err != nil {
		t.Fatal(err)
	}
	before := o.Do(drawn)
	o.Choose(`input[type=file]`, file)
	o.Until(`document.querySelector(".run").disabled && document.querySelector(".channels").textContent.includes("spike.mcap: spike.outValue") && document.querySelectorAll(".readings tbody tr").length === 2`)
	o.Until(reading(0, "Minimum") + ` === "0" && ` + reading(0, "Maximum") + ` === "5"`)
	o.Until(fmt.Sprintf(`%s === %q`, drawn, before))
}

// TestPrideStep reads from a capture how far a signal overshoots and when it has settled.
func TestPrideStep(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	n := l.run(springy(), "a mass at a spring")
	o := openScope(b, l.address, "x.outValue")
	o.on("0.01", "single", "100", "600")
	o.Until(phase + ` === "armed"`)
	o.Until(`document.querySelector(".phase").textContent === "Armed: waiting for the trigger"`)
	l.clock.Await(l.clock.Now()+int64(200*time.Millisecond), nil) // for what is before the trigger
	if err := n.Set([]rcc.KeyValue{{Key: "ingo", Value: "true"}}); err != nil {
		t.Fatal(err)
	}
	o.Until(phase + ` === "done" && ` + captured)
	o.Until(reading(0, "Overshoot") + `.endsWith(" %") && ` + reading(0, "Settling") + `.endsWith(" ms")`)
	o.Screenshot("pride-scope-step")
	overshoot, settling := known()
	for _, c := range []struct {
		column     string
		want, near float64
	}{{"Overshoot", overshoot, 1}, {"Settling", settling, 8}} {
		text := o.Do(reading(0, c.column))
		got, err := strconv.ParseFloat(strings.Fields(text)[0], 64)
		if err != nil || math.Abs(got-c.want) > c.near {
			t.Errorf("%s: %s instead of %.2f", c.column, text, c.want)
		}
	}
}

// TestPrideLevel moves the level of a trigger by keys, and the scope goes on with it.
func TestPrideLevel(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	l.run(spiky, "spikes")
	o := openScope(b, l.address, "spike.outValue")
	o.on("4.9", "normal", "20", "20")
	o.Until(captured + ` && document.querySelector(".level:not([hidden])")`)
	level := func() float64 {
		t.Helper()
		at, err := strconv.ParseFloat(o.Do(`document.querySelector(".level").getAttribute("aria-valuenow")`), 64)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	move := func(key string) {
		t.Helper()
		was := o.Do(`document.querySelector(".level").getAttribute("aria-valuenow")`)
		o.Press(key)
		o.Until(fmt.Sprintf(`document.querySelector(".level").getAttribute("aria-valuenow") !== %q && %s.value === document.querySelector(".level").getAttribute("aria-valuenow")`, was, labelled("Level")))
	}
	o.Do(`document.querySelector(".level").focus()`)
	for level() <= 5 {
		move(browser.ArrowUp)
	}
	o.Until(phase + ` === "armed" && document.querySelector(".phase").textContent.startsWith("Armed: waiting for the trigger")`) // nothing reaches it any more
	last := o.Do(`document.querySelector(".phase").textContent`)
	for level() > 4 {
		move(browser.ArrowDown)
	}
	o.Until(fmt.Sprintf(`%s && document.querySelector(".phase").textContent !== %q`, captured, last))
	o.Until(`document.activeElement === document.querySelector(".level")`)
}

// TestPrideScopeCut cuts the line under a scope that waits for triggers, and under values that stand at a graph. Both say so, keep what they
// show, and go on when the line is back.
func TestPrideScopeCut(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	n := l.run(spiky, "spikes")
	line := browser.NewLine(t, l.address)
	o := openScope(b, line.Addr(), "spike.outValue")
	o.on("2.5", "normal", "20", "20")
	o.Until(captured)
	graph := b.Open("http://" + line.Addr() + "/pride/#/nets/" + n.Name())
	const value = `document.querySelector('.values span[data-port="n.outValue"]').textContent`
	graph.Until(value + ` !== ""`)
	flows := func() {
		t.Helper()
		graph.Front()
		was := graph.Do(value)
		graph.Until(fmt.Sprintf(`%s !== %q`, value, was))
		o.Front()
		was = o.Do(`document.querySelector(".phase").textContent.replace(/^[^.]*/, "")`)
		o.Until(fmt.Sprintf(`%s && document.querySelector(".phase").textContent.replace(/^[^.]*/, "") !== %q`, captured, was))
	}
	flows()
	line.Cut()
	graph.Front()
	graph.Until(`document.querySelector("[data-line=lost][role=alert]").textContent.includes("comes back by itself") && ` + value + ` !== ""`)
	o.Front()
	o.Until(`document.querySelector(".scope").parentElement.querySelector("[role=alert]").textContent.includes("The connection to the daemon is cut")`)
	o.Until(`document.querySelector(".phase").textContent.startsWith("Waiting for the daemon") && ` + reading(0, "Maximum") + ` === "5"`)
	o.Accessible()
	o.Screenshot("pride-scope-cut")
	line.Mend()
	for _, tab := range []*browser.Tab{graph, o.Tab} {
		tab.Front()
		tab.Until(`document.querySelector("[data-line=open]") && !document.querySelector("[role=alert]")`)
	}
	flows()
}

// listens notes what a page asks of the daemon.
const listens = `{ window.asked = [];
	const send = WebSocket.prototype.send, ask = window.fetch;
	WebSocket.prototype.send = function (text) { asked.push(String(text)); return send.call(this, text); };
	window.fetch = (address, more) => { asked.push((more?.method ?? "GET") + " " + address); return ask(address, more); }; } ""`

// TestPrideScopeOfBefore restarts the daemon under a scope and under values at a graph, where the new one has a net of the same name. They stay
// as they were and ask nothing about that net until somebody wants to see it.
func TestPrideScopeOfBefore(t *testing.T) {
	b := browser.Start(t)
	before := openLab(t, "", "")
	n := before.run(spiky, "of before")
	o := openScope(b, before.address, "spike.outValue")
	o.on("2.5", "normal", "20", "20")
	o.Until(captured + ` && ` + reading(0, "RMS") + ` !== "…"`)
	graph := b.Open("http://" + before.address + "/pride/#/nets/" + n.Name())
	graph.Until(`document.querySelector('.values span[data-port="n.outValue"]').textContent !== ""`)
	tabs := []*browser.Tab{graph, o.Tab}
	for _, tab := range tabs {
		tab.Do(listens)
	}
	address := before.address
	before.end()
	for _, tab := range tabs {
		tab.Front()
		tab.Until(`document.querySelector("[data-line=lost]")`)
		tab.Do(`asked.length = 0; ""`)
	}
	after := openLab(t, address, "")
	if now := after.run(spiky, "of now"); now.Name() != n.Name() {
		t.Fatal(now.Name())
	}
	for _, tab := range tabs {
		tab.Front()
		tab.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-restarted]")`)
		if asked := tab.Do(`asked.filter((a) => /"probe"|"scope"|"arm"|"measure"|\/scope\/|\/graph/.test(a)).join("\n")`); asked != "" {
			t.Errorf("%s: asks the new daemon: %s", tab.Do(`location.hash`), asked)
		}
	}
	o.Until(`document.querySelector(".scope [role=alert]").textContent.includes("the daemon was started again")`)
	o.Until(captured + ` && ` + reading(0, "Maximum") + ` === "5"`)
	o.Accessible()
	o.Click(`[data-restarted] button`)
	o.Until(`!document.querySelector("[data-restarted]") && !document.querySelector(".channels .swatch") && document.querySelector(".offered li")`)
	o.find("spike.outValue")
	o.Until(phase + ` === "live" && ` + reading(0, "Newest") + ` !== "no value"`)
}
