//go:build !race

package cyclecheck

const raced = false
