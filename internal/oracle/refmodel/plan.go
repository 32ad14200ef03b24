package refmodel

import (
	"fmt"
	"strings"
)

// Plan is what a net is going to do.
type Plan struct {
	Period   int // ms
	Realtime bool
	Channels []int // of the device, commanded in every cycle with the number of the net
	Signals  []Signal
	End      int  // cycle in which it wants to end; 0 never
	Fail     bool // it names a failure then
	Obey     int  // cycles after the first cancelled one in which it wants to end; -1 never
	Broken   bool // it cannot be loaded
}

// Signal is a Boolean variable of a net: true from cycle Rise to cycle Fall, written from cycle On to cycle Off. Ends are
// not included, and 0 is no end.
type Signal struct {
	Key                 string
	Rise, Fall, On, Off int
}

func (s Signal) written(cycle int) bool { return within(cycle, s.On, s.Off) }
func (s Signal) value(cycle int) bool   { return within(cycle, s.Rise, s.Fall) }

func within(cycle, from, until int) bool { return cycle >= from && (until == 0 || cycle < until) }

// wants reports whether the net wants to end in a cycle; cancelled is the first cycle that knows of a cancellation.
func (p *Plan) wants(cycle, cancelled int) bool {
	return cycle == p.End || p.Obey >= 0 && cancelled > 0 && cycle >= cancelled+p.Obey
}

// Text returns the plan as a net that counts its cycles. Signals that are not always written are in fragments.
func (p *Plan) Text(number int) string {
	w := &writer{}
	w.add("last=Core::IntPre(inValue=n.outValue)")
	w.add("first=Core::IntIsNull(inValue=last.outValue)")
	w.add("so=Core::IntConditional(inCondition=first.outValue,True='0',inFalse=last.outValue)")
	w.add("n=Core::IntAdd(inFirst=so.outValue,Second='1')")
	for i, s := range p.Signals {
		w.signal(fmt.Sprint("s", i), s)
	}
	w.add("me=Core::DoubleValue(Value='%d')", number)
	for _, c := range p.Channels {
		w.add("a%d=Test::Actuator(Device='arm',Channel='%d',inValue=me.outValue)", c, c)
	}
	w.ending(p)
	if p.Fail {
		w.add("outFail=Core::IntValue(Value='7').outValue")
	}
	return "{" + strings.Join(w.entries, ",") + "}"
}

type writer struct{ entries []string }

func (w *writer) add(format string, args ...any) {
	w.entries = append(w.entries, fmt.Sprintf(format, args...))
}

// span adds a Boolean that is true from one cycle to another.
func (w *writer) span(name string, from, until int) {
	w.add("%sf=Core::IntGreater(inFirst=n.outValue,Second='%d')", name, from-1)
	if until == 0 {
		w.add("%s=Core::BooleanAnd(inFirst=%sf.outValue)", name, name)
		return
	}
	w.add("%su=Core::IntGreater(First='%d',inSecond=n.outValue)", name, until)
	w.add("%s=Core::BooleanAnd(inFirst=%sf.outValue,inSecond=%su.outValue)", name, name, name)
}

func (w *writer) signal(name string, s Signal) {
	w.span(name, s.Rise, s.Fall)
	key, _ := strings.CutPrefix(s.Key, "out")
	if s.On <= 1 && s.Off == 0 {
		w.add("%sk=Core::BooleanNetcommOut(Key='%s',inValue=%s.outValue)", name, key, name)
		return
	}
	w.span(name+"w", s.On, s.Off)
	w.add("%sg={k=Core::BooleanNetcommOut(Key='%s',inValue=parent.inValue)}(inValue=%s.outValue,inActive=%sw.outValue)", name, key, name, name)
}

func (w *writer) ending(p *Plan) {
	w.add("end=Core::IntEquals(inFirst=n.outValue,Second='%d')", p.End)
	w.add("cancel=Cancel()")
	cancelled := "cancel.outCancel"
	for i := range p.Obey {
		w.add("c%d=Core::BooleanPre(inValue=%s)", i, cancelled)
		cancelled = fmt.Sprintf("c%d.outValue", i)
	}
	switch {
	case p.Broken:
	case p.Obey < 0:
		w.add("outTerminate=end.outValue")
	default:
		w.add("outTerminate=Core::BooleanOr(inFirst=end.outValue,inSecond=%s).outValue", cancelled)
	}
}
