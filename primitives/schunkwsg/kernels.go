package schunkwsg

import "github.com/softrobot-rcc/rccd/rcc/spec"

// The kernels of all actions are the same except for the type that they go through: which one an instance is must be known when
// the program is built, because the cycle calls nothing that the checker of the cycle cannot follow.
var (
	homingKernels = spec.Kernels[homing]{
		Sense: func(run []homing, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []homing, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []homing, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	prepositioningKernels = spec.Kernels[prepositioning]{
		Sense: func(run []prepositioning, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []prepositioning, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []prepositioning, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	graspingKernels = spec.Kernels[grasping]{
		Sense: func(run []grasping, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []grasping, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []grasping, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	releasingKernels = spec.Kernels[releasing]{
		Sense: func(run []releasing, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []releasing, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []releasing, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	setAccelerationKernels = spec.Kernels[setAcceleration]{
		Sense: func(run []setAcceleration, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []setAcceleration, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []setAcceleration, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	setForceLimitKernels = spec.Kernels[setForceLimit]{
		Sense: func(run []setForceLimit, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []setForceLimit, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []setForceLimit, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	setSoftLimitsKernels = spec.Kernels[setSoftLimits]{
		Sense: func(run []setSoftLimits, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []setSoftLimits, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []setSoftLimits, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	clearSoftLimitsKernels = spec.Kernels[clearSoftLimits]{
		Sense: func(run []clearSoftLimits, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []clearSoftLimits, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []clearSoftLimits, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
	stopDeviceKernels = spec.Kernels[stopDevice]{
		Sense: func(run []stopDevice, _ *spec.Cycle) {
			for i := range run {
				run[i].sense()
			}
		},
		Run: func(run []stopDevice, cy *spec.Cycle) {
			for i := range run {
				run[i].run(cy)
			}
		},
		Act: func(run []stopDevice, _ *spec.Cycle) {
			for i := range run {
				run[i].act()
			}
		},
	}
)
