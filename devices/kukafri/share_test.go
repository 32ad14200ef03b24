package kukafri

import "testing"

// TestShare: a controller that allows nothing, all or more than all allows the limits, and no more.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		limits float32
		want   float64
	}{{-1, 1}, {0, 1}, {0.25, 0.25}, {1, 1}, {1.5, 1}, {2, 1}} {
		s := new(session)
		s.now.SafetyLimits = tt.limits
		if is := s.share(); is != tt.want {
			t.Errorf("%v: %v, want %v", tt.limits, is, tt.want)
		}
	}
}
