package urdf_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/urdf"
)

// rounding is what angles, and axes that are brought to length 1 again, may lose.
var rounding = cmp.Options{
	cmp.Comparer(func(a, b geom.Rotation) bool { return a.To(b).Angle() < 1e-14 }),
	cmp.FilterPath(
		func(p cmp.Path) bool { return p.Last().String() == ".Axis" },
		cmp.Comparer(func(a, b geom.Vector) bool { return a.Sub(b).Length() < 1e-15 }),
	),
}

// rereads writes a robot and looks that it reads back as the same.
func rereads(t *testing.T, m *urdf.Model) {
	t.Helper()
	written := m.String()
	again, err := urdf.Parse(written)
	if err != nil {
		t.Fatalf("%s\n%v", written, err)
	}
	if diff := cmp.Diff(m, again, rounding); diff != "" {
		t.Fatalf("%s\n(-want +got)\n%s", written, diff)
	}
}

func TestWritten(t *testing.T) {
	rereads(t, parse(t, everything))
	r := rand.New(rand.NewPCG(6, 5))
	for range 200 {
		rereads(t, parse(t, randomRobot(r, 1+r.IntN(12))))
	}
}

func TestWrittenText(t *testing.T) {
	m := parse(t, `<robot name="&lt;r&gt;"><link name="a&quot;b"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
		<link name="c"/><joint name="j" type="continuous"><child link="c"/><parent link="a&quot;b"/><axis xyz="0 0 5"/></joint></robot>`)
	const want = `<robot name="&lt;r&gt;">
  <link name="a&#34;b">
    <visual>
      <geometry>
        <box size="1 2 3"/>
      </geometry>
    </visual>
  </link>
  <link name="c">
  </link>
  <joint name="j" type="continuous">
    <parent link="a&#34;b"/>
    <child link="c"/>
    <axis xyz="0 0 1"/>
  </joint>
</robot>
`
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
