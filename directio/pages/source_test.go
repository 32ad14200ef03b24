package pages

import (
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestSources compares the sources for generators, also those of names that Java does not allow.
func TestSources(t *testing.T) {
	c := described(t)
	for _, path := range []string{
		"/modules/Test::Clamp/source.java", "/modules/Test::Clam/source.java", "/types/frame/source.java", "/types/vector/source.java",
		"/types/double/source.java", "/types/none/source.java",
	} {
		checkGolden(t, "get_"+fileName(path), c.answer(request("GET", path, "")))
	}
	odd := newCellOf(t, Options{}, []*spec.Primitive{spec.Declare(spec.Decl{
		Name: `Test::2"x`, Doc: "ends a comment */ class Evil { \\u002a/", Extension: "test",
	}, spec.Kernels[struct{}]{})})
	checkGolden(t, "get_source_odd", odd.answer(request("GET", "/modules/Test::2%22x/source.java", "")))
}
