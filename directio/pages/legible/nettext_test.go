package legible

import (
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
)

// TestNetLines: a net is shown with each node in a line of its own and each fragment with its nodes within, and nothing is lost.
func TestNetLines(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                      "{ 0 }",
		"{outTerminate=a.outA}":   "{ 1 }\n outTerminate=a.outA",
		"{a=B::C(),out=a.outA}":   "{ 2 }\n a=B::C(),\n out=a.outA",
		`{a=B(x='}{,\'',y='')}`:   "{ 1 }\n a=B(x='}{,\\'',y='')",
		"{a=B(inX=C(k='1').out)}": "{ 1 }\n a=B(inX=C(k='1').out)",
		"{f={a=B(),out=a.outA}(inX[1.0]=c.outX,k='}'),c=D()}": "{ 2 }\n f={ 2 }(inX[1.0]=c.outX,k='}'),\n  a=B(),\n  out=a.outA\n c=D()",
		"{a=B(inX={b=C(),outX=b.outX}().outX)}":               "{ 1 }\n a=B(inX={b=C(),outX=b.outX}().outX)",
	} {
		tree, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			t.Fatal(text, err)
		}
		written := tree.String()
		lines := NetLines(written)
		var b strings.Builder
		show(&b, lines, 0)
		if got := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("%s is\n%s\nnot\n%s", written, got, want)
		}
		if got := plain(lines); got != written {
			t.Errorf("%s became %s", written, got)
		}
	}
	for _, wrong := range []string{"", "}", "{", "{a='", "{a=(", `{a='\`} { // never parsed, and harmless all the same
		_ = NetLines(wrong)
	}
}

func show(b *strings.Builder, lines []NetLine, depth int) {
	for _, l := range lines {
		b.WriteString(strings.Repeat(" ", depth) + l.Text)
		if strings.HasSuffix(l.Text, "{") {
			b.WriteString(" " + string(rune('0'+len(l.Inner))) + " ")
		}
		b.WriteString(l.End + "\n")
		show(b, l.Inner, depth+1)
	}
}

// plain returns what lines consist of.
func plain(lines []NetLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + plain(l.Inner) + l.End)
	}
	return b.String()
}
