package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"

	"github.com/softrobot-rcc/rccd/web"
)

// asset is a file of the browser client, or of an extension.
type asset struct {
	media, tag string
	body       []byte
}

// assetTypes are the media types of what is embedded, so that none depends on the tables of the machine.
var assetTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// loadAssets reads what is embedded. Only names that are in the map exist: there is no listing and no path to leave.
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

// favicon is where browsers look for an icon when they show what is no page, such as a net as plain text.
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
