package doctor

import (
	"testing"

	"pgregory.net/rapid"
)

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "0": "0", "3,2": "2-3", "0-3,8,10-11": "0-3,8,10-11", "1,1,0-1": "0-1", "8191": "8191",
	} {
		if got, err := ParseCPUs(text); err != nil || got.String() != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{",", "a", "-1", "1-", "3-2", "0-8192", "99999999999999999999", "1, 2", "0x1"} {
		if got, err := ParseCPUs(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	var flag CPUs
	if err := flag.Set(""); err == nil {
		t.Error("a flag without any CPU is taken")
	}
}

// TestCPUsRoundTrip: lists and masks say the same.
func TestCPUsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfDistinct(rapid.IntRange(0, 300), rapid.ID[int]).Draw(t, "numbers")
		list := CPUs{}
		for n := range 301 {
			for _, m := range numbers {
				if m == n {
					list = append(list, n)
				}
			}
		}
		again, err := ParseCPUs(list.String())
		if err != nil || again.String() != list.String() || len(again) != len(list) {
			t.Fatalf("%v is read as %v, %v", list, again, err)
		}
		masked, err := parseMask(list.mask())
		if err != nil || masked.String() != list.String() {
			t.Fatalf("mask %s of %v is read as %v, %v", list.mask(), list, masked, err)
		}
	})
}

// FuzzParseCPUs: files of a kernel to come may hold anything.
func FuzzParseCPUs(f *testing.F) {
	f.Add("0-3,8")
	f.Add("ffffffff,0000000f")
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := ParseCPUs(text); err == nil && len(list) > mostCPUs {
			t.Errorf("%d CPUs", len(list))
		}
		_, _ = parseMask(text)
	})
}
