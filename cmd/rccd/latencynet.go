package main

import (
	"fmt"
	"strings"
)

// swing writes a net of a number of primitives that resembles that of a robot motion (§5.4): for each of six joints pieces of
// a path, one of which is chosen by the time, then checks of the speed and messages. It never ends by itself.
func swing(primitives int) string {
	w := &swinger{}
	cancel := w.add("Cancel()")
	clock := w.add("Core::Clock()")
	override := w.add("Core::DoubleNetcommIn(Key='override',Value='1')")
	const joints, end, piece = 6, 9, 6 // primitives of the end of a joint, and of a piece
	pieces := (primitives - len(w.entries) - joints*end) / (joints * piece)
	for j := range joints {
		position := override + ".outValue"
		for k := range pieces {
			position = w.piece(clock, position, j, k)
		}
		w.joint(position, j)
	}
	for len(w.entries) < primitives {
		override = w.add("Core::DoubleAdd(inFirst=%s.outValue,Second='1')", override)
	}
	return fmt.Sprintf("{%s,outTerminate=%s.outCancel}", strings.Join(w.entries, ","), cancel)
}

// swinger collects primitives.
type swinger struct {
	entries []string
}

func (w *swinger) add(format string, args ...any) (name string) {
	name = fmt.Sprint("p", len(w.entries))
	w.entries = append(w.entries, name+"="+fmt.Sprintf(format, args...))
	return name
}

// piece returns a parabola of the time (equation 5.1), and the choice between it and what was before.
func (w *swinger) piece(clock, before string, joint, number int) (source string) {
	slope := w.add("Core::DoubleMultiply(inFirst=%s.outValue,Second='0.%d')", clock, joint+1)
	speed := w.add("Core::DoubleAdd(inFirst=%s.outValue,Second='%d')", slope, number)
	way := w.add("Core::DoubleMultiply(inFirst=%s.outValue,inSecond=%s.outValue)", speed, clock)
	position := w.add("Core::DoubleAdd(inFirst=%s.outValue,Second='%d')", way, joint)
	late := w.add("Core::DoubleGreater(inFirst=%s.outValue,Second='%d')", clock, number)
	chosen := w.add("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s,inTrue=%s.outValue)", late, before, position)
	return chosen + ".outValue"
}

// joint is what every joint has at its end.
func (w *swinger) joint(position string, joint int) {
	angle := w.add("Core::DoubleSin(inValue=%s)", position)
	before := w.add("Core::DoublePre(inValue=%s.outValue)", angle)
	back := w.add("Core::DoubleMultiply(inFirst=%s.outValue,Second='-1')", before)
	step := w.add("Core::DoubleAdd(inFirst=%s.outValue,inSecond=%s.outValue)", angle, back)
	fast := w.add("Core::DoubleGreater(inFirst=%s.outValue,Second='0.1')", step)
	gone := w.add("Core::DoubleIsNull(inValue=%s.outValue)", angle)
	bad := w.add("Core::BooleanOr(inFirst=%s.outValue,inSecond=%s.outValue)", fast, gone)
	held := w.add("Core::DoubleConditional(inCondition=%s.outValue,inFalse=%s.outValue,inTrue=%s.outValue)", bad, angle, before)
	w.add("Core::DoubleNetcommOut(inValue=%s.outValue,Key='joint%d')", held, joint)
}
