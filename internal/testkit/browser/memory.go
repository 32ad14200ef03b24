package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
)

// Memory collects the garbage of the page and returns the bytes of what is left: objects of scripts, and array buffers with what else lies
// outside of their heap.
func (p *Tab) Memory() (heap, buffers float64) {
	p.t.Helper()
	call(p, heapprofiler.CollectGarbage, cdp.Empty{})
	usage := call(p, runtime.GetHeapUsage, cdp.Empty{})
	return usage.UsedSize, usage.BackingStorageSize
}
