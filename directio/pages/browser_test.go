package pages_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// wave is a net whose output changes all the time, and an input that nobody has set yet.
const wave = `{step=Core::DoubleNetcommIn(Key='Step',Value='0.01'),pre=Core::DoublePre(inValue=sum.outValue),` +
	`first=Core::DoubleIsNull(inValue=pre.outValue),last=Core::DoubleConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),` +
	`sum=Core::DoubleAdd(inFirst=step.outValue,inSecond=last.outValue),wave=Core::DoubleSin(inValue=sum.outValue),` +
	`a=Core::DoubleNetcommOut(inValue=wave.outValue,Key='Wave'),b=Core::DoubleNetcommOut(inValue=sum.outValue,Key='Sum'),` +
	`outTerminate=Core::BooleanValue(Value='false').outValue}`

// serve runs a whole daemon and returns its address.
func serve(t *testing.T) (*rcc.Core, string) {
	t.Helper()
	return serveOf(t, rt.NewReal(), core.Primitives())
}

func serveOf(t testing.TB, clock rt.Clock, list []*spec.Primitive, types ...device.Type) (*rcc.Core, string) {
	t.Helper()
	catalogue, err := spec.NewCatalogue(list)
	if err != nil {
		t.Fatal(err)
	}
	c, err := rcc.New(rcc.Config{Catalogue: catalogue, Clock: clock, DefaultCycle: 10 * time.Millisecond, DeviceTypes: types})
	if err != nil {
		t.Fatal(err)
	}
	server, err := directio.Listen(c, pages.Handler(c, pages.Options{Version: "test", Realtime: func() pages.State { return pages.State{Word: "off"} }}), directio.Config{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		for _, n := range c.Nets.All() {
			_ = n.Abort(context.Background())
		}
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c, "http://" + server.Addr().String()
}

// TestLivePages uses the pages with a browser as people do.
func TestLivePages(t *testing.T) {
	b := browser.Start(t)
	c, address := serve(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: wave, Description: "a wave"})
	if err != nil {
		t.Fatal(err)
	}

	tab := b.Open(address + "/")
	tab.Until(`link.textContent === "live"`)
	tab.Until(`document.querySelector("[data-net=rpinet0] .state").textContent === "READY"`)
	tab.Screenshot("start")

	tab = b.Open(address + "/nets/" + n.Name() + "/")
	tab.Until(`link.textContent === "live"`)
	tab.Do(`document.querySelector("button[value=START]").click()`)
	tab.Until(`state.textContent === "RUNNING"`)
	tab.Until(`!plotpane.hidden && document.querySelectorAll("#values input").length === 2`)
	const shown = `document.querySelector("[data-key=outSum] .value").textContent`
	first := tab.Do(shown)
	tab.Until(fmt.Sprintf("%s !== %q", shown, first))

	tab.Until(`document.querySelector("#figures table.numbers")`) // table 11.2, as the net goes on
	tab.Do(`inputs.elements.inStep.value = "0"; inputs.querySelector("button").click()`)
	tab.Until(`inputs.elements.inStep.defaultValue === "0"`)
	if got := fmt.Sprint(n.Inputs()); got != "[{inStep 0}]" {
		t.Errorf("inputs %s", got)
	}
	tab.Do(`inputs.elements.inStep.value = "0.02"; inputs.querySelector("button").click()`)
	tab.Screenshot("net")

	executors := b.Open(address + "/realtime/")
	executors.Until(`document.querySelectorAll("table.numbers tbody tr").length === 1 && document.querySelectorAll(".bars rect").length > 0`)
	executors.Screenshot("realtime")
	executors.Narrow("realtime")

	tab.Do(`document.querySelector("button[value=ABORT]").click()`)
	tab.Until(`state.textContent === "TERMINATED" && document.querySelector("button[value=ABORT]").disabled`)

	tab = b.Open(address + "/nets/")
	tab.Do(`dionet.value = "{a=Core::DoubleAdd(\n  inFirst=)}"; load.querySelector("button").click()`)
	tab.Until(`!loaderror.hidden && loaderror.textContent.includes("line 2, column 11")`)
	tab.Until(`dionet.value.slice(dionet.selectionStart, dionet.selectionEnd) === ")"`)
	tab.Screenshot("error")
	tab.Do(fmt.Sprintf(`dionet.value = %q; load.querySelector("button").click()`, wave))
	tab.Until(`location.pathname === "/nets/rpinet2/" && document.querySelector("#state")?.textContent === "READY"`)
}
