package leak

import (
	"errors"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

func TestLook(t *testing.T) {
	None(t)
	end := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-end
	}()
	if look() == nil {
		t.Error("a goroutine that waits is not seen")
	}
	close(end)
	<-ended
	None(t)
}

// TestLateEndsAreNoLeaks lets a goroutine be seen a few times before it ends, and another one for ever.
func TestLateEndsAreNoLeaks(t *testing.T) {
	seen, left := 0, errors.New("left")
	if err := patiently(func() error {
		if seen++; seen < 5 {
			return left
		}
		return nil
	}); err != nil || seen != 5 {
		t.Errorf("%v after %d looks", err, seen)
	}
	if err := patiently(func() error { return left }); !errors.Is(err, left) {
		t.Errorf("a goroutine that stays was not reported: %v", err)
	}
}
