package urdf_test

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom/urdf"
)

const crane = `
<robot name="crane">
  <link name="ground"/>
  <link name="tower"/>
  <link name="trolley"/>
  <link name="hook"/>
  <joint name="slew" type="continuous">
    <parent link="ground"/><child link="tower"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="travel" type="prismatic">
    <parent link="tower"/><child link="trolley"/><origin xyz="0 0 30"/>
    <limit lower="2" upper="40" velocity="1" effort="5000"/>
  </joint>
  <joint name="rope" type="fixed">
    <parent link="trolley"/><child link="hook"/><origin xyz="0 0 -10"/>
  </joint>
</robot>`

func ExampleModel_Chain() {
	model, err := urdf.Parse(crane)
	if err != nil {
		fmt.Println(err)
		return
	}
	chain, err := model.Chain("ground", "hook")
	if err != nil {
		fmt.Println(err)
		return
	}
	at := chain.Forward([]float64{0, 12}).Pos
	fmt.Printf("%d joints, hook at %.3f m, %.3f m above ground\n", chain.Len(), at.X, at.Z)
	// Output: 2 joints, hook at 12.000 m, 20.000 m above ground
}

func ExampleModel_Frames() {
	model, err := urdf.Parse(crane)
	if err != nil {
		fmt.Println(err)
		return
	}
	frames, err := model.Frames(map[string]float64{"travel": 12})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, f := range frames {
		fmt.Println(model.Links[i].Name, f.Pos)
	}
	// Output:
	// ground {x:0,y:0,z:0}
	// tower {x:0,y:0,z:0}
	// trolley {x:12,y:0,z:30}
	// hook {x:12,y:0,z:20}
}

func ExampleParse_problems() {
	_, err := urdf.Parse(`<robot name="crane">
  <link name="ground"/>
  <link name="tower"/>
  <joint name="slew" type="revolute">
    <parent link="gruond"/>
    <child link="tower"/>
  </joint>
</robot>`)
	fmt.Println(err)
	// Output:
	// line 4, column 3: revolute joint "slew" without element limit
	// line 5, column 13: there is no link "gruond", did you mean ground?
}
