package scopes

import (
	"errors"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// asProblem says errors of package scope in the words of the table.
func asProblem(err error) error {
	var setup *scope.SetupError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &setup):
		return pages.Refuse(pages.CodeScope, "setup "+setup.Where, "%s", setup.What)
	case errors.Is(err, scope.ErrNoSetup):
		return pages.Refuse(pages.CodeNoThing, "scope", "%v", err)
	case errors.Is(err, scope.ErrBadSetup):
		return pages.Refuse(pages.CodeScope, "scope", "%v", err)
	case errors.Is(err, scope.ErrTooMany):
		return pages.Refuse(pages.CodeTooMany, "scope", "%v", err)
	}
	return err
}
