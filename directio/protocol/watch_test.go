package protocol

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
			n, err := c.core.Nets.Load(rcc.LoadRequest{Text: `{i=Core::BooleanNetcommIn(Key='end',Value='false'),` +
				`o=Core::BooleanNetcommOut(Key='end',inValue=i.outValue),outTerminate=i.outValue}`})
			if err != nil {
				t.Fatal(err)
			}
			look := func(w watch, g glance) []string {
				g.now, g.room, g.tag, g.out = c.people.Now(), true, "t", new(parcel)
				w.look(&g)
				var told []string
				for _, message := range g.out.appendTo(nil) {
					told = append(told, string(message[len("t="):]))
				}
				return told
			}
			if err := n.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.advance(10 * time.Millisecond)
			w := newNetWatch(n, time.Hour, false, nil)
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
