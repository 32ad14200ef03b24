package pages

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// LogLine is a line of the daemon's log. Its texts have no control characters: what stands in a name cannot begin a line.
type LogLine struct {
	Number  uint64 // counts all lines, also those that are not kept any more
	Time    time.Time
	Level   string
	Message string
	Fields  string // JSON, empty without any
}

// String returns the line as text.
func (l LogLine) String() string {
	text := l.Time.UTC().Format("2006-01-02T15:04:05.000Z") + " " + l.Level + " " + l.Message
	if l.Fields != "" {
		text += " " + l.Fields
	}
	return text
}

// logView are lines of the log.
type logView struct {
	Next  uint64     `json:"next"` // number to go on with
	Lines []logEntry `json:"lines"`

	Filter string `json:"-"`
	Start  string `json:"-"`
}

type logEntry struct {
	Number  uint64 `json:"number"`
	Time    string `json:"time"`
	Level   string `json:"level"`
	Message string `json:"message"`
	Fields  string `json:"fields,omitempty"`
}

// Class returns the style of a line's level.
func (l logEntry) Class() string {
	switch l.Level {
	case "ERROR", "FATAL", "PANIC", "DPANIC":
		return "bad"
	case "WARN":
		return "busy"
	}
	return "calm"
}

// showLog answers with the newest lines of the log as text, for people with a page. The field start is the number of the
// first line that is wanted, or, negative, how many of the newest; filter is a text that all lines have in common.
func showLog(x *exchange) error {
	f := x.query()
	view := logView{Filter: f.or("filter", ""), Start: f.or("start", ""), Lines: []logEntry{}}
	lines, next, err := x.logLines(view.Start, view.Filter)
	if err != nil {
		return err
	}
	view.Next = next
	if form := x.form(); form == asXML {
		return x.logText(lines, next)
	}
	for _, l := range lines {
		view.Lines = append(view.Lines, logEntry{l.Number, l.Time.UTC().Format("2006-01-02T15:04:05.000Z"), l.Level, l.Message, l.Fields})
	}
	return x.show(http.StatusOK, "log", view)
}

func (x *exchange) logText(lines []LogLine, next uint64) error {
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

func (x *exchange) logLines(start, filter string) (lines []LogLine, next uint64, err error) {
	var all []LogLine
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
