package pages

import (
	"net/http"

	"github.com/softrobot-rcc/rccd/rcc"
)

// checkedView is what there is to say about a net that could be loaded.
type checkedView struct {
	Warnings []reason `json:"warnings"`
}

// checkNet answers what loading a net would answer, and loads nothing: 200 with the warnings, or the refusal with all reasons. The
// answer is for programs, and in JSON whatever they accept.
func checkNet(x *exchange) error {
	from, f, err := x.anyNet()
	if err != nil {
		return err
	}
	req := rcc.LoadRequest{Text: from.text, Parse: from.parser()}
	if req.Period, err = period(f); err != nil {
		return err
	}
	found, err := x.core.Nets.Check(x.r.Context(), req)
	switch {
	case err != nil:
		return from.problem(err)
	case len(found.Problems) > 0:
		p := rejectedFor("net", found.Problems)
		p.Warnings = reasonsOf(found.Warnings)
		return p
	}
	view := checkedView{Warnings: []reason{}}
	view.Warnings = append(view.Warnings, reasonsOf(found.Warnings)...)
	body, err := marshalJSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}
