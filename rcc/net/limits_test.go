package net_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/motion"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const never = `,t=Core::BooleanValue(),outTerminate=t.outValue}`

// TestMistakes: what cannot work is refused, what is doubtful is loaded with a warning, all at once, with its place in the text and
// what to do.
func TestMistakes(t *testing.T) {
	opt := options(t)
	catalogue, err := spec.NewCatalogue(core.Primitives(), motion.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	opt.Catalogue = catalogue
	for _, tt := range []struct {
		text             string
		errors, warnings []string
	}{
		{text: `{a=Core::DoubleAtTime(Age='2',MaxAge='1',inValue=w.outValue),w=Core::DoubleValue(),outA=a.outValue` + never, warnings: []string{
			"a: Age: it is 2, but should be at most MaxAge, which is 1: nothing as old is remembered and outValue stays null, raise MaxAge (line 1, column 23)",
		}},
		{text: `{a=Core::DoubleAtTime(Age='-1',inValue=w.outValue),w=Core::DoubleValue(),outA=a.outValue` + never, warnings: []string{
			"a: Age: it is -1, but should be at least 0: what is to come is not known, outValue is that of this cycle (line 1, column 23)",
		}},
		{text: `{a=Core::DoubleAtTime(inAge=v.outValue,inValue=w.outValue),w=Core::DoubleValue(),v=Core::DoubleValue(Value='7'),outA=a.outValue` + never, warnings: []string{
			"a: Age: it is 7, but should be at most MaxAge, which is 1: nothing as old is remembered and outValue stays null, raise MaxAge (line 1, column 2)",
		}},
		{text: `{a=Core::DoubleAtTime(inAge=c.outValue,inValue=w.outValue),w=Core::DoubleValue(),c=Core::Clock(Increment='7'),outA=a.outValue` + never},
		{text: `{a=Core::DoubleAtTime(Age='7',inAge=c.outValue,inValue=w.outValue),w=Core::DoubleValue(),c=Core::Clock(),outA=a.outValue` + never},
		{text: `{a=Core::DoubleArrayGet(Size='2',Index='2',inArray=s.outArray),s=Core::DoubleArray(Size='-1'),outA=a.outValue` + never, errors: []string{
			"a: Index: it is 2, but must be below Size, which is 2 (line 1, column 34)",
			"s: Size: it is -1, but must be at least 0 (line 1, column 84)",
		}},
		{text: `{a=Motion::DoubleS(To='1',MaxVel='0',MaxAcc='-1',MaxJerk='nan'),outA=a.outPos` + never, errors: []string{
			"a: MaxVel: it is 0, but must be above 0 (line 1, column 27)",
			"a: MaxAcc: it is -1, but must be above 0 (line 1, column 38)",
			"a: MaxJerk: it is NaN, but must be above 0 (line 1, column 50)",
		}},
		{text: `{a=Core::OTG(),outA=a.outPos` + never, warnings: []string{
			"a: maxVel: it is 0, but should be above 0: without a limit above 0 nothing moves (line 1, column 2)",
			"a: maxAcc: it is 0, but should be above 0: without a limit above 0 nothing moves (line 1, column 2)",
			"a: inDestPos: nothing is connected to it, so that it has no value in any cycle; connect an out port (line 1, column 2)",
		}},
		{text: `{a=Core::OTG(maxVel='-1',maxAcc='1',inDestPos=v.outValue),v=Core::DoubleValue(),outA=a.outPos` + never, errors: []string{
			"a: maxVel: it is -1, but must be at least 0 (line 1, column 14)",
		}},
		{text: `{a=Motion::PTP(From='[0,0]',To='[1,1]',MaxVel='[1,1]',MaxAcc='[1,-1]'),outA=a.outPos` + never, errors: []string{
			"a: MaxAcc: element 1 is -1, but must be above 0 (line 1, column 55)",
		}},
		{text: `{a=Motion::PTP(Size='1',From='[0,0]',To='[1]',MaxVel='[1]',MaxAcc='[1]'),outA=a.outPos` + never, warnings: []string{
			"a: From: it has 2 elements, but should be of a length at most Size, which is 1: elements without a joint count for nothing (line 1, column 25)",
			"a: From: it has 2 elements, but should be of a length equal to that of To, which has 1: joints without both ends do not move (line 1, column 25)",
		}},
		{text: `{a=Core::DoubleNetcommOut(Key='x'),f={b=Core::BooleanNetcommOut(Key='y')}(),c=Core::IntNetcommOut(Key='x')` + never, errors: []string{
			`c: key outx is used with type double and with type int (line 1, column 77)`,
		}, warnings: []string{
			"a: inValue: nothing is connected to it, so that it has no value in any cycle; connect an out port (line 1, column 2)",
			"f.b: inValue: nothing is connected to it, so that it has no value in any cycle; connect an out port (line 1, column 39)",
			"c: inValue: nothing is connected to it, so that it has no value in any cycle; connect an out port (line 1, column 77)",
		}},
		{text: `{a=Core::DoubleNetcommOut(Key='x',inValue=v.outValue),c=Core::DoubleNetcommOut(inValue=v.outValue,Key='x'),v=Core::DoubleValue()` + never, errors: []string{
			`c: Key: a has the same Key "x", so that only one of the two values is ever seen; give each its own (line 1, column 99)`,
		}},
		{text: `{a=Core::DoubleNetcommOut(Key='x',inValue=v.outValue),v=Core::DoubleValue(),b=Core::DoubleNetcommOut(Key='x',inValue=v.outValue,inActive=n.outValue),n=Core::BooleanNetcommIn(Key='n')` + never, warnings: []string{
			`b: Key: a has the same Key "x"; while both are active only one of the two values is seen (line 1, column 102)`,
		}},
		{text: `{a=Core::DoubleNetcommIn(Key='x'),b=Core::DoubleNetcommIn(Key='x'),c=Core::DoubleAdd(inFirst=a.outValue,inSecond=b.outValue)` + never, warnings: []string{
			"c: no port of the net reads a value of it, and it has no other effect: connect outValue, or leave it out (line 1, column 68)",
		}},
		{text: "{f={v=Core::DoubleValue(),a=Motion::OTG(MaxVel='-1',inDestPos=v.outValue),\n  outA=a.outPos}(),outA=f.outA" + never, errors: []string{
			"f.a: MaxVel: it is -1, but must be at least 0 (line 1, column 41)",
		}},
		{text: "{\n  a=Foo::Bar(),\n  b=Core::BooleanNot(inValue=t.outValu)" + never, errors: []string{
			"a: unknown type Foo::Bar (line 2, column 3)",
			"b: inValue: Core::BooleanValue has no out port outValu, did you mean outValue? It has outValue (line 3, column 22)",
		}},
		{text: "{a=Motion::Circle(Via='{x:1,y:1}',To='{pos:{x:2}}',Orientation='free'),outA=a.outPos" + never, errors: []string{
			`a: Orientation: it is "free", but must be one of turning, constant, turning on wheel, fixed on wheel (line 1, column 52)`,
		}},
	} {
		program, err := net.Compile(parse(t, tt.text), opt)
		var errs, warnings []net.Problem
		var r *net.Rejection
		if errors.As(err, &r) {
			errs, warnings = r.Problems, r.Warnings
		} else if err != nil {
			t.Fatal(err)
		} else {
			warnings = program.Warnings
		}
		if diff := cmp.Diff(tt.errors, texts(errs)); diff != "" {
			t.Errorf("%s: errors (-want +got):\n%s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.warnings, texts(warnings)); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tt.text, diff)
		}
	}
}

func texts(list []net.Problem) (texts []string) {
	for _, p := range list {
		texts = append(texts, p.WithPlace())
	}
	return texts
}
