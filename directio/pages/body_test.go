package pages

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFields(t *testing.T) {
	tests := []struct {
		name, body string
		want       fields
	}{
		{"nothing", "", nil},
		{"encoded", "a=%7Bx%5B1%5D%3D+y%7D&b=%26%3D", fields{{Key: "a", Value: "{x[1]= y}"}, {Key: "b", Value: "&="}}},
		{"raw", "dionet={a=X(P='1 2'),b[2.0]=a.out:c}&desc=d e", fields{{Key: "dionet", Value: "{a=X(P='1 2'),b[2.0]=a.out:c}"}, {Key: "desc", Value: "d e"}}},
		{"percent that is none", "a=100%&b=5%zz%4", fields{{Key: "a", Value: "100%"}, {Key: "b", Value: "5%zz%4"}}},
		{"capital and small digits", "a=%c3%BC", fields{{Key: "a", Value: "ü"}}},
		{"without value", "a&=x&&b=", fields{{Key: "a"}, {Value: "x"}, {Key: "b"}}},
		{"semicolon", "a=1;b=2", fields{{Key: "a", Value: "1;b=2"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseFields(tt.body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzParseFields holds the reader of forms to what url.Values writes.
func FuzzParseFields(f *testing.F) {
	f.Add("dionet", "{a=X(P='%41+1')}\n&;ü")
	f.Fuzz(func(t *testing.T, key, value string) {
		parseFields(value) // takes everything
		want := fields{{Key: key, Value: value}}
		if diff := cmp.Diff(want, parseFields(url.Values{key: {value}}.Encode())); diff != "" {
			t.Error(diff)
		}
	})
}

func TestMultipart(t *testing.T) {
	c := newCell(t, Options{})
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("dionet", "net.dio")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = file.Write([]byte(counting))
	_ = form.WriteField("desc", "a file")
	_ = form.Close()
	a := c.answer(request("POST", "/nets/", body.String(), "Content-Type", form.FormDataContentType()))
	if a.StatusCode != http.StatusFound || a.Header.Get("Location") != "/nets/rpinet0/" {
		t.Fatalf("%s %s", a.Status, a.text)
	}
	if n, err := c.Nets.Get("rpinet0"); err != nil || n.Description() != "a file" {
		t.Errorf("net %v, %v", n, err)
	}
	cut := c.answer(request("POST", "/nets/", body.String()[:body.Len()/2], "Content-Type", form.FormDataContentType()))
	if cut.StatusCode != http.StatusBadRequest {
		t.Errorf("half a form: %s", cut.Status)
	}
	many := c.answer(request("POST", "/nets/", strings.Repeat("--x\r\n\r\n\r\n", multipartMax+1)+"--x--", "Content-Type", "multipart/form-data; boundary=x"))
	if many.StatusCode != http.StatusBadRequest {
		t.Errorf("too many parts: %s", many.Status)
	}
}

// TestEncodings loads the same net in every way in which a body can carry it.
func TestEncodings(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	spaced := strings.ReplaceAll(counting, ",", ", ")
	for name, r := range map[string]*http.Request{
		"raw form":           request("POST", "/nets/", "dionet="+spaced, "Content-Type", form),
		"plus for blank":     request("POST", "/nets/", "dionet="+strings.ReplaceAll(spaced, " ", "+"), "Content-Type", form),
		"URL-encoded":        request("POST", "/nets/", url.Values{"dionet": {spaced}}.Encode(), "Content-Type", form),
		"lines of a browser": request("POST", "/nets/", url.Values{"dionet": {strings.ReplaceAll(counting, ",", ",\r\n")}}.Encode(), "Content-Type", form),
		"text":               request("POST", "/nets/", spaced, "Content-Type", "text/plain"),
		"nothing said":       request("POST", "/nets/", spaced),
		"comment first":      request("POST", "/nets/", "\n// dionet=\n"+spaced),
		"comment, as a form": request("POST", "/nets/", "/* a=b */"+spaced, "Content-Type", form),
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t, Options{})
			if a := c.answer(r); a.StatusCode != http.StatusFound && a.StatusCode != http.StatusCreated {
				t.Fatalf("%s %s", a.Status, a.text)
			}
			n, err := c.Nets.Get("rpinet0")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(counting, n.Text()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCycle(t *testing.T) {
	tests := []struct {
		query, want string
		notRealtime bool
	}{
		{"", "2ms", false},
		{"cycle=4ms", "4ms", false},
		{"cycle=0.005", "5ms", false},
		{"useparams=1&frequency=500&isrealtime=1", "2ms", false},
		{"useparams=1&frequency=0.01&isrealtime=0", "10ms", true},
		{"useparams=1&frequency=0&isrealtime=true", "2ms", false},
		{"realtime=0", "2ms", true},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			c := newCell(t, Options{})
			c.answer(request("POST", "/nets/?"+tt.query, counting))
			n, err := c.Nets.Get("rpinet0")
			if err != nil {
				t.Fatal(err)
			}
			if n.Period().String() != tt.want || n.Realtime() == tt.notRealtime {
				t.Errorf("period %v, realtime %v", n.Period(), n.Realtime())
			}
		})
	}
}

// endless is a body that would be read for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestLimits(t *testing.T) {
	c := newCell(t, Options{MaxBody: 1000})
	for _, path := range []string{"/nets/", "/nets/rpinet0/"} {
		c.load(counting, "", "")
		announced := request("POST", path, strings.Repeat("x", 1001))
		secret := request("POST", path, "")
		secret.Body, secret.ContentLength = http.NoBody, -1
		secret.Body = readCloser{endless{}}
		for name, r := range map[string]*http.Request{"announced": announced, "endless": secret} {
			if a := c.answer(r); a.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s %s: %s", path, name, a.Status)
			}
		}
	}
	if a := c.answer(request("POST", "/nets/", counting+strings.Repeat(" ", 1000-len(counting)))); a.StatusCode != http.StatusCreated {
		t.Errorf("just as long as allowed: %s", a.Status)
	}
}

type readCloser struct{ endless }

func (readCloser) Close() error { return nil }

func TestPreferred(t *testing.T) {
	tests := []struct {
		accept string
		want   form
	}{
		{"", asXML},
		{"*/*", asXML},
		{browser, asHTML},
		{"text/html", asHTML},
		{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", asXML}, // the library of Java
		{"application/json", asJSON},
		{"application/json, text/plain, */*", asJSON},
		{"application/xml", asXML},
		{"text/xml;q=0.9, application/json;q=0.5", asXML},
		{"application/xml;q=0.5, application/json", asJSON},
		{"application/json;q=0", asXML},
		{"text/html;q=x", asXML},
		{"image/png", asXML},
		{";;;,,", asXML},
	}
	for _, tt := range tests {
		if got := preferred(tt.accept); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.accept, got, tt.want)
		}
	}
}
