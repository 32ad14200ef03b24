//go:build race

package rcc_test

// defaultSteps: the race detector looks for something else, which schedules of a few steps show as well.
const defaultSteps = 2_000

// defaultVersions is how often an extension is replaced.
const defaultVersions = 100
