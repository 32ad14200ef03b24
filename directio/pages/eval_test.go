package pages

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestEval compares the answers to nets that are evaluated, in the ways in which they are sent.
func TestEval(t *testing.T) {
	const urlencoded = "application/x-www-form-urlencoded"
	const (
		sum     = `{a=Core::DoubleAdd(First='1',Second='2'),out=Core::DoubleNetcommOut(inValue=a.outValue,Key='Sum'),outSum=a.outValue,outNone=p.outValue,p=Core::DoublePre(inValue=a.outValue)}`
		unbuilt = `{a=Core::NoSuch(),b=Core::DoubleAdd(inFirst=c.outValue)}`
		unset   = `{a=Core::DoubleAdd(First='one'),b=Core::DoubleNetcommOut()}`
	)
	form := func(text string) string { return "dionet=" + url.QueryEscape(text) }
	for _, tt := range []struct{ name, media, accept, body string }{
		{"form", urlencoded, "", form(sum)},
		{"form_raw", urlencoded, "", "dionet=" + sum},
		{"untyped", "", "", form(sum)},
		{"text", "text/plain", "", sum},
		{"json", urlencoded, forJSON, form(sum)},
		{"html", urlencoded, browser, form(sum)},
		{"xml", urlencoded, "", "rpinet=" + url.QueryEscape(`<rpinet id="ROOT"><module id="a" type="Core::DoubleAdd"><parameter name="First" value="4"/></module><outport name="outSum" frommodule="a" fromport="outValue"/></rpinet>`)},
		{"empty", urlencoded, "", form("{}")},
		{"empty_html", urlencoded, browser, form("{}")},
		{"escaped", urlencoded, browser, form(`{x=Core::NoSuch(a='</textarea><script>')}`)},
		{"broken", urlencoded, "", form(broken)},
		{"broken_json", urlencoded, forJSON, form(broken)},
		{"broken_html", urlencoded, browser, form(broken)},
		{"broken_xml", urlencoded, "", "rpinet=<rpinet>"},
		{"unbuilt", urlencoded, "", form(unbuilt)},
		{"unbuilt_json", urlencoded, forJSON, form(unbuilt)},
		{"unset", urlencoded, "", form(unset)},
		{"unset_html", urlencoded, browser, form(unset)},
		{"missing", urlencoded, "", "desc=a"},
		{"image", "image/png", "", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := request("POST", "/eval/", tt.body, "Accept", tt.accept)
			if tt.media != "" {
				r.Header.Set("Content-Type", tt.media)
			}
			c := newCell(t, Options{})
			checkGolden(t, "eval_"+tt.name, c.answer(r))
			if left := len(c.Nets.All()); left > 0 {
				t.Errorf("%d nets are left", left)
			}
		})
	}
	inAllForms(t, newCell(t, Options{}), "/eval/")
}

// TestEvalReadsOthers asks for the present value of a net that runs, in the way of existing clients.
func TestEvalReadsOthers(t *testing.T) {
	whole := newWholeCell(t)
	n := whole.load(counting, "", "")
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole.advance(10 * time.Millisecond)
	text := `{i=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='` + n.Name() + `',RemoteKey='Sum'),outV=i.outValue}`
	a := whole.answer(request("POST", "//eval/", "dionet="+url.QueryEscape(text), "Content-Type", "application/x-www-form-urlencoded"))
	var view struct {
		Data []struct {
			Key   string `xml:"key,attr"`
			Value string `xml:",chardata"`
		} `xml:"data"`
	}
	if err := xml.Unmarshal([]byte(a.text), &view); err != nil || a.StatusCode != http.StatusOK {
		t.Fatal(a.Status, err, a.text)
	}
	if len(view.Data) != 1 || view.Data[0].Key != "outV" || view.Data[0].Value != "2.5" {
		t.Errorf("%+v in %s", view.Data, strings.TrimSpace(a.text))
	}
}
