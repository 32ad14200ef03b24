// Package testkit tests primitives by their declarations: examples run as tests, kernels must not allocate, random input
// must not hurt them, and names and defaults must be those that clients know.
package testkit
