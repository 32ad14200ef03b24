// Package text reads and prints the texts in which values travel between programs: numbers, {name:value,…} and [value,…].
//
// A Scanner reads what is well-formed and remembers the first thing that is not, with its place; readers of a type are
// functions of a scanner and are put together as the types are. Numbers are printed in the shortest form that reads back
// exactly, in the spelling that clients of two generations read.
package text
