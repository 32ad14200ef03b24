package pages

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestFinding looks for primitives as a browser without scripts does.
func TestFinding(t *testing.T) {
	c := newWholeCell(t)
	for _, tt := range []struct {
		query     string
		has, lack string
	}{
		{"", "Core::DoubleAdd", ""},
		{"q=doubleadd", "Core::DoubleAdd", "Core::IntAdd"},
		{"q=ADDS+two", "Core::DoubleAdd", "Core::DoublePre"},
		{"q=inCondition+outValue", "Core::DoubleConditional", "Core::DoubleAdd"},
		{"q=MaxAge", "Core::DoubleAtTime", "Core::DoubleAdd"},
		{"family=Core::Int", "Core::IntAdd", "Core::DoubleAdd"},
		{"family=Core::Int&q=add", "Core::IntAdd", "Core::IntPre"},
		{"family=Core::DoubleArray", "Core::DoubleArrayGet", "Core::DoubleAdd"},
		{"q=there+is+no+such+thing", "", "Core::DoubleAdd"},
		{"family=none", "", "Core::DoubleAdd"},
	} {
		var view struct {
			Primitives []struct{ Name, Family string }
		}
		a := c.answer(request("GET", "/primitives/?"+tt.query, "", "Accept", forJSON))
		if err := json.Unmarshal([]byte(a.text), &view); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range view.Primitives {
			names = append(names, p.Name)
		}
		if tt.has != "" && !slices.Contains(names, tt.has) || tt.has == "" && len(names) > 0 || slices.Contains(names, tt.lack) {
			t.Errorf("%q finds %v", tt.query, names)
		}
	}
	page := c.answer(request("GET", "/primitives/?q=%22%3E%3Cscript%3E&family=%3Cb%3E", "", "Accept", browser))
	if strings.Contains(page.text, `"><script>`) || strings.Contains(page.text, "<b>") {
		t.Error("what is looked for becomes part of the page")
	}
}

func TestFamilies(t *testing.T) {
	for name, want := range map[string]string{
		"Core::DoubleAdd": "Core::Double", "Core::DoubleArrayGet": "Core::DoubleArray", "Core::Clock": "Core", "Cancel": "Core",
		"World::FrameArrayGet": "World::FrameArray", "World::VectorDot": "World::Vector", "Ctrl::PID": "Ctrl", "Core::Interval": "Core",
	} {
		if got := family(name); got != want {
			t.Errorf("%s belongs to %s, not %s", name, got, want)
		}
	}
}
