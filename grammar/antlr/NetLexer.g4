// The words of the language in which nets are loaded (§7.6.3, appendix A.3). It has a lexer of its own because a debug
// marker needs one: outside of it 2 and 13 are names, and 13.outValue is a name, a dot and a name.
lexer grammar NetLexer;

// In this order they are listed in errors.
DOT : '.' ;
EQUALS : '=' ;
MARKER_OPEN : '[' -> pushMode(MARKER) ;
PAREN_OPEN : '(' ;
BRACE_OPEN : '{' ;
COMMA : ',' ;
PAREN_CLOSE : ')' ;
BRACE_CLOSE : '}' ;

NAME : [A-Za-z0-9:_]+ ;
STRING : '\'' ( ~['\\] | '\\' ['\\] )* '\'' ;
SPACE : [ \t\r\n]+ -> skip ;
COMMENT : ( '//' ~[\n]* | '/*' .*? '*/' ) -> skip ;
OTHER : . ; // every text has tokens, so that all errors come from the parser

mode MARKER;

MARKER_CLOSE : ']' -> popMode ;
NUMBER : [0-9]+ ( '.' [0-9]+ )? | '.' [0-9]+ ;
MARKER_SPACE : [ \t\r\n]+ -> skip ;
MARKER_COMMENT : ( '//' ~[\n]* | '/*' .*? '*/' ) -> skip ;
MARKER_OTHER : . -> type(OTHER) ;
