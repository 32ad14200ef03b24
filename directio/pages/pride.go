package pages

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/web"
)

// The application in web/pride: one page, whose views have addresses after the #, and files whose names change with their
// contents.
const (
	prideFiles = "pride/dist/app/"
	noPride    = "pride/dist/missing.html"
)

// pride is the application as it is embedded.
type pride struct {
	page  asset
	files map[string]builtFile
}

// builtFile is a file of the application. It is compressed on request.
type builtFile struct {
	media  string
	body   []byte
	packed func() []byte
}

// loadPride reads what is embedded; without it there is only the page that says so.
func loadPride() pride {
	page, err := fs.ReadFile(web.Pride, prideFiles+"index.html")
	if err != nil {
		if page, err = fs.ReadFile(web.Pride, noPride); err != nil {
			panic(err)
		}
	}
	p := pride{page: assetOf("text/html; charset=utf-8", page), files: map[string]builtFile{}}
	entries, err := fs.ReadDir(web.Pride, prideFiles+"assets")
	if err != nil {
		return p
	}
	for _, e := range entries {
		body, err := fs.ReadFile(web.Pride, prideFiles+"assets/"+e.Name())
		if err != nil {
			panic(err)
		}
		p.files[e.Name()] = builtFile{assetTypes[path.Ext(e.Name())], body, sync.OnceValue(func() []byte { return packed(body) })}
	}
	return p
}

func packed(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func showPride(x *exchange) error {
	x.send(x.pride.page)
	return nil
}

// showPrideAsset answers with a file that never changes: another version of it has another name.
func showPrideAsset(x *exchange) error {
	a, ok := x.pride.files[x.value("file")]
	if !ok {
		return refuse(codeNotFound, x.r.URL.Path, "no such file")
	}
	h := x.w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := a.body
	if acceptsGzip(x.r) {
		h.Set("Content-Encoding", "gzip")
		body = a.packed()
	}
	x.write(http.StatusOK, a.media, body)
	return nil
}

// acceptsGzip reports whether a client takes compressed files. Browsers say so without weights.
func acceptsGzip(r *http.Request) bool {
	for name := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(name) == "gzip" {
			return true
		}
	}
	return false
}

// Pride returns the address of the application's view of the same thing, or of its first view.
func (f frame) Pride() string {
	const app = "/pride/"
	switch v := f.View.(type) {
	case netsView:
		return app + "#/nets"
	case netView:
		return app + "#/nets/" + url.PathEscape(v.Name)
	case netStats:
		return app + "#/nets/" + url.PathEscape(v.Name) + "/facts"
	case devicesView:
		return app + "#/devices"
	case deviceDetails:
		return app + "#/devices/" + url.PathEscape(v.Name)
	case rulesView:
		return app + "#/rules"
	case facts.RecordedRule:
		return app + "#/rules/" + strconv.Itoa(v.ID)
	case sessionsView:
		return app + "#/sessions"
	case sessionsOrOne:
		return app + "#/sessions/" + url.PathEscape(v.Name)
	case realtimeView:
		return app + "#/realtime"
	case logView:
		return app + "#/log"
	}
	return app
}
