package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

const typeTable = "text/tab-separated-values; charset=utf-8"

// debugView is the debugging log of a net (§7.7.1).
type debugView struct {
	Name      string          `json:"name"`
	URI       string          `json:"uri"`
	State     string          `json:"state"`
	Cycle     string          `json:"cycle"`
	Bytes     uint64          `json:"bytes"`
	Shortened bool            `json:"shortened"` // memory was short
	Ports     []debugPort     `json:"ports"`
	Rows      json.RawMessage `json:"rows"` // {"time":s,"cycle":n,"values":["text",null]}

	Newest uint64   `json:"-"` // for pages, with its values
	Values []string `json:"-"`
}

// debugPort is a recorded port with how many seconds it is to be kept, and is.
type debugPort struct {
	Name  string  `json:"name"`
	Type  string  `json:"type,omitempty"` // none for a port that is connected to nothing
	Asked float64 `json:"asked"`
	Kept  float64 `json:"kept"`
}

// debugTables is how many tables are made and sent at the same time: one may have many megabytes.
const debugTables = 4

// inTurn does something for which there is room for a few only. Clients that have gone in the meantime are not served.
func (x *exchange) inTurn(do func() error) error {
	select {
	case x.tables <- struct{}{}:
		defer func() { <-x.tables }()
		return do()
	case <-x.r.Context().Done():
		return x.r.Context().Err()
	}
}

// debugAfter returns the net of the path and the cycle behind which the log is wanted, 0 for all of it.
func (x *exchange) debugAfter() (n *rcc.Net, after uint64, err error) {
	if n, err = x.net(); err != nil {
		return nil, 0, err
	}
	if text, given := x.query().get("after"); given {
		if after, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, 0, refuse(codeValue, "field after", "%q is not the number of a cycle", short(text))
		}
	}
	return n, after, nil
}

// showDebug answers with the table, for people with a page. Existing clients ask for the table without saying so.
func showDebug(x *exchange) error {
	if x.form() == asXML {
		x.w.Header().Set("Vary", "Accept")
		return x.debugTable(typeText)
	}
	n, after, err := x.debugAfter()
	if err != nil {
		return err
	}
	return x.inTurn(func() error {
		view, err := x.debugView(n, after)
		if err != nil {
			return err
		}
		return x.show(http.StatusOK, "debug", view)
	})
}

// debugTable answers with the table as a file.
func debugTable(x *exchange) error { return x.debugTable(typeTable) }

func (x *exchange) debugTable(media string) error {
	n, after, err := x.debugAfter()
	if err != nil {
		return err
	}
	return x.inTurn(func() error {
		log, err := n.Debug(after)
		if err != nil {
			return err
		}
		x.write(http.StatusOK, media, log.AppendTable(log.AppendHeader(nil)))
		return nil
	})
}

func (x *exchange) debugView(n *rcc.Net, after uint64) (view debugView, err error) {
	view = debugView{Name: n.Name(), URI: facts.NetURI(n.Name()), State: n.State().String(), Cycle: n.Period().String(), Ports: []debugPort{}}
	if x.form() == asHTML {
		after = max(after, 1, n.Debugged()) - 1 // the newest cycle is enough for those without scripts
	}
	log, err := n.Debug(after) // behind the state: of a net that has ended it is complete
	if err != nil {
		return view, err
	}
	view.Bytes, view.Shortened = uint64(log.Bytes), log.Shortened()
	for _, p := range log.Ports {
		view.Ports = append(view.Ports, debugPort{p.Name, p.Type, p.Asked.Seconds(), p.Kept.Seconds()})
	}
	view.Values = make([]string, len(log.Ports))
	if x.form() == asJSON {
		view.Rows = debugRows(log)
		return view, nil
	}
	for row := range log.Rows() {
		view.Newest, view.Values = row.Cycle, slices.Clone(row.Values)
	}
	return view, nil
}

// debugRows writes the rows as a list. The text of a value has no character that JSON would mind.
func debugRows(log *rcc.DebugLog) json.RawMessage {
	b := []byte{'['}
	for row := range log.Rows() {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(append(b, `{"time":`...), row.Time, 'f', -1, 64)
		b = strconv.AppendUint(append(b, `,"cycle":`...), row.Cycle, 10)
		b = append(b, `,"values":[`...)
		for i, text := range row.Values {
			if i > 0 {
				b = append(b, ',')
			}
			if row.Given[i] {
				b = strconv.AppendQuote(b, text)
			} else {
				b = append(b, "null"...)
			}
		}
		b = append(b, `]}`...)
	}
	return append(b, ']')
}

// lookAtDebug is how often a stream looks for new cycles.
const lookAtDebug = 50 * time.Millisecond

// streamDebug answers with the table and goes on with every cycle that comes, until the net does not run any more or nobody
// reads. A reader that is too slow misses cycles, as their numbers show.
func streamDebug(x *exchange) error {
	n, after, err := x.debugAfter()
	if err != nil {
		return err
	}
	x.w.Header().Set("Content-Type", typeText)
	x.w.WriteHeader(http.StatusOK)
	if x.r.Method == http.MethodHead {
		return nil
	}
	ticker := time.NewTicker(lookAtDebug)
	defer ticker.Stop()
	for header := true; ; header = false {
		active := n.State().Active() // asked before: what comes after the end is nothing
		if x.inTurn(func() error { return x.sendDebug(n, &after, header) }) != nil || !active {
			return nil
		}
		select {
		case <-ticker.C:
		case <-x.r.Context().Done():
			return nil
		}
	}
}

func (x *exchange) sendDebug(n *rcc.Net, after *uint64, header bool) error {
	log, err := n.Debug(*after)
	if errors.Is(err, rcc.ErrBusy) {
		return nil // these cycles are missed; the next look may come in time
	}
	if err != nil {
		return err
	}
	var text []byte
	if header {
		text = log.AppendHeader(text)
	}
	if first, last := log.Cycles(); first <= last {
		text, *after = log.AppendTable(text), last
	}
	if len(text) == 0 {
		return nil
	}
	send := http.NewResponseController(x.w)
	_ = send.SetWriteDeadline(time.Now().Add(answerTime)) // not every writer has one
	if _, err := x.w.Write(text); err != nil {
		return err
	}
	return send.Flush()
}
