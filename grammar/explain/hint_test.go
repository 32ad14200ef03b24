package explain_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
)

// TestQuotes: the error for missing quotes of a parameter says what to write.
func TestQuotes(t *testing.T) {
	const second = `; write the value of a parameter in quotes: Second=`
	for text, want := range map[string]string{
		`{a=Core::DoubleAdd(Second=2),outTerminate=a.b}`:   `line 1, column 28: found ")", expected "." or "("` + second + `'2'`,
		"{a=Core::DoubleAdd(\n Second = -2.5, First='1')}": `line 2, column 11: found "-", expected a name, a string or "{"` + second + `'-2.5'`,
		`{a=Core::BooleanOr(Second=true,First='false')}`:   `line 1, column 31: found ",", expected "." or "("` + second + `'true'`,
		`{a=Core::DoubleAdd(Second="2")}`:                  `line 1, column 27: found "\"", expected a name, a string or "{"` + second + `'2'`,
		`{a=Core::DoubleAdd(inFirst=b),b=Core::Clock()}`:   `line 1, column 29: found ")", expected "." or "("; write the value of a parameter in quotes, inFirst='b', and the port of a primitive behind a dot, inFirst=b.outValue`,
		`{a=Core::DoubleAdd(inFirst=b.outValue}`:           `line 1, column 38: found "}", expected "," or ")"`,
		`{a}`:                                              `line 1, column 3: found "}", expected "=" or "["`,
	} {
		_, err := grammar.ParseNet(text, grammar.Limits{})
		if err = explain.Explain(explain.Net, text, err); err == nil || err.Error() != want {
			t.Errorf("%s\n%v, want\n%s", text, err, want)
		}
	}
}
