package pages

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

func logOf(lines ...facts.LogLine) func() []facts.LogLine {
	for i := range lines {
		lines[i].Number = uint64(i) + 41
		lines[i].Time = time.Date(2020, 1, 1, 0, 0, i, 5e6, time.UTC)
	}
	return func() []facts.LogLine { return lines }
}

func TestLog(t *testing.T) {
	c := newCell(t, Options{Log: logOf(
		facts.LogLine{Level: "INFO", Message: "ready", Fields: `{"url":"http://127.0.0.1:8080"}`},
		facts.LogLine{Level: "WARN", Message: `<script>alert(1)</script>`, Fields: `{"net":"</code><b>"}`},
		facts.LogLine{Level: "ERROR", Message: "stopped"},
	)})
	for name, path := range map[string]string{
		"all": "/log/", "from": "/log/?start=42", "last": "/log/?start=-1", "filter": "/log/?filter=READY",
		"fields": "/log/?filter=127.0.0.1", "none": "/log/?filter=nowhere", "late": "/log/?start=1000", "far": "/log/?start=-9223372036854775808",
		"wrong": "/log/?start=first", "both": "/log/?start=41&filter=script", "without_slash": "/log?start=42",
	} {
		checkExactly(t, "log_"+name, c.answer(request("GET", path, "")))
	}
	inAllForms(t, c, "/log/")
	filtered := c.answer(request("GET", "/log/?filter=%22%3E%3Cscript%3E&start=%3Cb%3E", "", "Accept", browser))
	if strings.Contains(filtered.text, "<script>") || strings.Contains(filtered.text, "<b>") {
		t.Errorf("the filter becomes part of the page: %s", filtered.text)
	}
	if next := c.answer(request("GET", "/log/", "")).Header.Get("X-Log-Next"); next != "44" {
		t.Errorf("next %q", next)
	}
	checkGolden(t, "log_nothing", newCell(t, Options{}).answer(request("GET", "/log/", "", "Accept", browser)))
}
