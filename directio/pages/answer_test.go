package pages

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

// timed is a writer that knows until when it may write.
type timed struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (w *timed) SetWriteDeadline(t time.Time) error {
	w.until = t
	return nil
}

// TestAnswersHaveADeadline: a client that does not read its answer does not hold the daemon for ever.
func TestAnswersHaveADeadline(t *testing.T) {
	c := furnished(t)
	for _, path := range []string{"/", "/nets/", "/healthz", "/nowhere", "/assets/live.js", "/catalogue.json"} {
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		c.pages.ServeHTTP(w, request("GET", path, ""))
		if left := time.Until(w.until); left <= 0 || left > answerTime {
			t.Errorf("%s: %v left for the answer", path, left)
		}
	}
}

// Lists without elements are lists.
func TestEmptyLists(t *testing.T) {
	type part struct {
		Name  string   `json:"name"`
		Parts []string `json:"parts"`
	}
	view := &struct {
		All   []part  `json:"all"`
		None  []*part `json:"none"`
		Left  []part  `json:"left,omitempty"`
		One   *part   `json:"one"`
		Bytes []byte  `json:"bytes"`
	}{All: []part{{Name: "a"}}, One: &part{Name: "b", Parts: []string{"c"}}}
	got, err := facts.JSON(view)
	want := `{"all":[{"name":"a","parts":[]}],"none":[],"one":{"name":"b","parts":["c"]},"bytes":null}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s%s", err, got, want)
	}
}
