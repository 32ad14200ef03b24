package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed templates/*.html
var templateFiles embed.FS

// templates are the pages by name, each with the layout around it.
type templates map[string]*template.Template

// parseTemplates makes the pages of an instance. It panics when one is broken: they are part of the program.
func parseTemplates(instance string) templates {
	functions := template.FuncMap{
		"class": stateClass, "count": grouped, "sensible": sensible, "span": span,
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

// open are the addresses at which others reach the daemon.
func (x *exchange) open() []string {
	if x.opt.Open == nil {
		return nil
	}
	return x.opt.Open()
}
