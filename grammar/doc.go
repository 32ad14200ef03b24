// Package grammar reads and writes the three languages in which applications talk to the daemon: statements, the
// messages of DirectIO (§7.6.3, appendix A.2); nets, the text form of primitive nets (§7.6.3, appendix A.3); conditions
// of synchronization rules (§6.1).
//
//	statement  = name "=" name "(" [ param { "," param } ] ")"
//	param      = "string" | number
//	           | "[" [ param { "," param } ] "]"
//	           | "{" [ key ":" param { "," key ":" param } ] "}"
//	key        = name | "string"
//
//	net        = "{" [ entry { "," entry } ] "}"
//	entry      = name "=" node                      a primitive or fragment
//	           | name [ marker ] "=" source         an out port of the fragment
//	node       = name [ arguments ]                 a primitive
//	           | net arguments                      a fragment
//	arguments  = "(" [ argument { "," argument } ] ")"
//	argument   = name "=" 'string'                  a parameter
//	           | name [ marker ] "=" source         a connected in port
//	source     = node "." name                      a node by name, parent, or an anonymous node in place
//	marker     = "[" seconds "]"                    debug recording
//
//	condition  = [ or ]                             empty is true
//	or         = and { "|" and }
//	and        = not { "&" not }
//	not        = "!" not | name "." name | "t" | "(" or ")"
//
// Names are letters, digits, ":" and "_" in nets and conditions, and may be all digits: existing clients number the
// primitives of a net. In statements they are letters, digits and "_" and begin with no digit. Letters are ASCII. A
// string escapes its own quote and the backslash with a backslash and nothing else. Numbers are signed decimals with
// optional fraction and exponent. Blanks, tabs and line breaks are allowed between tokens. Signs, exponents, tabs and
// line breaks in statements are read for convenience and never written: the parsers of existing clients lack them.
//
// The parsers here are written by hand because they stand at the open end of the daemon: they are some thirty times
// faster than generated ones, hold to limits while they work, and cannot be driven into a stack overflow by nested
// brackets. The grammars in the folder antlr say the same, in a form for readers. The parsers generated
// from them, behind package explain, are the oracle of the tests here and list for a refused text all that could have
// stood where it is wrong.
//
// Nothing here knows what a net means; that names are unique and ports exist is checked where nets are compiled.
// All functions are for any goroutine, outside the cycle.
package grammar

//go:generate ./generate.sh
