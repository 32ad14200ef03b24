package krl

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is one of the hand-shakes.
type Kind uint8

// The hand-shakes.
const (
	Values Kind = iota
	Numbers
	Request
	Codes
	Commands
)

// Names are those of the hand-shakes, in the order of their numbers.
var Names = []string{"values", "numbers", "request", "codes", "commands"}

func (k Kind) String() string {
	if int(k) < len(Names) {
		return Names[k]
	}
	return fmt.Sprintf("hand-shake %d", k)
}

// KindOf finds a hand-shake by its name.
func KindOf(name string) (Kind, error) {
	if i := slices.Index(Names, name); i >= 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("unknown hand-shake %q; known are %s", name, strings.Join(Names, ", "))
}

// FirstPort returns the first Boolean that the hand-shake leaves to inputs and outputs.
func (k Kind) FirstPort() int {
	switch k {
	case Request, Codes, Commands:
		return 1
	default:
		return 0
	}
}

// TellsStrategy reports whether the program learns of control strategies.
func (k Kind) TellsStrategy() bool { return k != Request }

// TellsLoad reports whether the program learns of loads.
func (k Kind) TellsLoad() bool { return k == Values }

// Meanings of commands and codes.
const (
	numberStop, numberStart   = 0, 1
	requestStart, requestStop = 1, 2
	codeStart, codeStop       = 10, 20
	codeRuns                  = 20 // what the program says
	commandStart, commandStop = 1, 2
	commandStrategy           = 30
	resultGood                = 100
)

// Fixed places of values.
const (
	codeAt, codeStrategyAt   = 15, 14
	commandAt, commandAckAt  = 15, 14
	commandValueAt           = 1
	numberStrategy, numberAt = 0, 1
)

// LoadValues is the number of values of a load.
const LoadValues = 16
