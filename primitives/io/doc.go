// Package io holds the primitives of digital and analog inputs and outputs (device.IO, §9.2), those of inputs and outputs that have
// names and types (device.Entries), and the pages that every device with such ports has.
//
// Sensors read before the net computes anything, so that one cycle sees one value. Outputs are written at its end. They are
// not resources: several primitives and several nets may write one output. The last one of a tick decides, and the device
// says that there was more than one. An output that nobody writes any more keeps its value, also when the net ends.
package io
