package pages

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// album is a device with a file that is a text and one that is none.
type album struct{ device.Device }

func (album) Status() device.Status          { return device.Status{State: device.Operational} }
func (album) Interfaces() []device.Interface { return nil }
func (album) Close() error                   { return nil }

const picture = "\x00\xff\r\n<"

var albumType = device.Declare(device.Kind{Name: "album", Extension: "albums", Doc: "an album", Pages: []device.Page{
	device.FilesPage("files", "pictures and their titles", func(album) ([]device.File, error) {
		return []device.File{
			{Name: "title.txt", Doc: "what it shows", Text: "a <cat>"},
			{Name: "cat 1.png", Doc: "a cat", Data: device.Data(picture)},
		}, nil
	}),
}}, func(*device.Env, *device.Nothing) (device.Device, error) { return album{}, nil })

// TestDeviceFiles: files of devices are got as they are; in XML and JSON what is no text is in base64.
func TestDeviceFiles(t *testing.T) {
	c := newCell(t, Options{}, func(cfg *rcc.Config) { cfg.DeviceTypes = []device.Type{albumType} })
	if err := c.Devices.Create("cats", "album", nil); err != nil {
		t.Fatal(err)
	}
	get := func(path string, header ...string) response {
		t.Helper()
		return c.answer(request(http.MethodGet, "/devices/cats/"+path, "", header...))
	}
	for path, want := range map[string]struct{ media, disposition, body string }{
		"files/title.txt":   {typeText, `attachment; filename=title.txt`, "a <cat>"},
		"files/cat%201.png": {"application/octet-stream", `attachment; filename="cat 1.png"`, picture},
	} {
		a := get(path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != want.media || a.Header.Get("Content-Disposition") != want.disposition || a.text != want.body {
			t.Errorf("%s: %+v", path, a)
		}
	}
	for _, path := range []string{"files/dog.png", "parameters/title.txt", "films/title.txt"} {
		if a := get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %+v", path, a)
		}
	}
	var asJSON struct {
		Files []struct {
			Name, Text string
			Data       []byte
		}
	}
	if err := json.Unmarshal([]byte(get("files", "Accept", forJSON).text), &asJSON); err != nil || len(asJSON.Files) != 2 ||
		asJSON.Files[0].Text != "a <cat>" || asJSON.Files[0].Data != nil || string(asJSON.Files[1].Data) != picture {
		t.Errorf("%v %+v", err, asJSON)
	}
	var asXML struct {
		File []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
			Data string `xml:"data"`
		} `xml:"file"`
	}
	if err := xml.Unmarshal([]byte(get("files").text), &asXML); err != nil || len(asXML.File) != 2 || asXML.File[0].Text != "a <cat>" ||
		asXML.File[1].Data != "AP8NCjw=" {
		t.Errorf("%v %+v", err, asXML)
	}
	page := get("files", "Accept", browser).text
	for _, want := range []string{`<a href="/devices/cats/files/cat%201.png" download>cat 1.png</a>`, `<td class="value">5</td>`, `<pre>a &lt;cat&gt;</pre>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in %s", want, page)
		}
	}
}
