package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// A net for which there is no time is refused with figures, and the page of executors and the figures say who takes it.
func TestNoTimeForANet(t *testing.T) {
	c := newCell(t, Options{Realtime: degraded}, func(cfg *rcc.Config) { cfg.Sched.Share, cfg.Sched.CPUs = 900, []int{4} })
	c.load(counting, "", "")
	c.load(counting, "", "")
	if a := c.answer(request("POST", "/nets/rpinet0/", "action=START")); a.StatusCode >= 400 {
		t.Fatal(a.text)
	}
	a := c.answer(request("POST", "/nets/rpinet1/", "action=START", "Accept", forJSON))
	var p problem
	if err := json.Unmarshal([]byte(a.text), &p); err != nil {
		t.Fatal(err)
	}
	if want := "rpinet1 cannot be started: of CPU 4 nets may have 0.09 %"; a.StatusCode != 409 || p.Code != codeLoad || !strings.HasPrefix(p.Message, want) {
		t.Errorf("%d %s: %s", a.StatusCode, p.Code, p.Message)
	}
	var view realtimeView
	if err := json.Unmarshal([]byte(c.answer(request("GET", "/realtime/", "", "Accept", forJSON)).text), &view); err != nil {
		t.Fatal(err)
	}
	if len(view.CPUs) != 1 || *view.CPUs[0].CPU != 4 || view.CPUs[0].Limit != 0.09 || view.CPUs[0].Taken == 0 || view.Executors[0].Share != view.CPUs[0].Taken {
		t.Errorf("%+v, %+v", view.CPUs, view.Executors)
	}
	metrics := c.answer(request("GET", "/metrics", "")).text
	for _, want := range []string{`rccd_cpu_limit{cpu="4"} 0.0009`, `rccd_cpu_share{cpu="4"} 0.000`, `rccd_executor_share{period="2ms",class="realtime",cpu="any",number="0"} 0.000`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
}
