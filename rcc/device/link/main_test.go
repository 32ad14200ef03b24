package link

import (
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
