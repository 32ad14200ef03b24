package pages

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages/legible"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/rcc"
)

type netsView struct {
	XMLName xml.Name         `xml:"nets" json:"-"`
	Nets    []facts.NetEntry `xml:"net" json:"nets"`
}

func (x *exchange) netsView() netsView {
	view := netsView{Nets: []facts.NetEntry{}}
	for _, n := range x.core.Nets.All() {
		view.Nets = append(view.Nets, facts.EntryOf(n))
	}
	return view
}

// Lines returns the lines of the text, for pages.
func (v netView) Lines() []legible.NetLine { return legible.NetLines(v.Text) }

func listNets(x *exchange) error { return x.show(http.StatusOK, "nets", x.netsView()) }

// netView is everything about a net.
type netView struct {
	XMLName     xml.Name      `xml:"net" json:"-"`
	Name        string        `xml:"name,attr" json:"name"`
	State       string        `xml:"status,attr" json:"state"`
	Description string        `xml:"desc,attr" json:"description"`
	URI         string        `xml:"-" json:"uri"`
	Session     string        `xml:"-" json:"session,omitempty"`
	Cycle       string        `xml:"-" json:"cycle"`
	Realtime    bool          `xml:"-" json:"realtime"`
	Primitives  int           `xml:"-" json:"primitives"`
	Recorded    int           `xml:"-" json:"recorded,omitempty"` // ports, for debugging
	Ended       *endView      `xml:"-" json:"ended,omitempty"`
	Data        keyValues     `xml:"data" json:"-"` // values and inputs together (§7.6.2)
	Values      keyValues     `xml:"-" json:"values"`
	Tick        *tickView     `xml:"tick" json:"tick,omitempty"` // of the values
	Inputs      keyValues     `xml:"-" json:"inputs"`
	Refusal     string        `xml:"refusal,attr,omitempty" json:"refusal,omitempty"` // what happens to the net then, unless it goes on
	Refused     []refusedView `xml:"refused" json:"refused,omitempty"`
	Errors      []errorView   `xml:"errorState" json:"problems,omitempty"`
	Warnings    []errorView   `xml:"warning" json:"warnings,omitempty"`
	Rules       []facts.Rule  `xml:"rule" json:"rules,omitempty"`
	Stats       *statsView    `xml:"-" json:"statistics,omitempty"`

	Text string `xml:"-" json:"-"` // for pages; programs ask for …/dio
}

// refusedView is an actuator of which a device has refused a set-point.
type refusedView struct {
	Device  string `xml:"device,attr" json:"device"`
	URI     string `xml:"uri,attr" json:"uri"` // of the device
	Channel string `xml:"channel,attr" json:"channel"`
	Cycle   uint64 `xml:"cycle,attr" json:"cycle"` // the first one
	Cycles  uint64 `xml:"cycles,attr" json:"cycles"`
	Time    int64  `xml:"time,attr" json:"time"` // of the first cycle, Unix, ns
	Reason  string `xml:",chardata" json:"reason"`
}

// errorView is a reason of a rejection as existing clients read it: major 1 is the configuration.
type errorView struct {
	Kind   string `xml:"kind,attr" json:"kind"` // the numbers in words
	Major  int    `xml:"major,attr" json:"-"`
	Minor  int    `xml:"minor,attr" json:"minor"`
	Block  string `xml:"block,attr" json:"block"`
	Port   string `xml:"port,attr,omitempty" json:"port,omitempty"`
	Line   int    `xml:"line,attr,omitempty" json:"line,omitempty"` // of the text that was sent
	Column int    `xml:"column,attr,omitempty" json:"column,omitempty"`
	Text   string `xml:",chardata" json:"text"`
}

// endView shows how a net has ended.
type endView struct {
	Cause  string `json:"cause"`
	Cycle  uint64 `json:"cycle"`
	Time   int64  `json:"time"`             // of the cycle, Unix, ns, as if no tick had been missed
	Reason string `json:"reason,omitempty"` // of an overload or overrun, with figures
}

// keyValue is an element with a key; in JSON keyValues are one object.
type keyValue struct {
	Key   string `xml:"key,attr"`
	Value string `xml:",chardata"`
}

type keyValues []keyValue

// MarshalJSON writes one object, in the order of the list.
func (list keyValues) MarshalJSON() ([]byte, error) {
	var o object
	for _, kv := range list {
		o = append(o, member{kv.Key, kv.Value})
	}
	return o.MarshalJSON()
}

func keyValuesOf(list []rcc.KeyValue) keyValues {
	var kvs keyValues
	for _, kv := range list {
		kvs = append(kvs, keyValue(kv))
	}
	return kvs
}

func (x *exchange) netView(n *rcc.Net) netView {
	view := netView{
		Name: n.Name(), State: n.State().String(), Description: n.Description(), URI: facts.NetURI(n.Name()),
		Session: n.Session(), Cycle: n.Period().String(), Realtime: n.Realtime(), Primitives: n.Primitives(), Recorded: n.Recorded(),
		Inputs: keyValuesOf(n.Inputs()), Stats: statsOf(n), Rules: x.rulesOf(n.Name()), Text: n.Text(),
	}
	view.Values, view.Tick = publishedAt(n)
	view.Data = slices.Concat(view.Values, view.Inputs)
	if e, ok := n.Ended(); ok {
		view.Ended = &endView{Cause: e.Cause.String(), Cycle: e.Cycle, Time: e.Time, Reason: n.Blame()}
		if n.EndedRefused() {
			view.Ended.Cause = "refused"
		}
	}
	if n.EndsRefused() {
		view.Refusal = rcc.RefusalEnd
	}
	for _, r := range n.Refusals() {
		view.Refused = append(view.Refused, refusedView{r.Device, facts.DeviceURI(r.Device), r.Channel, r.Cycle, r.Cycles, r.Time, r.Reason})
	}
	view.Errors, view.Warnings = errorsOf(n.Problems()), errorsOf(n.Warnings())
	return view
}

func errorsOf(problems []rcc.Problem) (list []errorView) {
	for _, r := range reasonsOf(problems) {
		list = append(list, errorView{Major: 1, Kind: r.Kind, Minor: r.Minor, Block: r.Block, Port: r.Port, Line: r.Line, Column: r.Column, Text: r.Text})
	}
	return list
}

// tickView is the cycle that has left values, and the time of its tick.
type tickView struct {
	Cycle uint64 `xml:"cycle,attr" json:"cycle"`
	Time  int64  `xml:"time,attr" json:"time"` // Unix, ns
}

// String returns the tick for people, as the script of the page writes it.
func (t *tickView) String() string {
	return fmt.Sprintf("cycle %d, %s", t.Cycle, facts.InstantText(t.Time))
}

// publishedAt returns what one cycle of a net has published, and when; nothing of a net that has had none.
func publishedAt(n *rcc.Net) (keyValues, *tickView) {
	v := n.Values()
	if v == nil {
		return nil, nil
	}
	if v.Cycle == 0 {
		return keyValuesOf(v.All()), nil
	}
	return keyValuesOf(v.All()), &tickView{v.Cycle, v.Time()}
}

// valuesView is what a net publishes, for those who ask again and again.
type valuesView struct {
	State  string    `json:"state"`
	Tick   *tickView `json:"tick"`
	Values keyValues `json:"values"`
}

// showValues answers in JSON, whatever is accepted.
func showValues(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	view := valuesView{State: n.State().String()} // before the values: those of a net that has ended are its last ones
	view.Values, view.Tick = publishedAt(n)
	body, err := facts.JSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// Startable and similar methods report which commands make sense.
func (v netView) Startable() bool {
	return v.State == rcc.Ready.String() || v.State == rcc.Scheduled.String()
}
func (v netView) Cancellable() bool { return v.State == rcc.Running.String() }
func (v netView) Abortable() bool   { return v.Cancellable() || v.State == rcc.Cancelling.String() }

func netExists(x *exchange) error {
	_, err := x.net()
	return err
}

func showNet(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, "net", x.netView(n))
}

// netText gives the net back in text form.
func netText(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeText, []byte(n.Text()+"\n"))
	return nil
}

// netXML gives the net back in XML, whatever it has come as.
func netXML(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	if n.Cut() {
		return refuse(codeState, "net "+n.Name(), "net is rejected, and only the beginning of its text is kept: %sdio", facts.NetURI(n.Name()))
	}
	var document []byte
	err = n.WithTree(func(root *grammar.Node) (err error) {
		document, err = xmlnet.Append(nil, root)
		return err
	})
	if refused := (*rcc.Error)(nil); errors.As(err, &refused) {
		return err
	}
	if err != nil {
		p := refuse(codeNoThing, "net "+n.Name(), "net has no form in XML: %v", err)
		p.Remedy = "ask for its text form, " + facts.NetURI(n.Name()) + "dio"
		return p
	}
	x.write(http.StatusOK, typeXML, document)
	return nil
}

// commands are the actions of a net.
var commands = map[string]func(*rcc.Net, context.Context) error{
	"START": (*rcc.Net).Start, "CANCEL": (*rcc.Net).Cancel, "ABORT": (*rcc.Net).Abort, "UNLOAD": (*rcc.Net).Unload,
}

func commandNet(action string) handler {
	return func(x *exchange) error { return x.command(action) }
}

// postNet takes a command, or values for the inputs of the net, which all arrive in one cycle or none does.
func postNet(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	f, err := x.fields()
	if err != nil {
		return err
	}
	if action, ok := f.get("action"); ok && !n.HasInput("action") {
		if action == "SCHEDULE" {
			return x.schedule(n, f.or("takeovernet", ""))
		}
		return x.command(action)
	}
	if err := n.Set(f); err != nil {
		return err
	}
	return x.showChanged(n)
}

// carryOut carries out a command also when its sender has gone, or has closed its direction of the connection: an abort must not
// get lost with a connection.
func (x *exchange) carryOut(command func(context.Context) error) error {
	ctx, forget := x.core.Alive(context.WithoutCancel(x.r.Context()))
	defer forget()
	return command(ctx)
}

func (x *exchange) command(action string) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	command, ok := commands[action]
	if !ok {
		return refuse(codeAction, "field action", "unknown action %q", short(action))
	}
	if err := x.carryOut(func(ctx context.Context) error { return command(n, ctx) }); err != nil {
		return err
	}
	return x.showChanged(n)
}

// schedule is what the older generation of clients has instead of rules: the net starts when another one has ended, or
// now when there is none of that name.
func (x *exchange) schedule(n *rcc.Net, after string) error {
	var err error
	if _, unknown := x.core.Nets.Get(after); unknown != nil {
		err = x.carryOut(n.Start)
	} else {
		err = x.core.Rules.Follow(context.WithoutCancel(x.r.Context()), n.Name(), after) // as for other rules
	}
	if err != nil {
		return err
	}
	return x.showChanged(n)
}

// scheduleNet takes the net to be followed from the field after, or takeovernet as older clients call it.
func scheduleNet(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	f, err := x.fields()
	if err != nil {
		return err
	}
	f = append(f, x.query()...)
	after := f.or("after", f.or("takeovernet", ""))
	if after != "" {
		if _, err := x.core.Nets.Get(after); err != nil {
			return err
		}
	}
	return x.schedule(n, after)
}

// showChanged sends people back to the page, so that a reload does not repeat the command; programs get the net.
func (x *exchange) showChanged(n *rcc.Net) error {
	if x.form() != asHTML {
		return x.show(http.StatusOK, "net", x.netView(n))
	}
	to := facts.NetURI(n.Name())
	if netExists(x) != nil {
		to = "/nets/"
	}
	x.redirect(http.StatusSeeOther, to)
	return nil
}
