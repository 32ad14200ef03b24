package client_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// TestNumbersThatAreNone: NaN and infinities that nets compute arrive unchanged, among numbers.
func TestNumbersThatAreNone(t *testing.T) {
	const text = `{"devices":[{"name":"arm","from":[0.5],"by":"plan","end":1,"rest":"Infinity","joints":[1,"-Infinity"],"left":[{"joint":1,"name":"A2","at":0.5,"velocity":2}],
		"peaks":[{"velocity":"Infinity","velocityLimit":1,"acceleration":3,"accelerationLimit":0}]}],
		"breaches":[{"at":0.25,"device":"arm","joint":1,"name":"A2","what":"position","value":"NaN","limit":2,"worst":"-Infinity","joints":[0.5,1],"text":"so","refused":true}]}`
	var p client.Preview
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	device := client.PreviewedDevice{
		Name: "arm", From: []float64{0.5}, By: client.ByPlan, End: 1, Rest: math.Inf(1), Joints: []float64{1, math.Inf(-1)},
		Left: []client.LeftJoint{{Joint: 1, Name: "A2", At: 0.5, Velocity: 2}}, Peaks: []client.Peak{{Velocity: math.Inf(1), VelocityLimit: 1, Acceleration: 3}},
	}
	if !reflect.DeepEqual(p.Devices, []client.PreviewedDevice{device}) {
		t.Errorf("%+v", p.Devices)
	}
	b := p.Breaches[0]
	if !math.IsNaN(b.Value) || !math.IsInf(b.Worst, -1) {
		t.Errorf("%+v", b)
	}
	b.Value, b.Worst = 0, 0
	if want := (client.Breach{At: 0.25, Device: "arm", Joint: 1, Name: "A2", What: "position", Limit: 2, Joints: []float64{0.5, 1}, Text: "so", Refused: true}); !reflect.DeepEqual(b, want) {
		t.Errorf("%+v", b)
	}
	for _, wrong := range []string{`{"breaches":[{"value":"much"}]}`, `{"devices":[{"joints":[true]}]}`} {
		if err := json.Unmarshal([]byte(wrong), &p); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
