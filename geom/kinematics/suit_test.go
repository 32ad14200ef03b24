package kinematics_test

import (
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

func TestArmOf(t *testing.T) {
	slide := must(kinematics.New([]kinematics.Segment{
		{Axis: geom.Vector{X: 1}, Joint: kinematics.Joint{Kind: kinematics.Prismatic, Max: 1}},
	}, geom.Frame{}))
	tests := []struct {
		chain *kinematics.Chain
		want  string
	}{
		{kr16(), "*kinematics.Wrist"},
		{tx90l(), "*kinematics.Wrist"},
		{ur5(), "*kinematics.UR"},
		{lwr(), "*kinematics.SRS"},
		{panda(), "*kinematics.Numeric"},
		{slide, "*kinematics.Numeric"},
	}
	for i, tt := range tests {
		arm, err := kinematics.ArmOf(tt.chain)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%T", arm.Solver); got != tt.want || arm.Chain != tt.chain {
			t.Errorf("arm %d: %s, want %s", i, got, tt.want)
		}
	}
}
