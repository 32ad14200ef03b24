package client_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/rcc"
)

// double publishes twice the number that it is given, and ends on request.
const double = `{number=Core::DoubleNetcommIn(Key='number',Value='21'),` +
	`double=Core::DoubleMultiply(inFirst=number.outValue,Second='2'),result=Core::DoubleNetcommOut(inValue=double.outValue,Key='result'),` +
	`cancel=Cancel(),done=Core::BooleanNetcommOut(inValue=cancel.outCancel,Key='done'),outTerminate=cancel.outCancel}`

func is(want string) func(string) bool { return func(text string) bool { return text == want } }

func TestNet(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	n, err := d.Run(in(t), double, client.NetOptions{Description: "twice", Inputs: map[string]string{"innumber": "4"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.WaitValue(in(t), "outresult", is("8")); err != nil {
		t.Error(err)
	}
	if v, known := n.Value("outresult"); !known || v != "8" {
		t.Error(v, known)
	}
	if err := n.Set(in(t), map[string]string{"innumber": "-0.5", "innothing": "1"}); err != nil {
		t.Error(err)
	}
	if _, err := n.WaitValue(in(t), "outresult", is("-1")); err != nil {
		t.Error(err)
	}
	if err := n.Start(in(t)); !errors.As(err, new(*client.RefusedError)) {
		t.Errorf("started twice: %v", err)
	}
	if err := n.Set(in(t), map[string]string{"innumber": "one"}); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
	if err := n.Cancel(in(t)); err != nil {
		t.Error(err)
	}
	if state, err := n.End(in(t)); err != nil || state != client.Terminated {
		t.Error(state, err)
	}
	if state, err := n.Wait(in(t), client.Running); err != nil || state != client.Running {
		t.Errorf("it has been running: %v, %v", state, err)
	}
	if d := cmp.Diff(map[string]string{"outresult": "-1", "outdone": "true"}, n.Values()); d != "" {
		t.Error(d)
	}
	if _, err := n.WaitValue(in(t), "outresult", is("7")); err == nil {
		t.Error("it has ended, and has got a value")
	}
	if err := n.Unload(in(t)); err != nil {
		t.Error(err)
	}
	if _, err := n.Wait(in(t), client.Unloaded); err != nil {
		t.Error(err)
	}
	if err := n.Start(in(t)); !errors.Is(err, client.ErrUnloaded) {
		t.Error(err)
	}
}

// TestUpdates: every state comes, values with the state that they belong to, and again from where one is.
func TestUpdates(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	n, err := d.Load(in(t), double, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var states []client.State
	values := map[string]string{}
	for u := range n.Updates(in(t)) {
		if len(states) == 0 || states[len(states)-1] != u.State {
			states = append(states, u.State)
		}
		maps.Copy(values, u.Values)
		switch {
		case len(states) == 1:
			err = n.Start(in(t))
		case u.Values["outresult"] == "42" && u.State == client.Running:
			err = n.Cancel(in(t))
		case u.State == client.Terminated:
			if values["outdone"] != "true" {
				t.Error("its last values come after its end")
			}
			err = n.Unload(in(t))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []client.State{client.Ready, client.Running, client.Cancelling, client.Terminated, client.Unloaded}
	if d := cmp.Diff(want, states); d != "" {
		t.Error(d)
	}
	for u := range n.Updates(in(t)) { // later
		if u.State != client.Unloaded || u.Values["outdone"] != "true" {
			t.Error(u)
		}
	}
}

func TestRefusedNets(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	n, err := d.Load(in(t), `{a=Core::DoubleAdd(inFirst=c.outValue,First='x'),b=Core::Nothing(),c=Core::BooleanValue(),outTerminate=c.outValue}`, client.NetOptions{})
	rejected := new(client.RejectedError)
	if !errors.As(err, &rejected) || n != nil {
		t.Fatal(n, err)
	}
	for _, want := range []string{"b: unknown type Core::Nothing", "inFirst: type differs"} {
		if !slices.ContainsFunc(rejected.Reasons, func(r client.Reason) bool { return strings.Contains(r.String(), want) }) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
	if _, err := d.Run(in(t), `{outTerminate}`, client.NetOptions{}); !errors.As(err, new(*client.RefusedError)) || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	if _, err := d.Net(in(t), "rpinet77", 0); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
	several := `{a=IO::OutBool(DeviceID='oi',IO='true'),b=IO::OutBool(DeviceID='oi',IO='true'),c=IO::InBool(DeviceID='oi'),outTerminate=c.outIO}`
	_, err = d.Load(in(t), several, client.NetOptions{})
	if !errors.As(err, &rejected) || strings.Count(err.Error(), "no such device") != 1 || !strings.Contains(err.Error(), `a, b and 1 more: device "oi"`) {
		t.Error(err)
	}
	again, err := d.Net(in(t), rejected.Net, 0)
	if err != nil || again.State() != client.Rejected {
		t.Error(again.State(), err)
	}
	if err := again.Start(in(t)); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
}

// TestRejectedWithoutReasons: an error is returned also when the pages of the daemon do not answer.
func TestRejectedWithoutReasons(t *testing.T) {
	_, address := cellWith(t, http.NotFoundHandler())
	d, _ := keep(t, address)
	_, err := d.Load(in(t), `{a=Core::Nothing()}`, client.NetOptions{})
	if !errors.As(err, new(*client.RejectedError)) || !errors.As(err, new(*client.RefusedError)) ||
		err.Error() != "net rpinet0 is rejected, and the daemon does not say why: GET /nets/rpinet0/: 404 Not Found" {
		t.Error(err)
	}
}

func TestRules(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	var nets []*client.Net
	for range 2 {
		n, err := d.Load(in(t), double, client.NetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		nets = append(nets, n)
	}
	first, second := nets[0], nets[1]
	now, err := d.Add(in(t), client.RuleRequest{Start: []*client.Net{first}, Description: "begin"})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := now.Decided(in(t)); err != nil || state != client.RuleFired {
		t.Error(state, err)
	}
	after, err := d.Add(in(t), client.RuleRequest{Condition: first.Name + ".outdone", Stop: nets[:1], Start: nets[1:]})
	if err != nil || after.State() != client.RuleActive {
		t.Fatal(after.State(), err)
	}
	if account, err := after.Account(in(t)); err != nil || account == "" {
		t.Error(account, err)
	}
	if err := first.Cancel(in(t)); err != nil {
		t.Error(err)
	}
	if state, err := after.Decided(in(t)); err != nil || state != client.RuleFired {
		t.Error(state, err)
	}
	if state, err := second.Wait(in(t), client.Running); err != nil || state != client.Running {
		t.Error(state, err)
	}
	never, err := d.Add(in(t), client.RuleRequest{Condition: "!" + first.Name + ".outdone", Cancel: nets[1:]})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := never.Decided(in(t)); err != nil || state != client.RuleInactive {
		t.Error(state, err)
	}
	failed, err := d.Add(in(t), client.RuleRequest{Condition: first.Name + ".outdone", Start: nets[1:]})
	if refused := new(client.RefusedError); !errors.As(err, &refused) {
		t.Errorf("a net that runs is started: %v, %v", failed, err)
	}
	if _, err := d.Add(in(t), client.RuleRequest{Condition: "nothing.outdone"}); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
}

func TestSessions(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	s, err := d.NewSession(in(t), "test@here")
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Run(in(t), double, client.NetOptions{Session: s})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := d.Run(in(t), double, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.End(in(t)); err != nil {
		t.Error(err)
	}
	if _, err := n.Wait(in(t), client.Unloaded); err != nil {
		t.Error(err)
	}
	if state := alone.State(); state != client.Running {
		t.Error(state)
	}
	if err := s.End(in(t)); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
}

func TestDevices(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	all, err := d.Devices(in(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, there := all.Device("rcc"); !there {
		t.Error(all.All())
	}
	if err := d.CreateDevice(in(t), "left lamp", "io_sim", map[string]string{"digout": "2"}); err != nil {
		t.Fatal(err)
	}
	lamp, err := all.Wait(in(t), "left lamp", func(d client.Device) bool { return d.State == client.Operational })
	if err != nil || lamp.Type != "io_sim" || lamp.Interfaces["io"]["digout"] != "2" {
		t.Error(lamp, err)
	}
	err = d.CreateDevice(in(t), "left lamp", "io_sim", map[string]string{"digout": "2"})
	if refused := new(client.RefusedError); !errors.As(err, &refused) || !strings.Contains(err.Error(), "left lamp") {
		t.Error(err)
	}
	if err := d.CreateDevice(in(t), "x", "io_sim", map[string]string{"digout": "many", "colour": "red"}); err == nil || !strings.Contains(err.Error(), "colour") || !strings.Contains(err.Error(), "digout") {
		t.Error(err)
	}
	if err := d.ChangeDevice(in(t), "left lamp", map[string]string{"digout": "3"}); !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
	gone := false
	for u := range all.Updates(in(t)) {
		if u.Name != "left lamp" {
			continue
		}
		if gone = u.Gone; gone {
			break
		}
		if err := d.RemoveDevice(in(t), "left lamp"); err != nil {
			t.Error(err)
		}
	}
	if _, there := all.Device("left lamp"); there || !gone {
		t.Error("it is there still")
	}
}

// TestLostConnection: nets go on, commands fail at once, and changes in between are reported when the connection is back.
func TestLostConnection(t *testing.T) {
	core, address := cell(t)
	wire, through := lay(t, address, nil)
	d, events := keep(t, through)
	n, err := d.Run(in(t), double, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Devices(in(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CreateDevice(in(t), "old", "io_sim", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Wait(in(t), "old", func(client.Device) bool { return true }); err != nil {
		t.Fatal(err)
	}
	rule, err := d.Add(in(t), client.RuleRequest{Condition: n.Name + ".outdone"})
	if err != nil {
		t.Fatal(err)
	}
	wire.cut()
	if e := await(t, events, client.Lost); e.Cause == nil {
		t.Error("lost without cause")
	}
	await(t, events, client.Failed)
	if err := n.Cancel(in(t)); !errors.As(err, new(*client.LostError)) {
		t.Error(err)
	}
	if err := d.RemoveDevice(in(t), "old"); !errors.As(err, new(*client.LostError)) {
		t.Error(err)
	}
	given, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Await(given); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n.State() != client.Running {
		t.Error(n.State())
	}
	net, err := core.Nets.Get(n.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(net.Cancel(t.Context()), core.Devices.Remove("old"), core.Devices.Create("new", "io_sim", nil)); err != nil {
		t.Fatal(err)
	}
	wire.mend(address)
	await(t, events, client.Back)
	if err := d.Await(in(t)); err != nil {
		t.Error(err)
	}
	if state, err := n.End(in(t)); err != nil || state != client.Terminated {
		t.Error(state, err)
	}
	if state, err := rule.Decided(in(t)); err != nil || state != client.RuleFired {
		t.Error(state, err)
	}
	if _, err := all.Wait(in(t), "new", func(client.Device) bool { return true }); err != nil {
		t.Error(err)
	}
	if _, there := all.Device("old"); there {
		t.Error("it is not known that a device has gone")
	}
	wire.cut()
	await(t, events, client.Lost)
	if err := net.Unload(t.Context()); err != nil {
		t.Error(err)
	}
	wire.mend(address)
	if state, err := n.Wait(in(t), client.Unloaded); err != nil || state != client.Unloaded {
		t.Error(state, err)
	}
}

// TestRestarted: a daemon that was restarted uses the names of nets again. Nets of the old one must not be taken for those of the
// new one.
func TestRestarted(t *testing.T) {
	_, before := cell(t)
	core, after := cell(t)
	wire, through := lay(t, before, nil)
	d, events := keep(t, through)
	old, err := d.Run(in(t), double, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rule, err := d.Add(in(t), client.RuleRequest{Condition: old.Name + ".outdone"})
	if err != nil {
		t.Fatal(err)
	}
	session, err := d.NewSession(in(t), "old")
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Devices(in(t))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := keep(t, after)
	foreign, err := other.Run(in(t), double, client.NetOptions{})
	if err != nil || foreign.Name != old.Name {
		t.Fatal(foreign.Name, err)
	}
	if err := core.Devices.Create("new", "io_sim", nil); err != nil {
		t.Fatal(err)
	}
	wire.cut()
	await(t, events, client.Lost)
	wire.mend(after)
	await(t, events, client.Restarted)
	await(t, events, client.Back)
	if _, err := old.End(in(t)); !errors.Is(err, client.ErrRestarted) {
		t.Error(err)
	}
	if _, err := rule.Decided(in(t)); !errors.Is(err, client.ErrRestarted) {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"abort": old.Abort(in(t)), "set": old.Set(in(t), map[string]string{"innumber": "7"}), "session": session.End(in(t)),
		"rule":    func() error { _, err := d.Add(in(t), client.RuleRequest{Stop: []*client.Net{old}}); return err }(),
		"account": func() error { _, err := rule.Account(in(t)); return err }(),
		"load":    func() error { _, err := d.Load(in(t), double, client.NetOptions{Session: session}); return err }(),
	} {
		if !errors.Is(err, client.ErrRestarted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := all.Wait(in(t), "new", func(client.Device) bool { return true }); err != nil {
		t.Error(err)
	}
	for u := range old.Updates(in(t)) {
		if u.State.Over() {
			t.Error("nobody knows how it has ended")
		}
	}
	if foreign.State() != client.Running {
		t.Error("the net of somebody else was ended")
	}
	fresh, err := d.Run(in(t), double, client.NetOptions{})
	if err != nil || fresh.Name == old.Name {
		t.Error(fresh.Name, err)
	}
}

// TestOtherInstance: what is sent over HTTP to another instance does nothing there, and a connection to an instance is one to no other.
func TestOtherInstance(t *testing.T) {
	_, before := cell(t)
	core, after := cell(t)
	wire, through := lay(t, before, nil)
	lost := make(chan struct{}, 1)
	d, err := client.Keep(in(t), through, client.Options{FirstPause: 10 * patience, LongestPause: 10 * patience, Tell: func(e client.Event) {
		if e.What == client.Lost {
			lost <- struct{}{}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	first, err := client.Dial(in(t), through)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	again, err := client.DialInstance(in(t), through, first.Instance())
	if err != nil || again.Instance() != first.Instance() {
		t.Fatal(err)
	}
	again.Close()
	wire.cut()
	<-lost
	wire.mend(after)
	if err := d.CreateDevice(in(t), "mine", "io_sim", nil); !errors.Is(err, client.ErrRestarted) {
		t.Error(err)
	}
	if _, err := d.Preview(in(t), client.Plan{}); !errors.Is(err, client.ErrRestarted) {
		t.Error(err)
	}
	for _, is := range core.Devices.All() {
		if is.Name == "mine" {
			t.Error("the other daemon has made the device")
		}
	}
	if c, err := client.DialInstance(in(t), through, first.Instance()); !errors.Is(err, client.ErrRestarted) {
		t.Error(c, err)
	}
}

func TestClosed(t *testing.T) {
	_, address := cell(t)
	d, _ := keep(t, address)
	n, err := d.Run(in(t), double, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan error)
	go func() {
		_, err := n.End(in(t))
		waits <- err
	}()
	d.Close()
	d.Close()
	if err := <-waits; !errors.Is(err, client.ErrClosed) {
		t.Error(err)
	}
	_, loaded := d.Load(in(t), double, client.NetOptions{})
	for _, err := range []error{n.Cancel(in(t)), loaded, d.Await(in(t)), d.RemoveDevice(in(t), "x")} {
		if !errors.Is(err, client.ErrClosed) || !errors.As(err, new(*client.LostError)) {
			t.Error(err)
		}
	}
	if _, err := client.Keep(in(t), "http://127.0.0.1:1", client.Options{}); !errors.As(err, new(*client.LostError)) {
		t.Error(err)
	}
}

// TestCutsHammer: connections that break at any byte. In the end the client knows what has happened.
func TestCutsHammer(t *testing.T) {
	core, address := cell(t)
	random := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	_, through := lay(t, address, func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return 300 + random.Int64N(6000)
	})
	d, events := keep(t, through)
	lost := func(err error) bool {
		if errors.As(err, new(*client.LostError)) {
			return d.Await(in(t)) == nil
		}
		return false
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				var n *client.Net
				for {
					var err error
					if n, err = d.Run(in(t), double, client.NetOptions{}); n != nil {
						break
					}
					if !lost(err) {
						t.Error(err)
						return
					}
				}
				if !drive(t, n, lost) {
					return
				}
			}
		})
	}
	all.Wait()
	breaks := 0
	for len(events) > 0 {
		if e := <-events; e.What == client.Lost {
			breaks++
		}
	}
	if breaks < 5 {
		t.Errorf("only %d connections broke", breaks)
	}
	for _, n := range core.Nets.All() { // those whose names were lost on the way
		if n.State() != rcc.Ready {
			t.Errorf("%s is %v, and nobody knows", n.Name(), n.State())
		}
	}
}

// drive brings a net to its end over a connection that breaks.
func drive(t *testing.T, n *client.Net, lost func(error) bool) bool {
	t.Helper()
	insist := func(do func() error) bool {
		for {
			err := do()
			if err == nil {
				return true
			}
			if !lost(err) {
				t.Error(n.Name, err)
				return false
			}
		}
	}
	started := insist(func() error {
		if state, err := n.Wait(in(t), client.Ready, client.Running); state == client.Loading || err != nil {
			return err
		}
		if n.State() != client.Ready {
			return nil
		}
		err := n.Start(in(t))
		if errors.As(err, new(*client.RefusedError)) { // the first start has come through
			_, err = n.Wait(in(t), client.Running)
		}
		return err
	})
	if !started || !insist(func() error { return n.Set(in(t), map[string]string{"innumber": "1.5"}) }) {
		return false
	}
	if v, err := n.WaitValue(in(t), "outresult", is("3")); err != nil {
		t.Error(n.Name, v, err)
		return false
	}
	if !insist(func() error { return n.Cancel(in(t)) }) {
		return false
	}
	if state, err := n.End(in(t)); err != nil || state != client.Terminated {
		t.Error(n.Name, state, err)
		return false
	}
	if v, _ := n.Value("outdone"); v != "true" {
		t.Error(n.Name, "its last value is not known")
	}
	return insist(func() error {
		err := n.Unload(in(t))
		if errors.Is(err, client.ErrUnloaded) || errors.As(err, new(*client.RefusedError)) { // the first time has come through
			return nil
		}
		return err
	})
}
