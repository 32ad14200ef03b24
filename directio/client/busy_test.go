package client_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// TestBusy: a refusal because of too much load is distinguished from one that would be repeated.
func TestBusy(t *testing.T) {
	for code, busy := range map[string]bool{"busy": true, "closing": false, "plan": false} {
		_, address := cellWith(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"status":503,"code":"`+code+`","where":"preview","message":"17 previews are running or waiting"}`)
		}))
		d, _ := keep(t, address)
		_, err := d.Preview(in(t), client.Plan{})
		if refused := new(client.RefusedError); !errors.As(err, &refused) || errors.Is(err, client.ErrBusy) != busy {
			t.Errorf("%s: %v", code, err)
		}
	}
}
