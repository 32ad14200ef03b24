package pages_test

import (
	"context"
	"errors"
	"testing"

	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/testkit/browser"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// life is a daemon that ends before its test does.
type life struct {
	*rcc.Core
	server *directio.Server
	served chan error
}

func begin(t *testing.T, address string) *life {
	t.Helper()
	catalogue, err := spec.NewCatalogue(core.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	l := &life{served: make(chan error, 1)}
	if l.Core, err = rcc.New(rcc.Config{Catalogue: catalogue}); err != nil {
		t.Fatal(err)
	}
	if l.server, err = directio.Listen(l.Core, pages.Handler(l.Core, pages.Options{}), directio.Config{Listen: address}); err != nil {
		t.Fatal(err)
	}
	go func() { l.served <- l.server.Serve() }()
	return l
}

func (l *life) end(t *testing.T) {
	t.Helper()
	if err := errors.Join(l.server.Close(context.Background()), <-l.served, l.Close(context.Background())); err != nil {
		t.Error(err)
	}
}

// TestPagesOfBefore restarts a daemon under pages that are open in a browser: they say so, keep what they show, and command nothing in the new one, which has a net of the same
// name. Loaded again, they do.
func TestPagesOfBefore(t *testing.T) {
	b := browser.Start(t)
	before := begin(t, "127.0.0.1:0")
	address := before.server.Addr().String()
	if _, err := before.Nets.Load(rcc.LoadRequest{Text: wave, Description: "of before"}); err != nil {
		t.Fatal(err)
	}
	open := map[string]*browser.Tab{}
	for _, path := range []string{"/nets/rpinet0/", "/nets/", "/rules/", "/cell/"} {
		open[path] = b.Open("http://" + address + path)
		open[path].Front()
		open[path].Until(`link.textContent === "live" && restarted.hidden`)
	}
	before.end(t)
	after := begin(t, address)
	defer after.end(t)
	n, err := after.Nets.Load(rcc.LoadRequest{Text: wave, Description: "of now"})
	if err != nil || n.Name() != "rpinet0" {
		t.Fatal(n, err)
	}
	for path, tab := range open {
		tab.Front()
		tab.Until(`!restarted.hidden && link.textContent === ""`)
		if path == "/nets/" {
			tab.Until(`document.querySelector("[data-net=rpinet0] td:nth-child(3)").textContent === "of before"`)
		}
	}
	tab := open["/nets/rpinet0/"]
	tab.Front()
	tab.Do(`document.querySelector("button[value=START]").click()`)
	tab.Until(`!message.hidden && message.textContent.includes("started again")`)
	tab.Screenshot("restarted")
	if state := n.State(); state != rcc.Ready {
		t.Errorf("the net of the new daemon is %s", state)
	}
	tab.Do(`restarted.querySelector("a").click()`)
	tab.Until(`document.querySelector(".lead")?.textContent === "of now" && link.textContent === "live"`)
	tab.Do(`document.querySelector("button[value=START]").click()`)
	tab.Until(`state.textContent === "RUNNING"`)
	if err := n.Abort(t.Context()); err != nil {
		t.Error(err)
	}
}
