package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
)

// largeNet looks like the nets that existing applications send, only larger.
func largeNet() string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range 450 {
		fmt.Fprintf(&b, "DoubleConditional%d=Core::DoubleConditional(inActive=activity%d.outActive,"+
			"inCondition=Core::DoubleGreater(inFirst=Core::DoubleValue(Value='%d.0625').outValue,"+
			"inSecond=motionTime.outValue,First='0.0',Second='0.0',Epsilon='1.0E-9').outValue,"+
			"inTrue[2.0]=DoubleConditional%d.outValue,inFalse=fragment%d.outPosition,True='0.0',False='0.0',"+
			"Description='position of joint %d as commanded by the planner, holding the last valid one "+
			"whenever the motion is paused, cancelled or taken over by its successor; open limits are those of the device')", i, i, i, i+1, i, i%7)
		b.WriteByte(',')
	}
	b.WriteString("outTerminate=DoubleConditional0.outValue}")
	return b.String()
}

const shortStatement = `c7=nesc("rpinet7.out_1&!rpinet8.outCancel",["rpinet7"],[],["rpinet8","rpinet9"])`

func BenchmarkParseNet(b *testing.B) {
	text := largeNet()
	b.Run("hand-written", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := grammar.ParseNet(text, grammar.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generated", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, m := parseNet(text); m != nil {
				b.Fatal(m)
			}
		}
	})
}

func BenchmarkParseStatement(b *testing.B) {
	b.Run("hand-written", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := grammar.ParseStatement(shortStatement, grammar.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, m := parseStatement(shortStatement); m != nil {
				b.Fatal(m)
			}
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	text := `{ncin=Core::BooleanNetcommIn(Key='k1',Value='false') outTerminate=ncin.outValue}`
	_, err := grammar.ParseNet(text, grammar.Limits{})
	b.ReportAllocs()
	for b.Loop() {
		_ = Explain(Net, text, err)
	}
}
