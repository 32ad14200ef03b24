//go:build !race

package rcc_test

// defaultSteps is how many steps TestAgainstReference takes.
const defaultSteps = 50_000
