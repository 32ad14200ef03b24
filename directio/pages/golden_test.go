package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestAddresses compares every address in every form.
func TestAddresses(t *testing.T) {
	c := furnished(t)
	for _, path := range []string{
		"/", "/nets/", "/nets/rpinet0/", "/nets/rpinet1/", "/nets/rpinet2/", "/nets/none/", "/rules/", "/slots/", "/sessions/",
		"/sessions/s1/", "/sessions/s9/", "/devices/", "/devices/rcc/", "/nowhere",
		"/nets/rpinet0/stats", "/nets/rpinet1/stats", "/nets/none/stats", "/types/", "/types/time/", "/types/Time/",
	} {
		inAllForms(t, c, path)
	}
	for _, path := range []string{"/nets/rpinet0/dio", "/healthz"} {
		checkGolden(t, "get_"+fileName(path), c.answer(request("GET", path, "")))
	}
}

// TestCatalogue compares what is told about primitives.
func TestCatalogue(t *testing.T) {
	c := described(t)
	for _, path := range []string{
		"/primitives/", "/primitives/Test::Clamp", "/primitives/test::clamp",
		"/modules/", "/modules/Test::Clamp/", "/modules/test::clamp/", "/modulesdetails/",
		"/extensions/", "/extensions/test/", "/extensions/Test/", "/extensions/..%2Ftest/",
	} {
		inAllForms(t, c, path)
	}
	checkGolden(t, "get_catalogue.json", c.answer(request("GET", "/catalogue.json", "")))
}

// TestDevices compares what is told about a device whose name must be escaped.
func TestDevices(t *testing.T) {
	c := newCell(t, Options{})
	if err := c.Devices.Create("left arm", testdevice.Type.Name, nil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/devices/left%20arm/", "/devices/Left%20arm/", "/devices/left%20arm/parameters", "/devices/left%20arm/channels",
		"/devices/left%20arm/canals", "/devices/left%20arm/channels?x=1", "/devices/none/channels", "/devices/rcc/parameters",
		"/devices/rcc/channels",
	} {
		inAllForms(t, c, path)
	}
	list := c.answer(request("GET", "/devices/", "", "Accept", browser))
	if !strings.Contains(list.text, `<a href="/devices/left%20arm/">left arm</a>`) {
		t.Errorf("the list does not lead to the device: %s", list.text)
	}
}

// TestDataTypes holds the list of data types to what primitives declare, and its examples to what can be read.
func TestDataTypes(t *testing.T) {
	c := newWholeCell(t)
	told := map[string]bool{}
	for _, d := range (&site{core: c.Core}).dataTypes() {
		told[d.Name] = true
	}
	for _, p := range c.Nets.Catalogue().All() {
		for _, port := range slices.Concat(p.In, p.Out) {
			if !told[string(port.Type)] {
				t.Errorf("%s: %s has a type that is not told: %s", p.Name, port.Name, port.Type)
			}
		}
		for _, param := range p.Params {
			if !told[string(param.Type)] {
				t.Errorf("%s: %s has a type that is not told: %s", p.Name, param.Name, param.Type)
			}
		}
	}
}

// TestExamplesOfTypes reads the example of each data type by a primitive that has such a parameter.
func TestExamplesOfTypes(t *testing.T) {
	c := newWholeCell(t)
	read := 0
	for _, d := range (&site{core: c.Core}).dataTypes() {
		for _, p := range c.Nets.Catalogue().All() {
			i := slices.IndexFunc(p.Params, func(param spec.Parameter) bool { return string(param.Type) == d.Name })
			if i < 0 {
				continue
			}
			if err := p.Params[i].Check(d.Example); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			read++
			break
		}
	}
	if read < 5 {
		t.Errorf("only %d examples have been read", read)
	}
}

// allForms are the headers Accept that ask for them.
var allForms = map[string]string{"xml": "*/*", "json": forJSON, "html": browser}

func inAllForms(t *testing.T, c *cell, path string) {
	t.Helper()
	for name, accept := range allForms {
		checkGolden(t, "get_"+fileName(path)+"."+name, c.answer(request("GET", path, "", "Accept", accept)))
	}
}

func fileName(path string) string {
	return strings.NewReplacer("/", "_", ":", "-", "?", "_", "=", "-", "&", "_", "%20", "-", "%2F", "-").Replace(strings.Trim(path, "/"))
}

// TestPosts compares the answers to everything that can be sent.
func TestPosts(t *testing.T) {
	const (
		urlencoded = "application/x-www-form-urlencoded"
		plain      = "text/plain; charset=utf-8"
	)
	tests := []struct {
		name, path, media, accept, body string
	}{
		{"load_text", "/nets/?desc=from+a+script&cycle=4ms&realtime=0", plain, forJSON, counting},
		{"load_text_xml", "/nets/", plain, "", counting},
		{"load_untyped", "/nets/", "", "", counting},
		{"load_rejected_json", "/nets/", plain, forJSON, hopeless},
		{"load_rejected_xml", "/nets/", plain, forXML, hopeless},
		{"load_rejected_html", "/nets/", plain, browser, hopeless},
		{"load_broken_json", "/nets/", plain, forJSON, broken},
		{"load_broken_xml", "/nets/", plain, "", broken},
		{"load_broken_form", "/nets/", urlencoded, "", "dionet=" + broken},
		{"load_broken_html", "/nets/", urlencoded, browser, "dionet=" + broken},
		{"load_form", "/nets/", urlencoded, "", "desc=a+b&dionet=" + counting},
		{"load_form_untyped", "/nets/", "", "", "desc=a b&dionet=" + counting},
		{"load_form_rejected", "/nets/", urlencoded, "", "dionet=" + hopeless},
		{"load_form_rejected_html", "/nets/", urlencoded, browser, "dionet=" + hopeless},
		{"load_form_empty", "/nets/", urlencoded, "", "desc=a"},
		{"load_form_xml_net", "/nets/", urlencoded, "", "rpinet=<rpinet/>"},
		{"load_text_called_form", "/nets/", urlencoded, "", counting},
		{"load_text_called_octets", "/nets/", "application/octet-stream", "", counting},
		{"load_image", "/nets/", "image/png", forJSON, "x"},
		{"load_odd_type", "/nets/", "text/plain; =", forJSON, "x"},
		{"load_bad_cycle", "/nets/?cycle=soon", plain, forJSON, counting},
		{"load_long_cycle", "/nets/?cycle=10h", plain, forJSON, counting},
		{"start_running", "/nets/rpinet0/start", "", forJSON, ""},
		{"start_none", "/nets/rpinet7/start", "", forJSON, ""},
		{"unknown_action", "/nets/rpinet0/", urlencoded, forJSON, "action=DANCE"},
		{"schedule_now", "/nets/rpinet2/", urlencoded, "", "action=SCHEDULE&takeovernet="},
		{"schedule_after", "/nets/rpinet2/", urlencoded, "", "action=SCHEDULE&takeovernet=rpinet0"},
		{"schedule_running", "/nets/rpinet0/", urlencoded, "", "action=SCHEDULE&takeovernet=rpinet2"},
		{"unknown_key", "/nets/rpinet0/", urlencoded, forJSON, "inSpeed=1"},
		{"bad_value", "/nets/rpinet0/", urlencoded, forJSON, "inStep=fast"},
		{"feed", "/nets/rpinet0/", urlencoded, forXML, "inStep=1.5"},
		{"feed_rejected", "/nets/rpinet1/", urlencoded, forJSON, "inStep=1.5"},
		{"feed_html", "/nets/rpinet0/", urlencoded, browser, "inStep=1.5"},
		{"abort_html", "/nets/rpinet0/", urlencoded, browser, "action=ABORT"},
		{"unload_html", "/nets/rpinet1/unload", "", browser, ""},
		{"extension", "/extensions/", urlencoded, "", "extension=rpicore"},
		{"extension_untyped", "/extensions/", "", "", "extension=rpicore"},
		{"extension_html", "/extensions/", urlencoded, browser, "extension=rpicore"},
		{"extension_unknown", "/extensions/", urlencoded, "", "extension=kuka_lwr"},
		{"extension_unknown_json", "/extensions/", urlencoded, forJSON, "extension=RPIcore"},
		{"extension_path", "/extensions/", urlencoded, forJSON, "extension=../rpicore"},
		{"extension_line", "/extensions/", urlencoded, forJSON, "extension=rpicore%0A"},
		{"extension_empty", "/extensions/", urlencoded, browser, "extension="},
		{"extension_missing", "/extensions/", urlencoded, forXML, "name=rpicore"},
		{"extension_image", "/extensions/", "image/png", forXML, "extension=rpicore"},
		{"not_for_post", "/slots/", "", forJSON, ""},
		{"device", "/devices/", urlencoded, forXML, "name=a b&type=test"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := furnished(t)
			r := request("POST", tt.path, tt.body, "Accept", tt.accept)
			if tt.media != "" {
				r.Header.Set("Content-Type", tt.media)
			}
			checkGolden(t, "post_"+tt.name, c.answer(r))
		})
	}
}
