package rcc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestRemoteRCC: a net may name this daemon, however it is called, and no other one.
func TestRemoteRCC(t *testing.T) {
	c := newCell(t)
	other := c.load(`{out=Core::DoubleNetcommOut(Key='x'),outTerminate=Core::BooleanValue().outValue}`)
	reads := func(address string) *rcc.Net {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: fmt.Sprintf(
			`{a=Core::DoubleInterNetcommIn(RemoteRCC='%s',RemoteNet='%s',RemoteKey='x'),outTerminate=Core::BooleanValue().outValue}`, address, other.Name(),
		)})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := reads("127.0.0.1"); n.State() != rcc.Rejected {
		t.Error("it listens nowhere, and has an address")
	}
	for _, at := range []struct {
		listens, names []string
		own, foreign   []string
	}{
		{
			[]string{"127.0.0.1:8080", "127.0.0.1:8081"},
			nil,
			[]string{"", "http://127.0.0.1:8080", "http://localhost:8080/", "localhost", "LOCALHOST:8081", "127.0.0.1", "ws://127.0.0.1:8080/DirectIO/"},
			[]string{"http://10.1.2.3:8080", "127.0.0.1:9090", "http://127.0.0.1", "cell7", "http://", "127.0.0.1:x", "::1", "127.0.0.1:0", " "},
		},
		{
			[]string{"[::]:8080"},
			[]string{"cell7.example"},
			[]string{"", "http://[::1]:8080", "127.0.0.1:8080", "localhost:8080", "cell7.example", "http://Cell7.example:8080/"},
			[]string{"http://cell8.example:8080", "192.0.2.77:8080", "cell7.example:80"},
		},
		{[]string{"192.0.2.5:80"}, nil, []string{"http://192.0.2.5", "192.0.2.5:80"}, []string{"localhost:80", "127.0.0.1:80", "http://192.0.2.6"}},
	} {
		c.Listens(at.listens, at.names)
		for _, own := range at.own {
			if n := reads(own); n.State() != rcc.Ready {
				t.Errorf("%v: %q: %v", at.listens, own, n.Problems())
			}
		}
		for _, foreign := range at.foreign {
			n := reads(foreign)
			if p := n.Problems(); len(p) != 1 || !strings.Contains(p[0].String(), "is not an address at which this daemon listens") {
				t.Errorf("%v: %q: %v %v", at.listens, foreign, n.State(), p)
			}
		}
	}
}
