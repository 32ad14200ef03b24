package scopes

import "github.com/softrobot-rcc/rccd/rcc"

// constantOf returns the numbers of a port that never changes, nil where it is null or connected to nothing.
func constantOf(p *rcc.Probed) []float64 {
	var numbers []float64
	for _, w := range p.Constants {
		numbers = append(numbers, p.Type.Number(w))
	}
	return numbers
}
