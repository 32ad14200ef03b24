package legible

// NetLine is a line of a net as people read it: a node, or a fragment with the lines in it, which can be folded.
type NetLine struct {
	Text  string
	Inner []NetLine
	End   string // of a fragment
}

// unfolded is how many lines a fragment may have that is shown with what is in it.
const unfolded = 40

// Open reports whether a fragment is shown with what is in it from the beginning.
func (l NetLine) Open() bool { return len(l.Inner) <= unfolded }

// NetLines cuts the text of a net, as it is written by grammar.Node, into lines.
func NetLines(text string) []NetLine {
	c := cutter{text: text}
	return []NetLine{c.line()}
}

// cutter goes through a text. The depth of nesting is bounded where nets are read.
type cutter struct {
	text string
	at   int
}

// line takes a node up to the comma or the brace behind it.
func (c *cutter) line() NetLine {
	begin, brackets := c.at, 0
	for ; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case '\'', '"':
			c.quoted()
		case '(', '[':
			brackets++
		case ')', ']':
			brackets--
		case '{':
			if brackets == 0 {
				return c.fragment(begin)
			}
			brackets++
		case '}':
			if brackets == 0 {
				return NetLine{Text: c.text[begin:c.at]}
			}
			brackets--
		case ',':
			if brackets == 0 {
				c.at++
				return NetLine{Text: c.text[begin:c.at]}
			}
		}
	}
	return NetLine{Text: c.text[begin:]}
}

// fragment takes a fragment whose brace is next, with what is behind it.
func (c *cutter) fragment(begin int) NetLine {
	c.at++
	l := NetLine{Text: c.text[begin:c.at]}
	for c.at < len(c.text) && c.text[c.at] != '}' {
		l.Inner = append(l.Inner, c.line())
	}
	end := c.at
	c.at = min(c.at+1, len(c.text))
	c.line()
	l.End = c.text[end:c.at]
	return l
}

// quoted goes to the end of a text in quotes.
func (c *cutter) quoted() {
	quote := c.text[c.at]
	for c.at++; c.at < len(c.text) && c.text[c.at] != quote; c.at++ {
		if c.text[c.at] == '\\' {
			c.at++
		}
	}
	c.at = min(c.at, len(c.text)-1)
}
