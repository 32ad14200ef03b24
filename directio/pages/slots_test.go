package pages

import (
	"testing"
)

// TestSlotPages compares the table of §8.3 in all forms.
func TestSlotPages(t *testing.T) {
	first, third := 0, 3
	newCell(t, Options{}).checkView("slots", slotsView{Slots: []slotView{
		{
			Number: 1, Period: "1ms", Realtime: true, CPU: &third,
			Nets:   []slotNet{{netURI("rpinet0"), "rpinet0", "RUNNING"}, {netURI("rpinet2"), "rpinet2", "SCHEDULED"}},
			Common: []slotResource{{"left arm", "joint 1"}, {hostile, ""}},
		},
		{Number: 12, Period: "20ms", CPU: &first, Nets: []slotNet{{netURI("rpinet3"), "rpinet3", "READY"}}, Common: []slotResource{}},
		{Number: 13, Period: "20ms", Nets: []slotNet{{netURI("rpinet4"), "rpinet4", "READY"}}, Common: []slotResource{}},
	}})
}
