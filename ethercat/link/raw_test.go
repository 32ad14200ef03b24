package link

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// A cable has one master, of whatever program it is.
func TestOneMasterOnACable(t *testing.T) {
	open := func() (*Raw, error) { return OpenRaw("lo", rt.NewReal(), 0) }
	first, err := open()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, rt.ErrDown) {
		t.Skip("skip: no raw frames here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	again, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
