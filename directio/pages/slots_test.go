package pages

import (
	"testing"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

// TestSlotPages compares the table of §8.3 in all forms.
func TestSlotPages(t *testing.T) {
	first, third := 0, 3
	newCell(t, Options{}).checkView("slots", slotsView{Slots: []slotView{
		{
			Number: 1, Period: "1ms", Realtime: true, CPU: &third,
			Nets:   []slotNet{{facts.NetURI("rpinet0"), "rpinet0", "RUNNING"}, {facts.NetURI("rpinet2"), "rpinet2", "SCHEDULED"}},
			Common: []slotResource{{"left arm", "joint 1"}, {hostile, ""}},
		},
		{Number: 12, Period: "20ms", CPU: &first, Nets: []slotNet{{facts.NetURI("rpinet3"), "rpinet3", "READY"}}, Common: []slotResource{}},
		{Number: 13, Period: "20ms", Nets: []slotNet{{facts.NetURI("rpinet4"), "rpinet4", "READY"}}, Common: []slotResource{}},
	}})
}
