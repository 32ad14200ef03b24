// Package config reads the configuration of a cell: YAML, strict, with everything that is wrong reported at once, each
// problem with file, line and key.
//
// Config is the only place that says which keys there are: its tags carry name, default, bounds and a line of
// documentation, and the published schema (docs/config.schema.json) is made from them.
//
//	yaml:"listen"      the key; yaml:",rest" takes all keys of a section that have no field
//	default:"…"        as it would be written; without it the zero value
//	enum:"a b"         the words that are allowed
//	min:"1" max:"9"    bounds, both allowed
//	required:"true"    must be there
//	doc:"…"            one line, lower case, with the unit
package config
