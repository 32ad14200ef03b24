package pages

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// clockView is the time of the core. Speed is a factor of real time, or max.
type clockView struct {
	Now     string `json:"now"`
	Virtual bool   `json:"virtual"`
	Speed   string `json:"speed"`
}

const asFastAsPossible = "max"

func showClock(x *exchange) error {
	clock := x.core.Clock.Info()
	view := clockView{Now: clock.Now.UTC().Format(time.RFC3339Nano), Virtual: clock.Virtual, Speed: asFastAsPossible}
	if !math.IsInf(clock.Speed, 1) {
		view.Speed = strconv.FormatFloat(clock.Speed, 'g', -1, 64)
	}
	body, err := facts.JSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// longestAdvance bounds what one request lets the daemon compute.
const longestAdvance = time.Hour

// setClock changes the speed of virtual time, or lets it go on (fields speed and advance, in the body or in the query).
func setClock(x *exchange) error {
	f, err := x.fields()
	if err != nil {
		return err
	}
	f = append(f, x.query()...)
	if text, ok := f.get("speed"); ok {
		if err := setSpeed(x.core.Clock, text); err != nil {
			return err
		}
	}
	if text, ok := f.get("advance"); ok {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > longestAdvance {
			return refuse(codeValue, "field advance", "%q is not a duration up to %v; write for example 10ms", short(text), longestAdvance)
		}
		if err := x.core.Clock.Advance(x.r.Context(), d); err != nil {
			return err
		}
	}
	return showClock(x)
}

func setSpeed(clock *rcc.Clock, text string) error {
	factor := math.Inf(1)
	if text != asFastAsPossible {
		var err error
		if factor, err = strconv.ParseFloat(text, 64); err != nil {
			return refuse(codeValue, "field speed", "%q is neither a number nor %s", short(text), asFastAsPossible)
		}
	}
	return clock.SetSpeed(factor)
}
