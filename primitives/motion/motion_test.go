package motion_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/motion"
)

var kit = testkit.Kit{Primitives: motion.Primitives()}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestEndure(t *testing.T)      { kit.Stress(t, 100) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }
