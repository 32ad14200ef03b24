package robotics_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
)

// TestNoDoubts: the daemon has nothing to say against the nets of any command; what is warned of is for people who write nets.
func TestNoDoubts(t *testing.T) {
	race.Skip(t, "loads all golden nets")
	for name, make := range allGoldens() {
		for _, optimise := range []bool{true, false} {
			s := newScene(t)
			text, err := robotics.Watched(make(s), nil, nil, optimise)
			if err != nil {
				t.Fatal(err)
			}
			n, err := s.cell.Core.Nets.Load(rcc.LoadRequest{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range append(n.Problems(), n.Warnings()...) {
				t.Errorf("%s, optimised %v: %v", name, optimise, w)
			}
		}
	}
}
