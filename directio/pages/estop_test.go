package pages

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestEmergencyStop: the device of the core tells what nets ask for.
func TestEmergencyStop(t *testing.T) {
	c := newWholeCell(t)
	told := func() string {
		answer := httptest.NewRecorder()
		c.pages.ServeHTTP(answer, request("GET", "/devices/rcc/", ""))
		return answer.Body.String()
	}
	n := c.load(`{v=Core::BooleanValue(Value='true'),stop=EStop(inEStop=v.outValue),outTerminate=Core::BooleanValue().outValue}`, "", "")
	if !strings.Contains(told(), `estop="false"`) {
		t.Error(told())
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(10 * time.Millisecond)
	if !strings.Contains(told(), `estop="true"`) {
		t.Error(told())
	}
}
