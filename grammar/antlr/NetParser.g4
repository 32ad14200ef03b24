// The language in which nets are loaded (§7.6.3, appendix A.3).
//
// Two rules are not in here, because they would need lookahead over a whole value: a marker stands only before something
// with a port, that is before an out port of a fragment or a connected in port.
parser grammar NetParser;

options { tokenVocab = NetLexer; }

net : body EOF ;

body : '{' ( entry ( ',' entry )* )? '}' ;

// a node, or, with a port, an out port of the fragment
entry : name=NAME marker? '=' node ( '.' port=NAME )? ;

// a name alone is a primitive without arguments; as a source it is the name of a node or the word parent
node : NAME arguments? | body arguments ;

arguments : '(' ( argument ( ',' argument )* )? ')' ;

argument : name=NAME marker? '=' ( STRING | node '.' port=NAME ) ;

marker : '[' NUMBER ']' ;
