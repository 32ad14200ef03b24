package pages

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

// logView are lines of the log.
type logView struct {
	Next  uint64           `json:"next"` // number to go on with
	Lines []facts.LogEntry `json:"lines"`

	Filter string `json:"-"`
	Start  string `json:"-"`
}

// showLog answers with the newest lines of the log as text, for people with a page. The field start is the number of the
// first line that is wanted, or, negative, how many of the newest; filter is a text that all lines have in common.
func showLog(x *exchange) error {
	f := x.query()
	view := logView{Filter: f.or("filter", ""), Start: f.or("start", ""), Lines: []facts.LogEntry{}}
	lines, next, err := x.logLines(view.Start, view.Filter)
	if err != nil {
		return err
	}
	view.Next = next
	if form := x.form(); form == asXML {
		return x.logText(lines, next)
	}
	for _, l := range lines {
		view.Lines = append(view.Lines, facts.LogEntryOf(l))
	}
	return x.show(http.StatusOK, "log", view)
}

func (x *exchange) logText(lines []facts.LogLine, next uint64) error {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	x.w.Header().Set("Vary", "Accept")
	x.w.Header().Set("X-Log-Next", strconv.FormatUint(next, 10))
	x.write(http.StatusOK, typeText, []byte(b.String()))
	return nil
}

func (x *exchange) logLines(start, filter string) (lines []facts.LogLine, next uint64, err error) {
	var all []facts.LogLine
	if x.opt.Log != nil {
		all = x.opt.Log()
	}
	if len(all) > 0 {
		next = all[len(all)-1].Number + 1
	}
	first := int64(0)
	if start = strings.TrimSpace(start); start != "" {
		if first, err = strconv.ParseInt(start, 10, 64); err != nil {
			return nil, 0, refuse(codeValue, "field start", "%q is not the number of a line", short(start))
		}
	}
	filter = strings.ToLower(filter)
	for _, l := range all {
		if (first < 0 || l.Number >= uint64(first)) && strings.Contains(strings.ToLower(l.String()), filter) {
			lines = append(lines, l)
		}
	}
	if first < 0 {
		lines = lines[max(0, int64(len(lines))+first):]
	}
	return lines, next, nil
}
