package pages

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// everywhere returns the addresses of all routes of a furnished cell, and some that are none.
func everywhere() (list []string) {
	named := strings.NewReplacer("{net}", "rpinet0", "{rule}", "0", "{session}", "s1", "{device}", "rcc", "{page}", "parameters", "{type}", "Core::DoubleAdd",
		"{extension}", "rpicore", "{file}", "live.js")
	for _, r := range routes() {
		list = append(list, named.Replace(r.pattern))
	}
	return append(list, "/nowhere", "/nets", "//nets//", "/assets/none.js", "/devices/none/")
}

// TestOtherInstance asks and posts at every address for another instance, by header and by query: that is refused, and nothing is done. For this one, and for any, it
// is answered. Every answer says which instance gives it (cell.answer looks).
func TestOtherInstance(t *testing.T) {
	c := furnished(t)
	before := c.answer(request("GET", "/nets/", "")).text
	const other = "OTHER"
	for _, path := range everywhere() {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "OPTIONS"} {
			const body = "action=UNLOAD&extension=rpicore&condition=t"
			for name, r := range map[string]*http.Request{
				"header":       request(method, path, body, InstanceName, other),
				"query":        request(method, path+"?"+InstanceName+"="+other, body),
				"twice":        request(method, path+"?"+InstanceName+"="+other, body, InstanceName, c.Instance()),
				"empty":        request(method, path+"?a=b&"+InstanceName+"=", body),
				"as a browser": request(method, path, body, InstanceName, other, "Accept", browser),
			} {
				if a := c.answer(r); a.StatusCode != http.StatusPreconditionFailed || method != "HEAD" && !strings.Contains(a.text, "was started again") {
					t.Errorf("%s: %s %s is answered %s", name, method, path, a.Status)
				}
			}
		}
		for name, r := range map[string]*http.Request{
			"this one": request("HEAD", path+"?"+InstanceName+"="+c.Instance(), "", InstanceName, c.Instance()), "any": request("HEAD", path, ""),
		} {
			if a := c.answer(r); a.StatusCode == http.StatusPreconditionFailed {
				t.Errorf("for %s: %s is refused", name, path)
			}
		}
	}
	if after := c.answer(request("GET", "/nets/", "")).text; after != before {
		t.Errorf("something was done:\n%s", after)
	}
	c.answer(request("GET", "/nets/", "", "Host", "evil.example"))
	c.answer(request("POST", "/nets/", "", "Origin", "https://evil.example"))
	checkGolden(t, "other_instance_json", c.answer(request("POST", "/nets/rpinet0/start", "", InstanceName, other, "Accept", forJSON)))
	checkGolden(t, "other_instance_html", c.answer(request("POST", "/nets/rpinet0/?"+InstanceName+"="+other, "", "Accept", browser)))
}

var (
	posting = regexp.MustCompile(`<form[^>]*>`)
	targets = regexp.MustCompile(`action="([^"]*)"`)
)

// TestFormsAreForTheirInstance looks at every form of every page that changes something: what it sends is for the instance that
// has made the page. That instance carries it out.
func TestFormsAreForTheirInstance(t *testing.T) {
	c := furnished(t)
	found := 0
	for _, path := range everywhere() {
		if strings.HasSuffix(path, "stream") {
			continue
		}
		text := c.answer(request("GET", path, "", "Accept", browser)).text
		for _, form := range posting.FindAllString(text, -1) {
			if !strings.Contains(form, `method="post"`) {
				continue
			}
			if action := targets.FindStringSubmatch(form); action == nil || !strings.Contains(action[1], "?"+InstanceName+"=INSTANCE") {
				t.Errorf("%s: %s", path, form)
			}
			found++
		}
		for _, action := range regexp.MustCompile(`formaction="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if !strings.Contains(action[1], "?"+InstanceName+"=INSTANCE") {
				t.Errorf("%s: %s", path, action[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d forms were found", found)
	}
	pin := "?" + InstanceName + "=" + c.Instance()
	for path, body := range map[string]string{
		"/nets/rpinet2/": "action=START", "/nets/": "dionet=" + counting, "/rules/": "condition=t", "/devices/": "name=new&type=test", "/clock": "advance=1ms",
		"/sessions/": "desc=mine",
	} {
		if a := c.answer(request("POST", path+pin, body, "Content-Type", mediaForm)); a.StatusCode >= http.StatusBadRequest {
			t.Errorf("%s: %s %s", path, a.Status, a.text)
		}
	}
}

// TestOpenToOthers: pages warn while others reach the daemon.
func TestOpenToOthers(t *testing.T) {
	for _, open := range [][]string{nil, {"0.0.0.0:8080", "[::]:8081"}} {
		c := newCell(t, Options{Open: func() []string { return open }})
		page, health := c.answer(request("GET", "/cell/", "", "Accept", browser)).text, c.answer(request("GET", "/healthz", "")).text
		for _, address := range []string{"0.0.0.0:8080", "[::]:8081"} {
			if warned := strings.Contains(page, "Any client that reaches "+address+" can command this daemon."); warned != (open != nil) {
				t.Errorf("open at %q: the page warns of %s: %t", open, address, warned)
			}
		}
		if warned := strings.Contains(health, `"open":["0.0.0.0:8080","[::]:8081"]`); warned != (open != nil) {
			t.Errorf("open at %q: %s", open, health)
		}
	}
}
