package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages/legible"
	"github.com/softrobot-rcc/rccd/web"
)

//go:embed templates/*.html
var templateFiles embed.FS

// templates are the pages by name, each with the layout around it.
type templates map[string]*template.Template

// parseTemplates makes the pages of an instance. It panics when one is broken: they are part of the program.
func parseTemplates(instance string) templates {
	functions := template.FuncMap{
		"class": stateClass, "count": facts.Grouped, "sensible": legible.Sensible, "span": legible.Span, "measure": legible.Measure,
		"instance": func() string { return instance }, "command": commandTo(instance),
	}
	layout := template.Must(template.New("layout.html").Funcs(functions).
		ParseFS(templateFiles, "templates/layout.html"))
	pages := templates{}
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".html"); ok && name != "layout" {
			pages[name] = template.Must(template.Must(layout.Clone()).ParseFS(templateFiles, "templates/"+e.Name()))
		}
	}
	return pages
}

// frame is what the layout shows around a view.
type frame struct {
	Page, Version string
	Realtime      State
	Open          []string
	View          any
}

// html renders a page as a whole, so that an error in it can still be answered.
func (x *exchange) html(page string, view any) ([]byte, error) {
	t, ok := x.pages[page]
	if !ok {
		return nil, fmt.Errorf("page %q: no such template", page)
	}
	var b bytes.Buffer
	err := t.Execute(&b, frame{Page: page, Version: x.opt.Version, Realtime: x.opt.Realtime(), Open: x.open(), View: view})
	return b.Bytes(), err
}

// open returns the addresses at which others reach the daemon.
func (x *exchange) open() []string {
	if x.opt.Open == nil {
		return nil
	}
	return x.opt.Open()
}

// asset is a file of the browser client, or of an extension.
type asset struct {
	media, tag string
	body       []byte
}

// assetTypes are the media types of what is embedded, so that none depends on the tables of the machine.
var assetTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// loadAssets reads the embedded files. Only the names in the map exist: nothing is listed, and no path leads out.
func loadAssets() map[string]asset {
	assets := map[string]asset{}
	entries, err := fs.ReadDir(web.Files, ".")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		body, err := fs.ReadFile(web.Files, e.Name())
		if err != nil {
			panic(err)
		}
		assets[e.Name()] = assetOf(assetTypes[path.Ext(e.Name())], body)
	}
	return assets
}

func assetOf(media string, body []byte) asset {
	sum := sha256.Sum256(body)
	return asset{media: media, tag: `"` + hex.EncodeToString(sum[:8]) + `"`, body: body}
}

func showAsset(x *exchange) error {
	a, ok := x.assets[x.value("file")]
	if !ok {
		return refuse(codeNotFound, x.r.URL.Path, "no such file")
	}
	x.send(a)
	return nil
}

// favicon is the address of the icon that browsers show for anything that is not a page, such as a net as plain text.
const favicon = "/favicon.ico"

func showIcon(x *exchange) error {
	x.send(x.assets["icon.svg"])
	return nil
}

// send answers with a file.
func (x *exchange) send(a asset) {
	h := x.w.Header()
	h.Set("ETag", a.tag)
	h.Set("Cache-Control", "no-cache") // asked again each time, but sent only when another version has changed it
	if x.r.Header.Get("If-None-Match") == a.tag {
		x.w.WriteHeader(http.StatusNotModified)
		return
	}
	x.write(http.StatusOK, a.media, a.body)
}
