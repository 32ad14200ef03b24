package protocol

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// TestAnEndOfItsOwnComesAfterTheAnswer looks at nets that have ended while a command was carried out.
func TestAnEndOfItsOwnComesAfterTheAnswer(t *testing.T) {
	end := func(do func(*rcc.Net) error) func(*cell, *rcc.Net) {
		return func(c *cell, n *rcc.Net) {
			if err := do(n); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		end           func(*cell, *rcc.Net)
		before, after []string
	}{
		"by itself": {
			func(c *cell, n *rcc.Net) {
				end(func(n *rcc.Net) error { return n.Set([]rcc.KeyValue{{Key: "inend", Value: "true"}}) })(c, n)
				c.advance(10 * time.Millisecond)
			},
			nil,
			[]string{`nc({outend:"true"})`, `ns("TERMINATED")`},
		},
		"by a command": {
			end(func(n *rcc.Net) error { return n.Abort(t.Context()) }),
			[]string{`nc({outend:"false"})`, `ns("TERMINATED")`},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			n, err := c.core.Load(rcc.LoadRequest{Text: `{i=Core::BooleanNetcommIn(Key='end',Value='false'),` +
				`o=Core::BooleanNetcommOut(Key='end',inValue=i.outValue),outTerminate=i.outValue}`})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			look := func(w watch, g glance) []string {
				told = nil
				g.now, g.room = c.people.Now(), true
				g.tell = func(command string, p grammar.Param) {
					st := grammar.Statement{Tag: "t", Command: command, Params: []grammar.Param{p}}
					told = append(told, st.String()[len("t="):])
				}
				w.look(&g)
				return slices.Clone(told)
			}
			if err := n.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.advance(10 * time.Millisecond)
			w := newNetWatch(n, time.Hour, nil)
			look(w, glance{first: true, answering: true})
			tt.end(c, n)
			if diff := cmp.Diff(tt.before, look(w, glance{answering: true})); diff != "" {
				t.Errorf("before the answer: %s", diff)
			}
			if diff := cmp.Diff(tt.after, look(w, glance{})); diff != "" {
				t.Errorf("after the answer: %s", diff)
			}
		})
	}
}
