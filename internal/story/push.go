package story

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Push is somebody who pushes an arm now and then, as everybody can on its page, for those who only watch. It ends with ctx.
func Push(ctx context.Context, address string) {
	for {
		for _, act := range []struct {
			after time.Duration
			force string // N
		}{
			{20 * time.Second, "{x:0,y:25,z:0}"}, // which is felt, and begins to be given way to
			{3 * time.Second, "{x:0,y:-20,z:-15}"},
			{2 * time.Second, "{x:0,y:0,z:0}"},
		} {
			select {
			case <-time.After(act.after):
			case <-ctx.Done():
				return
			}
			tell(ctx, address, "lwr2", "forces", "force", act.force)
		}
	}
}

// tell tells a page of an arm something. Where that cannot be, nothing happens.
func tell(ctx context.Context, address, arm, page, key, value string) {
	body := strings.NewReader(url.Values{key: {value}}.Encode())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/devices/"+arm+"/"+page, body)
	if err != nil {
		return
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
}
