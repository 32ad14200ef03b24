// Package motion moves several axes, or a frame in space, over time.
package motion
