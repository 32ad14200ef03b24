package directio

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc"
)

// tenPrimitives is a net as clients evaluate it for a value that they need just now.
const tenPrimitives = "{a=Core::DoubleValue(Value='1'),b=Core::DoubleValue(Value='2'),c=Core::DoubleNetcommIn(Key='c',Value='3')," +
	"ab=Core::DoubleAdd(inFirst=a.outValue,inSecond=b.outValue),sum=Core::DoubleAdd(inFirst=ab.outValue,inSecond=c.outValue)," +
	"half=Core::DoubleMultiply(inFirst=sum.outValue,Second='0.5'),high=Core::DoubleGreater(inFirst=half.outValue,Second='10')," +
	"turned=Core::DoubleSin(inValue=half.outValue),on=Core::BooleanNot(inValue=high.outValue)," +
	"chosen=Core::DoubleConditional(inCondition=on.outValue,inTrue=turned.outValue,inFalse=half.outValue),outSum=chosen.outValue,outOn=on.outValue}"

// BenchmarkEval measures an evaluation of ten primitives over a connection that is kept alive, and beside it the same
// way for an address that has next to nothing to do.
func BenchmarkEval(b *testing.B) {
	s, _ := serveBeside(b, Config{}, func(c *rcc.Core) http.Handler { return pages.Handler(c, pages.Options{}) })
	client := http.Client{Transport: &http.Transport{}}
	b.Cleanup(client.CloseIdleConnections)
	at := "http://" + s.Addr().String()
	body := "dionet=" + url.QueryEscape(tenPrimitives)
	b.Run("eval", func(b *testing.B) {
		measure(b, func() (*http.Response, error) {
			return client.Post(at+"/eval/", "application/x-www-form-urlencoded", strings.NewReader(body))
		}, `<data key="outSum">`)
	})
	b.Run("clock", func(b *testing.B) {
		measure(b, func() (*http.Response, error) { return client.Get(at + "/clock") }, "now")
	})
}

// measure reports half of the answers' times, and nearly all of them.
func measure(b *testing.B, ask func() (*http.Response, error), want string) {
	var times []time.Duration
	for b.Loop() {
		from := time.Now()
		answer, err := ask()
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			b.Fatal(err, string(text))
		}
		times = append(times, time.Since(from))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, "p99-µs")
}
