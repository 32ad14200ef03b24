package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	c := furnished(t)
	tests := []struct {
		method, path, location string
		status                 int
	}{
		{"GET", "//nets/", "", 200},
		{"GET", "//nets//rpinet0///dio", "", 200},
		{"POST", "//nets/rpinet2//start", "", 200},
		{"GET", "/nets", "/nets/", 307},
		{"GET", "/nets?a=b", "/nets/?a=b", 307},
		{"POST", "/nets", "/nets/", 307},
		{"GET", "/nets/rpinet0", "/nets/rpinet0/", 307},
		{"GET", "/nets/rpinet9", "", 404},
		{"GET", "/nets/rpinet0/dio/", "", 404},
		{"GET", "/sessions/s1", "/sessions/s1/", 307},
		{"GET", "/sessions/s9", "", 404},
		{"GET", "//example.org", "", 404},
		{"GET", "/nets/%72pinet0/", "", 200},
		{"GET", "/nets/rpinet0%2Fdio", "", 404},
		{"GET", "/nets/../nets/", "", 404},
		{"GET", "/assets/", "", 404},
		{"GET", "/assets", "", 404},
		{"GET", "/assets/style.css", "", 200},
		{"GET", "/favicon.ico", "", 200},
		{"GET", "/check/", "", 405},
		{"GET", "/assets/..%2Fembed.go", "", 404},
		{"GET", "/assets/directio.test.js", "", 404},
		{"HEAD", "/nets/", "", 200},
		{"PUT", "/nets/", "", 405},
		{"OPTIONS", "/nets/", "", 405},
		{"DELETE", "/nowhere", "", 404},
		{"GET", "/nets/rpinet0/start", "", 405},
		{"GET", "//modules/", "", 200},
		{"GET", "/modules", "/modules/", 307},
		{"GET", "/modules/Core::DoubleAdd", "/modules/Core::DoubleAdd/", 307},
		{"GET", "/modules/Core::Nothing", "", 404},
		{"GET", "/modulesdetails", "/modulesdetails/", 307},
		{"GET", "/types/int", "/types/int/", 307},
		{"GET", "/types/integer", "", 404},
		{"GET", "//extensions/", "", 200},
		{"GET", "/extensions/rpicore", "/extensions/rpicore/", 307},
		{"GET", "/extensions/kuka_lwr", "", 404},
		{"GET", "//devices//rcc/", "", 200},
		{"GET", "/devices/rcc", "/devices/rcc/", 307},
		{"GET", "/devices/nothing", "", 404},
		{"POST", "/devices/rcc/", "", 405},
		{"POST", "/modules/", "", 405},
		{"GET", "/nets/rpinet0/stats/", "", 404},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			r := request(tt.method, "/", "")
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut(tt.path, "?")
			if strings.Contains(tt.path, "%") {
				r = request(tt.method, tt.path, "")
			}
			a := c.answer(r)
			if a.StatusCode != tt.status || a.Header.Get("Location") != tt.location {
				t.Errorf("got %d %q, want %d %q", a.StatusCode, a.Header.Get("Location"), tt.status, tt.location)
			}
			if tt.status == 405 && a.Header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
}

// TestWire looks at what only a real connection shows.
func TestWire(t *testing.T) {
	c := furnished(t)
	server := httptest.NewServer(c.pages)
	defer server.Close()
	for _, method := range []string{"GET", "HEAD"} {
		a := do(t, server, method, "/nets/")
		if a.ContentLength <= 0 || a.TransferEncoding != nil {
			t.Errorf("%s: length %d, encoding %v", method, a.ContentLength, a.TransferEncoding)
		}
		if a.Close {
			t.Errorf("%s: the connection is closed", method)
		}
		if body := a.text; (method == "HEAD") != (body == "") {
			t.Errorf("%s: body %q", method, body)
		}
	}
	if a := do(t, server, "GET", "/nets/", "Connection", "close"); !a.Close {
		t.Error("the wish to close is not honoured")
	}
}

func do(t *testing.T, server *httptest.Server, method, path string, headers ...string) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, a)
}

func TestHeaders(t *testing.T) {
	c := furnished(t)
	for _, path := range []string{"/", "/nets/none/", "/healthz", "/assets/live.js"} {
		a := c.answer(request("GET", path, "", "Accept", browser))
		csp := a.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: types may be guessed", path)
		}
	}
}

func TestAssets(t *testing.T) {
	c := newCell(t, Options{})
	a := c.answer(request("GET", "/assets/live.js", ""))
	if media := a.Header.Get("Content-Type"); media != "text/javascript; charset=utf-8" {
		t.Errorf("type %q", media)
	}
	again := c.answer(request("GET", "/assets/live.js", "", "If-None-Match", a.Header.Get("ETag")))
	if again.StatusCode != http.StatusNotModified || again.text != "" {
		t.Errorf("asked again: %s", again.Status)
	}
	for name := range loadAssets() {
		if a := c.answer(request("GET", "/assets/"+name, "")); a.Header.Get("Content-Type") == "" {
			t.Errorf("%s has no type", name)
		}
	}
}

// TestEveryAddressIsFound: the first page has a link to every address that has no name in it, and a sentence that says what is there.
func TestEveryAddressIsFound(t *testing.T) {
	c := newCell(t, Options{})
	page := c.answer(request("GET", "/", "", "Accept", browser)).text
	for _, r := range routes() {
		if r.get == nil || strings.Contains(r.pattern, "{") || r.pattern == "/" || r.pattern == favicon {
			continue
		}
		if doc := addressDocs[r.pattern]; doc == "" || !strings.Contains(page, `<a href="`+r.pattern+`"><code>`+r.pattern+`</code></a> `+doc) {
			t.Errorf("%s: %q is not on the first page", r.pattern, doc)
		}
	}
	for address := range addressDocs {
		if a := c.answer(request("GET", address, "")); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", address, a.Status)
		}
	}
}
