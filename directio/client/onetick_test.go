package client_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// agreeing is how many variables a net publishes that have one value.
const agreeing = 12

// agree returns a net that publishes how long it has been running, under several keys, and runs until it is cancelled.
func agree() string {
	entries := []string{"age=Core::Clock()", "c=Cancel()", "outTerminate=c.outCancel"}
	for i := range agreeing {
		entries = append(entries, fmt.Sprintf("p%d=Core::DoubleNetcommOut(Key='k%d',inValue=age.outValue)", i, i))
	}
	return "{" + strings.Join(entries, ",") + "}"
}

// TestValuesOfOneTick reads a net whose variables agree, at all doors, while its time passes as fast as it can be computed and
// the process has more to do than there are CPUs: no answer is without values or has those of different ticks.
func TestValuesOfOneTick(t *testing.T) {
	core, address := cell(t)
	d, _ := keep(t, address)
	n, err := d.Run(in(t), agree(), client.NetOptions{Cycle: time.Millisecond, Refresh: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.WaitValue(in(t), "outk0", func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var busy sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for !stop.Load() { // until another one must be let in
			}
		})
	}
	defer busy.Wait()
	defer stop.Store(true)

	one, err := core.Nets.Get(n.Name)
	if err != nil {
		t.Fatal(err)
	}
	for range 1_000 {
		values := map[string]string{}
		for _, kv := range one.Values().All() {
			values[kv.Key] = kv.Value
		}
		if problem := disagree(values); problem != "" {
			t.Fatalf("read directly: %s", problem)
		}
	}
	for range 8 {
		for _, door := range []struct {
			path, accept string
			values       func(body []byte) (map[string]string, error)
		}{
			{"/nets/" + n.Name + "/", "application/json", valuesOfJSON},
			{"/nets/" + n.Name + "/", "text/xml", valuesOfXML},
			{"/cell/", "application/json", valuesOfCell},
		} {
			body := fetch(t, address+door.path, door.accept)
			values, err := door.values(body)
			if problem := disagree(values); err != nil || problem != "" {
				t.Fatalf("%s as %s: %s, %v\n%.300s", door.path, door.accept, problem, err, body)
			}
		}
	}
	seen := 0
	for u := range n.Updates(in(t)) {
		if len(u.Values) > 0 {
			seen++
		}
		if problem := disagree(u.Values); len(u.Values) > 0 && problem != "" {
			t.Fatalf("DirectIO: %s", problem)
		}
		if problem := elsewhen(u.Values, u.Tick); len(u.Values) > 0 && problem != "" {
			t.Fatalf("DirectIO: %s", problem)
		}
		if seen == 8 {
			break
		}
	}
	stop.Store(true)
	if err := n.Cancel(in(t)); err != nil {
		t.Error(err)
	}
	if _, err := n.End(in(t)); err != nil {
		t.Error(err)
	}
	if problem := disagree(n.Values()); problem != "" {
		t.Errorf("at the end: %s", problem)
	}
	if problem := elsewhen(n.Values(), n.Tick()); problem != "" {
		t.Errorf("at the end: %s", problem)
	}
}

// elsewhen says that values are not those of a tick: the clock of the net shows the end of each cycle of 1 ms.
func elsewhen(values map[string]string, of client.Tick) string {
	age, err := strconv.ParseFloat(values["outk0"], 64)
	if n := math.Round(age * 1000); err != nil || uint64(n) != of.Cycle || of.Time.IsZero() {
		return fmt.Sprintf("after %v s it is %+v, %v", age, of, err)
	}
	return ""
}

// disagree says what is wrong with values that should agree.
func disagree(values map[string]string) string {
	if len(values) != agreeing {
		return fmt.Sprintf("%d values instead of %d: %v", len(values), agreeing, values)
	}
	for key, value := range values {
		if value != values["outk0"] {
			return fmt.Sprintf("%s is %s, and outk0 is %s", key, value, values["outk0"])
		}
	}
	return ""
}

func fetch(t *testing.T, address, accept string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(in(t), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%.300s", address, response.Status, err, body)
	}
	return body
}

func valuesOfJSON(body []byte) (map[string]string, error) {
	var net struct{ Values map[string]string }
	err := json.Unmarshal(body, &net)
	return net.Values, err
}

func valuesOfCell(body []byte) (map[string]string, error) {
	var cell struct {
		Nets []struct{ Values map[string]string }
	}
	err := json.Unmarshal(body, &cell)
	if len(cell.Nets) != 1 {
		return nil, fmt.Errorf("%d nets: %w", len(cell.Nets), err)
	}
	return cell.Nets[0].Values, err
}

func valuesOfXML(body []byte) (map[string]string, error) {
	var net struct {
		Data []struct {
			Key   string `xml:"key,attr"`
			Value string `xml:",chardata"`
		} `xml:"data"`
	}
	err := xml.Unmarshal(body, &net)
	values := map[string]string{}
	for _, kv := range net.Data {
		values[kv.Key] = kv.Value
	}
	return values, err
}
