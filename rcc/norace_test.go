//go:build !race

package rcc_test

// defaultSteps is how many steps TestAgainstReference takes.
const defaultSteps = 50_000

// defaultVersions is how often an extension is replaced.
const defaultVersions = 1_000
