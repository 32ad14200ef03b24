package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/grammar"
)

// nesting is where a reader of JSON is: in an object or a list.
type nesting struct {
	path   string
	keys   map[string]bool // of an object, nil for a list
	key    string          // that has been read, and whose value comes next
	inside bool            // there is such a key
	index  int             // of the next element of a list
}

// twice looks for a member of an object that is there twice, at any depth. encoding/json takes the last one, other readers the
// first: what somebody has checked before may not be what is done. It returns nil when there is none, and for what is no
// JSON, which others refuse.
func twice(body []byte, as code) *problem {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var in []nesting
	end := 0
	for t, err := d.Token(); err == nil; t, err = d.Token() {
		from := end
		end = int(d.InputOffset())
		var top *nesting
		if len(in) > 0 {
			top = &in[len(in)-1]
		}
		key, isText := t.(string)
		switch {
		case t == json.Delim('}') || t == json.Delim(']'):
			in = in[:len(in)-1]
		case isText && top != nil && top.keys != nil && !top.inside:
			if top.keys[key] {
				return twiceAt(body, from, top.path+key, as)
			}
			top.keys[key], top.key, top.inside = true, key, true
			continue
		case t == json.Delim('{'):
			in = append(in, nesting{path: top.below(), keys: map[string]bool{}})
		case t == json.Delim('['):
			in = append(in, nesting{path: top.below()})
		default:
			top.next()
		}
		if len(in) == 0 {
			return nil
		}
	}
	return nil
}

// below returns how the path of what comes next begins, with which a reader goes on to it.
func (n *nesting) below() string {
	if n == nil {
		return ""
	}
	path := n.path + n.key + "."
	if n.keys == nil {
		path = fmt.Sprintf("%s[%d].", n.path[:max(len(n.path)-1, 0)], n.index)
	}
	n.next()
	return path
}

// next goes on behind a value.
func (n *nesting) next() {
	if n != nil {
		n.inside = false
		n.index++
	}
}

// twiceAt refuses a member whose name is the next text from an offset on.
func twiceAt(body []byte, from int, path string, as code) *problem {
	before := body[:from+bytes.IndexByte(body[from:], '"')]
	pos := grammar.Pos{Line: 1 + bytes.Count(before, []byte{'\n'})}
	pos.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	p := refuse(as, "body", "%s is there twice", short(path))
	p.Line, p.Column = pos.Line, pos.Column
	p.Source = excerpt(string(body), pos)
	return p
}
