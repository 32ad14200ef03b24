package primitives_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestNamesAreUnique(t *testing.T) {
	c, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	if c.Lookup("Core::DoubleAdd") == nil {
		t.Error("Core::DoubleAdd is missing")
	}
}
