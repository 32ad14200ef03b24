package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
)

// The commonest mistake in a net is a parameter without quotes, as in Second=2. Its value then is read as the name of a primitive, and
// the error stands behind it.
var (
	valueBefore = regexp.MustCompile(`([A-Za-z0-9_:]+)[ \t]*=[ \t]*([A-Za-z0-9_:]+)[ \t]*$`)
	equalBefore = regexp.MustCompile(`([A-Za-z0-9_:]+)[ \t]*=[ \t]*$`)
	valueAfter  = regexp.MustCompile(`^"?([-+.A-Za-z0-9]+)`)
	literal     = regexp.MustCompile(`^[-+]?[0-9.]|^(true|false|nan|inf)$`)
)

// withHint adds a hint where the quotes of a parameter are missing.
func withHint(text string, err error) error {
	var refused *grammar.Error
	if !errors.As(err, &refused) || refused.Message != "" || refused.Pos.Line == 0 {
		return err
	}
	before, after := around(text, refused.Pos)
	hint := ""
	if m := valueBefore.FindStringSubmatch(before); m != nil && refused.Found != `"."` {
		if !strings.HasPrefix(after, ")") && !strings.HasPrefix(after, ",") {
			return err
		}
		hint = fmt.Sprintf("write the value of a parameter in quotes: %s='%s'", m[1], m[2])
		if !literal.MatchString(m[2]) {
			hint = fmt.Sprintf("write the value of a parameter in quotes, %s='%s', and the port of a primitive behind a dot, %s=%s.outValue", m[1], m[2], m[1], m[2])
		}
	} else if m := equalBefore.FindStringSubmatch(before); m != nil {
		if v := valueAfter.FindStringSubmatch(after); v != nil {
			hint = fmt.Sprintf("write the value of a parameter in quotes: %s='%s'", m[1], v[1])
		}
	}
	if hint == "" {
		return err
	}
	told := *refused
	placeless := told
	placeless.Pos = grammar.Pos{}
	told.Message = placeless.Error() + "; " + hint
	return &told
}

// around returns what stands on the line of a place on either side of it, as far as a value goes.
func around(text string, at grammar.Pos) (before, after string) {
	const most = 200
	for number := 1; number < at.Line; number++ {
		_, rest, more := strings.Cut(text, "\n")
		if !more {
			return "", ""
		}
		text = rest
	}
	column := 1
	for i := range text {
		if column == at.Column {
			before, after = text[:i], text[i:]
			return before[max(0, len(before)-most):], after[:min(len(after), most)]
		}
		column++
	}
	return text[max(0, len(text)-most):], ""
}
