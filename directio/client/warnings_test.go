package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// TestWarnings: programs hear what is doubtful about a net, whether it is loaded, rejected, or only previewed.
func TestWarnings(t *testing.T) {
	const doubtful = `{c=Core::Clock(),a=Core::DoubleDivide(inFirst=c.outValue,Second='0'),o=Core::DoubleNetcommOut(Key='x',inValue=a.outValue),outTerminate=Cancel().outCancel}`
	_, address := cell(t)
	d, _ := keep(t, address)
	check := func(where string, list []client.Reason, err error) {
		t.Helper()
		if err != nil || len(list) != 1 || list[0].Block != "a" || list[0].Port != "Second" || list[0].Line != 1 || list[0].Column != 58 ||
			!strings.HasPrefix(list[0].Text, "it is 0, but should be other than 0") {
			t.Errorf("%s: %+v, %v", where, list, err)
		}
	}
	n, err := d.Load(in(t), doubtful, client.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := n.Warnings(in(t))
	check("net", list, err)

	_, err = d.Load(in(t), strings.Replace(doubtful, "Cancel()", "Core::Nothing()", 1), client.NetOptions{})
	var r *client.RejectedError
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	check("rejected net", r.Warnings, r.Unknown)

	p, err := d.Preview(in(t), client.Plan{Nets: []client.PlannedNet{{Text: doubtful}}})
	if err != nil {
		t.Fatal(err)
	}
	check("preview", p.Nets[0].Warnings, nil)
}
