package pages_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/directio/stream"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// markup is a text from outside that would be an element, if it became markup.
const markup = `<img src=x onerror="document.title='broken in'"><b class="injected">bold</b>`

// lab is a cell as people have it, at an address: arms, a gripper, a demonstration that runs, rules, and lines in the log.
type lab struct {
	*rcc.Core
	t       *testing.T
	clock   *rt.Virtual
	address string // host and port
	server  *directio.Server
	served  chan error
	lines   []facts.LogLine
	outside string // ends all texts that come from outside
	rule    string // that has fired
}

// openLab begins one, at an address of its own when address is empty.
func openLab(t *testing.T, address, outside string) *lab {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	begun := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	l := &lab{t: t, clock: rt.NewVirtual(begun), outside: outside, served: make(chan error, 1)}
	l.clock.SetSpeed(1)
	for i, level := range []string{"INFO", "INFO", "WARN", "ERROR", "DEBUG"} {
		l.lines = append(l.lines, facts.LogLine{
			Number: uint64(i + 1), Time: begun.Add(time.Duration(i) * time.Second), Level: level,
			Message: []string{"listening", "device is there", "tick is late", "device is lost " + outside, "looked again"}[i], Fields: `{"device":"tx90l"}`,
		})
	}
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	if l.Core, err = rcc.New(rcc.Config{Catalogue: catalogue, Clock: l.clock, DefaultCycle: 2 * time.Millisecond, DeviceTypes: devices.Types()}); err != nil {
		t.Fatal(err)
	}
	page := pages.Handler(l.Core, pages.Options{Version: "test", Realtime: threeFacts, Log: func() []facts.LogLine { return l.lines }})
	after := func(number uint64) []facts.LogLine { return l.lines[min(number, uint64(len(l.lines))):] }
	if l.server, err = directio.Listen(l.Core, page, directio.Config{Listen: address, Stream: stream.Config{Version: "test", Log: after}}); err != nil {
		t.Fatal(err)
	}
	l.address = l.server.Addr().String()
	go func() { l.served <- l.server.Serve() }()
	t.Cleanup(l.end)
	if strings.Contains(get(t, "http://"+l.address+"/pride/"), "is not in this build") {
		t.Skip("skip: the application is not in this build: make pride")
	}
	return l
}

// end ends the daemon, once.
func (l *lab) end() {
	if l.server == nil {
		return
	}
	for _, n := range l.Nets.All() {
		_ = n.Abort(context.Background())
	}
	if err := l.server.Close(context.Background()); err != nil {
		l.t.Error(err)
	}
	if err := <-l.served; err != nil {
		l.t.Error(err)
	}
	if err := l.Close(context.Background()); err != nil {
		l.t.Error(err)
	}
	l.server = nil
}

// threeFacts are those of a machine that is not quite as it should be.
func threeFacts() pages.State {
	return pages.State{
		Word: "degraded", Reason: "the machine is not fit for real time",
		Facts: []pages.Fact{
			{Name: "rights", OK: true, State: "granted", Text: "priorities and locked memory"},
			{Name: "machine", State: "unfit", Text: "kernel without PREEMPT_RT"},
			{Name: "record", OK: true, State: "clean", Text: "last minute 0 late, 0 missed, 0 overruns"},
		},
		Notes: []pages.Note{{What: "the kernel is not a real-time kernel", Command: "apt-get install linux-image-rt-amd64"}},
	}
}

// furnish brings devices, the demonstration, and a rule that has fired.
func (l *lab) furnish() (demo *rcc.Net) {
	l.t.Helper()
	for name, of := range map[string]string{"lwr": "kuka_lwr_sim", "tx90l": "staubli_tx90_sim", "io": "io_sim", "gripper": "schunk_wsg_sim", "base": "robotbase_sim"} {
		if err := l.Devices.Create(name, of, nil); err != nil {
			l.t.Fatal(err)
		}
	}
	text, err := configs.Files.ReadFile("demo.dio")
	if err != nil {
		l.t.Fatal(err)
	}
	s, err := l.Sessions.Open("pick and place " + l.outside)
	if err != nil {
		l.t.Fatal(err)
	}
	if demo, err = l.Nets.Load(rcc.LoadRequest{Text: string(text), Description: "demonstration " + l.outside, Session: s.Name()}); err != nil {
		l.t.Fatal(err)
	}
	if err := demo.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	first, second := l.load(switchable, "waits for a signal"), l.load(switchable, "comes next")
	if err := first.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	rule, err := l.Rules.Add(l.t.Context(), rcc.RuleRequest{Condition: first.Name() + ".outGo", Start: []string{second.Name()}, Description: "go on " + l.outside})
	if err != nil {
		l.t.Fatal(err)
	}
	l.rule = strconv.Itoa(rule.Number())
	if err := first.Set([]rcc.KeyValue{{Key: "inGo", Value: "true"}}); err != nil {
		l.t.Fatal(err)
	}
	return demo
}

func (l *lab) load(text, description string) *rcc.Net {
	l.t.Helper()
	n, err := l.Nets.Load(rcc.LoadRequest{Text: text, Description: description})
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

// untouched fails the test if a text from outside has become an element, or a script.
func untouched(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if tab.Do(`String(document.querySelectorAll(".injected, img[src=x]").length)`) != "0" || strings.Contains(tab.Do(`document.title`), "broken in") {
		t.Errorf("a text from outside has become markup: %s", tab.Do(`document.body.innerHTML`))
	}
}

// prideView is a view of the application: its name for pictures, its address, and what is seen there.
type prideView struct{ name, address, until string }

// viewsOf are all of them in a lab that was furnished.
func viewsOf(l *lab, demo *rcc.Net) []prideView {
	return []prideView{
		{"overview", "#/", `["nets", "devices", "rules", "executors", "sessions", "log"].every((p) => document.querySelector("[data-panel=" + p + "]").textContent.length > 20)
			&& document.querySelector("[data-rule]").textContent.includes("FIRED") && document.querySelectorAll("[data-fact]").length === 3`},
		{"nets", "#/nets", `document.querySelectorAll("tbody tr").length === 3`},
		{"net", "#/nets/" + demo.Name() + "/facts", `document.querySelector("[data-panel=values]").textContent.includes("outPose") && document.querySelector("h1 .state").textContent === "RUNNING"`},
		{"devices", "#/devices", `document.querySelector("[data-device=lwr] .state").textContent === "operational"`},
		{"device", "#/devices/lwr", `document.querySelector("[data-panel=facts] .links a").textContent === "` + demo.Name() + `"`},
		{"core", "#/devices/rcc", `document.querySelector("h1 .state").textContent === "operational" && document.querySelector("[data-panel=facts]")`},
		{"rules", "#/rules", `document.querySelector("[data-rule] .account").textContent.startsWith("The condition was true")`},
		{"rule", "#/rules/" + l.rule, `document.querySelector("[data-account]") && document.querySelector("[data-panel=changes]").textContent.includes("started")`},
		{"sessions", "#/sessions", `document.querySelectorAll("[data-session]").length > 0`},
		{"session", "#/sessions/" + demo.Session(), `document.querySelector("tbody th a").textContent === "` + demo.Name() + `"`},
		{"realtime", "#/realtime", `document.querySelector("[data-panel=executors] tbody tr") && document.querySelector("[data-panel=incidents]") && document.querySelector(".note pre")`},
		{"log", "#/log?level=warn", `document.querySelectorAll(".log li").length === 2 && document.querySelector(".log li").dataset.level === "ERROR"`},
	}
}

// TestPrideOverview looks at every view of a cell. Nothing sticks out of it on a telephone, and nobody is kept out.
func TestPrideOverview(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	demo := l.furnish()
	tab := b.Open("http://" + l.address + "/pride/")
	for _, v := range viewsOf(l, demo) {
		tab.Size(1360, 800)
		tab.Do(fmt.Sprintf(`location.hash = %q`, v.address))
		tab.Until(v.until)
		tab.Accessible()
		tab.Screenshot("pride-" + v.name)
		tab.Narrow("pride-" + v.name)
		tab.Accessible()
	}
}

// TestPrideMarkup looks at every view of a cell whose names and texts would do something if they became markup.
func TestPrideMarkup(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", markup)
	demo := l.furnish()
	tab := b.Open("http://" + l.address + "/pride/")
	for _, v := range viewsOf(l, demo) {
		tab.Do(fmt.Sprintf(`location.hash = %q`, v.address))
		tab.Until(v.until)
		untouched(t, tab)
	}
	tab.Press("k", browser.Ctrl)
	tab.Until(`document.querySelector("[role=listbox]").textContent.includes("<img src=x")`)
	untouched(t, tab)
}

// TestPrideFinds finds things by keys alone.
func TestPrideFinds(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	demo := l.furnish()
	tab := b.Open("http://" + l.address + "/pride/")
	tab.Until(`document.querySelector("[data-device=lwr]")`)
	const chosen = `document.querySelector("[role=option][aria-selected=true] b").textContent`
	seek := func(query string) {
		tab.Press("k", browser.Ctrl)
		tab.Until(`document.activeElement.getAttribute("role") === "combobox" && document.querySelectorAll("[role=option]").length > 0`)
		tab.Write(query)
	}
	for _, tc := range []struct{ query, finds, address string }{
		{"lwr", "lwr", "#/devices/lwr"},
		{"demonstration running", demo.Name(), "#/nets/" + demo.Name()},
		{"go on fired", "Rule " + l.rule, "#/rules/" + l.rule},
		{"real", "Real time", "#/realtime"},
		{demo.Session(), demo.Session(), "#/sessions/" + demo.Session()},
	} {
		seek(tc.query)
		tab.Until(fmt.Sprintf(`%s === %q && document.activeElement.getAttribute("aria-activedescendant") === document.querySelector("[aria-selected=true]").id`, chosen, tc.finds))
		tab.Press(browser.Enter)
		tab.Until(fmt.Sprintf(`location.hash === %q && !document.querySelector("dialog")`, tc.address))
	}

	// The list is gone through by arrows, and Escape gives up. Types and ports are there too.
	seek("DoubleAdd")
	tab.Until(chosen + ` === "Core::DoubleAdd" && document.querySelectorAll("[role=option]").length > 1`)
	tab.Size(1360, 500)
	tab.Accessible()
	tab.Screenshot("pride-palette")
	tab.Narrow("pride-palette")
	tab.Accessible()
	tab.Press(browser.Escape)
	tab.Until(`!document.querySelector("dialog")`)
	tab.Size(1200, 1000)
	seek("end.outValue")
	tab.Until(`document.querySelectorAll("[role=option]").length === 2`) // of two nets that have one
	first := tab.Do(chosen + ` + document.activeElement.getAttribute("aria-activedescendant")`)
	tab.Press(browser.ArrowDown)
	tab.Until(fmt.Sprintf(`%s + document.activeElement.getAttribute("aria-activedescendant") !== %q`, chosen, first))
	tab.Press(browser.ArrowDown)
	tab.Until(fmt.Sprintf(`%s + document.activeElement.getAttribute("aria-activedescendant") === %q`, chosen, first))
	tab.Press(browser.Enter)
	tab.Until(`document.querySelector(".box.selected b").textContent === "end"`)
}

// TestPrideNetOfAnArm finds the net that drives an arm, and why it has stopped.
func TestPrideNetOfAnArm(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	demo := l.furnish()
	tab := b.Open("http://" + l.address + "/pride/")
	tab.Until(`document.querySelector("[data-device=lwr] a")`)
	tab.Click(`[data-device=lwr] a`)
	tab.Until(`document.querySelector("[data-panel=facts] .links a")`)
	tab.Click(`[data-panel=facts] .links a`)
	tab.Until(`location.hash === "#/nets/` + demo.Name() + `" && document.querySelector("h1 .state").textContent === "RUNNING" && document.querySelectorAll(".box").length > 0`)

	// Somebody presses the emergency stop of the arm. The net says which device does not follow, and the device why.
	if err := l.Devices.Tell("lwr", "happen", map[string]string{"what": "estop"}); err != nil {
		t.Fatal(err)
	}
	tab.Until(`document.querySelector("[data-refused=lwr]").textContent.includes("does not follow since cycle")`)
	tab.Screenshot("pride-refused")
	if err := demo.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Until(`document.querySelector("h1 .state").textContent === "TERMINATED" && document.querySelector("[data-ended]").textContent.startsWith("Ended: aborted, cycle ")`)
	tab.Screenshot("pride-stopped")
	tab.Click(`.tabs a:nth-child(2)`)
	tab.Until(`location.hash.endsWith("/facts") && document.querySelector("[data-ended]") && document.querySelector("[data-panel=statistics]")`)

	// A device that nets have left shows that without a reload.
	tab.Do(`location.hash = "#/devices/lwr"`)
	tab.Until(`document.querySelector("[data-panel=facts] .links a") && document.querySelector("h1 .state").textContent !== "operational" && document.querySelector("[data-cause]").textContent.length > 5`)
	tab.Accessible()
	tab.Screenshot("pride-device-stopped")
	if err := demo.Unload(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab.Until(`document.querySelector("[data-panel=facts]").textContent.includes("none")`)
	tab.Do(`location.hash = "#/"`)
	tab.Until(`document.querySelector("[data-device=lwr] td").textContent.length > "safe-operational".length`) // with the cause
}

// TestPrideNetVanishes looks at a net that is unloaded.
func TestPrideNetVanishes(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	n := l.load(switchable, "for a while")
	graph, facts, list := b.Open("http://"+l.address+"/pride/#/nets/"+n.Name()), b.Open("http://"+l.address+"/pride/#/nets/"+n.Name()+"/facts"), b.Open("http://"+l.address+"/pride/")
	graph.Until(`document.querySelectorAll(".box").length === 3 && document.querySelector("h1 .state").textContent === "READY"`)
	facts.Until(`document.querySelector("[data-panel=inputs]")`)
	list.Until(`document.querySelector("[data-net=` + n.Name() + `]")`)
	if err := n.Unload(t.Context()); err != nil {
		t.Fatal(err)
	}
	list.Until(`!document.querySelector("[data-net]") && document.querySelector("[data-panel=nets]").textContent.includes("No net is loaded")`)
	for _, tab := range []*browser.Tab{graph, facts} {
		tab.Until(`document.querySelector("[data-gone]").textContent.includes("` + n.Name() + ` was unloaded")`)
	}
	facts.Accessible()
	graph.Until(`document.querySelectorAll(".box").length === 3`) // what was known stays
	graph.Screenshot("pride-gone")
	l.load(switchable, "another one")
	list.Until(`document.querySelector("[data-panel=nets]").textContent.includes("another one")`)
}

// TestPrideOfBefore restarts the daemon under views that are open. Those of all that there is go over to the new one and say so, that of a net
// stays as it was, although the new one has a net of the same name, until somebody wants to see that.
func TestPrideOfBefore(t *testing.T) {
	b := browser.Start(t)
	before := openLab(t, "", "")
	n := before.load(switchable, "of before")
	overview, net := b.Open("http://"+before.address+"/pride/"), b.Open("http://"+before.address+"/pride/#/nets/"+n.Name()+"/facts")
	overview.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-panel=nets]").textContent.includes("of before")`)
	net.Until(`document.querySelector("h1").textContent.includes("of before") && document.querySelector("[data-panel=inputs]")`)
	address := before.address
	before.end()
	for _, tab := range []*browser.Tab{overview, net} {
		tab.Until(`document.querySelector("[data-line=lost]")?.getAttribute("role") === "alert"`)
	}
	overview.Until(`document.querySelector("[data-panel=nets]").textContent.includes("of before")`)
	overview.Screenshot("pride-lost")

	after := openLab(t, address, "")
	if now := after.load(switchable, "of now"); now.Name() != n.Name() {
		t.Fatal(now.Name())
	}
	overview.Front()
	overview.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-fresh]") && document.querySelector("[data-panel=nets]").textContent.includes("of now")`)
	overview.Accessible()
	net.Front()
	net.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-restarted]") && document.querySelector("h1").textContent.includes("of before")`)
	net.Accessible()
	net.Screenshot("pride-restarted")
	net.Click(`[data-restarted] button`)
	net.Until(`!document.querySelector("[data-restarted]") && document.querySelector("h1").textContent.includes("of now")`)
	net.Until(`document.querySelector("[data-fresh]")`)
	net.Click(`[data-fresh] button`)
	net.Until(`!document.querySelector("[data-fresh]")`)
}

// TestPrideCut cuts the line to the daemon and mends it: the page says that it hears nothing, keeps what it shows, and comes back by itself.
func TestPrideCut(t *testing.T) {
	b := browser.Start(t)
	l := openLab(t, "", "")
	line := browser.NewLine(t, l.address)
	l.load(switchable, "the first")
	tab := b.Open("http://" + line.Addr() + "/pride/")
	tab.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-panel=nets]").textContent.includes("the first")`)
	line.Cut()
	tab.Until(`document.querySelector("[data-line=lost]").textContent.includes("comes back by itself")`)
	l.load(switchable, "the second")
	tab.Until(`document.querySelector("[data-panel=nets]").textContent.includes("the first")`)
	tab.Accessible()
	line.Mend()
	tab.Until(`document.querySelector("[data-line=open]") && document.querySelector("[data-panel=nets]").textContent.includes("the second") && !document.querySelector("[role=alert]")`)
}
