package krcfiles_test

import (
	"encoding/xml"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/krcfiles"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
)

var update = flag.Bool("update", false, "write the files that are compared with")

func arm() krcfiles.Robot {
	r := krcfiles.Robot{
		Name: "arm", Names: channels.Usual(), Listen: netip.MustParseAddrPort("192.168.10.1:49152"), Cycle: 4 * time.Millisecond, Timeout: 100,
	}
	for i, limits := range [][2]float64{{-185, 185}, {-155, 35}, {-130, 154}, {-350, 350}, {-130, 130}, {-350, 350}} {
		r.Axes = append(r.Axes, krcfiles.Axis{Number: i + 1, Min: limits[0], Max: limits[1]})
	}
	return r
}

// other returns a controller that everything is different at.
func other() krcfiles.Robot {
	r := arm()
	r.Name, r.Listen, r.Cycle, r.Relative, r.Timeout = "Right Hand 2", netip.MustParseAddrPort("0.0.0.0:6000"), 12*time.Millisecond, true, 50
	r.Axes = append(r.Axes, krcfiles.Axis{Number: 7, Min: -2000, Max: 1500.5}, krcfiles.Axis{Number: 9, Min: -180, Max: 180})
	r.Names = channels.Names{
		SenType: "A&B", Actual: "AIPos", ActualExt: "EIPos", Correction: "AKorr", CorrectionExt: "EKorr", Stop: "stop", Message: "Text",
		DigitalIn: "In:BOOL", AnalogOut: "Speed.v Speed.w", Late: "Delay.D",
	}
	return r
}

// TestGolden compares with the files of testdata. They are looked at by people before they change: go test -update.
func TestGolden(t *testing.T) {
	for folder, r := range map[string]krcfiles.Robot{"arm": arm(), "other": other()} {
		list, err := krcfiles.Files(r)
		if err != nil || len(list) != 5 {
			t.Fatal(len(list), err)
		}
		for _, f := range list {
			path := filepath.Join("testdata", folder, f.Name)
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(f.Text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), f.Text); diff != "" || f.Doc == "" {
				t.Errorf("%s: %s", path, diff)
			}
		}
	}
}

// TestBothSides: what the configuration of the controller names is what the driver reads and writes.
func TestBothSides(t *testing.T) {
	type element struct {
		Tag   string `xml:"TAG,attr"`
		Type  string `xml:"TYPE,attr"`
		Index string `xml:"INDX,attr"`
		Hold  string `xml:"HOLDON,attr"`
	}
	var root struct {
		Config struct {
			Address string `xml:"IP_NUMBER"`
			Type    string `xml:"SENTYPE"`
		} `xml:"CONFIG"`
		Send    []element `xml:"SEND>ELEMENTS>ELEMENT"`
		Receive []element `xml:"RECEIVE>ELEMENTS>ELEMENT"`
	}
	r := other()
	list, err := krcfiles.Files(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(list[0].Text), &root); err != nil {
		t.Fatal(err)
	}
	if root.Config.Type != "A&B" {
		t.Errorf("%+v", root.Config)
	}
	layout, err := r.Names.Layout()
	if err != nil {
		t.Fatal(err)
	}
	there := func(list []element, f telegram.Field) bool {
		for _, e := range list {
			element, _ := strings.CutPrefix(e.Tag, "DEF_")
			if e.Tag == f.Name() && e.Type == f.Kind.String() || e.Index == "INTERNAL" && element == f.Element {
				return true
			}
		}
		return false
	}
	for _, f := range layout.Rob {
		if !there(root.Send, f) {
			t.Errorf("%s is not sent: %+v", f.Name(), root.Send)
		}
	}
	for _, f := range layout.Sen {
		if !there(root.Receive, f) {
			t.Errorf("%s is not received: %+v", f.Name(), root.Receive)
		}
	}
	for _, e := range root.Receive {
		if strings.HasPrefix(e.Tag, "AKorr") && e.Hold != "0" {
			t.Errorf("%+v: what is added in every cycle must not be held", e)
		}
	}
}

func TestImpossible(t *testing.T) {
	r := arm()
	r.Cycle = 5 * time.Millisecond
	if _, err := krcfiles.Files(r); err == nil || !strings.Contains(err.Error(), "4ms or 12ms") {
		t.Error(err)
	}
	r = arm()
	r.Names.AnalogIn = "A.b1" + manyNames()
	if _, err := krcfiles.Files(r); err == nil || !strings.Contains(err.Error(), "an ETHERNET object has 64") {
		t.Error(err)
	}
	r = arm()
	r.Names.Actual = ""
	if _, err := krcfiles.Files(r); err == nil {
		t.Error("no positions")
	}
}

func manyNames() string {
	var b strings.Builder
	for i := range 65 {
		b.WriteString(" A.c" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
	}
	return b.String()
}
