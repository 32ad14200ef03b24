// Package configs holds the built-in cell, which is also an example for cells of your own.
package configs

import "embed"

// Files are the configuration of the built-in cell and the nets that it names.
//
//go:embed *.yaml *.dio
var Files embed.FS

// Sim is the file of the built-in cell.
const Sim = "sim.yaml"
