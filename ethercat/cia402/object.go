package cia402

import (
	"math"
	"time"
)

// Objects of the first axis.
const (
	ErrorCode         uint16 = 0x603f
	Controlword       uint16 = 0x6040
	Statusword        uint16 = 0x6041
	QuickStopOption   uint16 = 0x605a
	ShutdownOption    uint16 = 0x605b
	DisableOption     uint16 = 0x605c
	HaltOption        uint16 = 0x605d
	FaultOption       uint16 = 0x605e
	ModeOfOperation   uint16 = 0x6060
	ModeDisplay       uint16 = 0x6061
	ActualPosition    uint16 = 0x6064
	FollowingWindow   uint16 = 0x6065
	ActualVelocity    uint16 = 0x606c
	TargetTorque      uint16 = 0x6071
	ActualTorque      uint16 = 0x6077
	TargetPosition    uint16 = 0x607a
	VelocityOffset    uint16 = 0x60b1
	TorqueOffset      uint16 = 0x60b2
	InterpolationTime uint16 = 0x60c2
	FollowingDistance uint16 = 0x60f4
	DigitalInputs     uint16 = 0x60fd
	DigitalOutputs    uint16 = 0x60fe
	TargetVelocity    uint16 = 0x60ff
	SupportedModes    uint16 = 0x6502
)

// Objects of a device with synchronous outputs and inputs (ETG.1000.6, ETG.1020), all axes together.
const (
	OutputSync uint16 = 0x1c32
	InputSync  uint16 = 0x1c33

	SyncType   uint8 = 1 // subindexes: 0 free, 1 with outputs, 2 SYNC0, 3 SYNC1
	SyncCycle  uint8 = 2 // ns
	SyncMissed uint8 = 11

	SyncWithSync0 = 2
)

// AxisStep is the distance of the objects of one axis from those of the next, PDOStep that of its PDOs.
const (
	AxisStep uint16 = 0x800
	PDOStep  uint16 = 0x10

	FirstRxPDO uint16 = 0x1600
	FirstTxPDO uint16 = 0x1a00
)

// MostAxes is the number of axes that fit in front of 0xa000.
const MostAxes = 8

// Of returns the object of an axis, from 0.
func Of(object uint16, axis int) uint16 { return object + AxisStep*uint16(axis) }

// Interpolation returns a time in the form of object 0x60C2: value·10^exponent s. It is false when it cannot be written like that.
func Interpolation(cycle time.Duration) (value uint8, exponent int8, ok bool) {
	if cycle <= 0 {
		return 0, 0, false
	}
	ns := int64(cycle)
	for exponent = -9; ns%10 == 0 && exponent < -3; exponent++ {
		ns /= 10
	}
	if ns > math.MaxUint8 {
		for ; ns%10 == 0; exponent++ {
			ns /= 10
		}
	}
	return uint8(ns), exponent, ns <= math.MaxUint8
}

// InterpolationOf returns the time of object 0x60C2.
func InterpolationOf(value uint8, exponent int8) time.Duration {
	return time.Duration(math.Round(float64(value) * math.Pow10(int(exponent)+9)))
}
