// The messages of DirectIO (appendix A.2). Beyond the appendix: signs and exponents of numbers, tabs and newlines between
// tokens, strings as keys, and a map may be empty.
grammar Statement;

statement : tag=NAME '=' command=NAME '(' ( param ( ',' param )* )? ')' EOF ;

param : STRING | INT | FLOAT | list | dictionary ;

list : '[' ( param ( ',' param )* )? ']' ;

dictionary : '{' ( pair ( ',' pair )* )? '}' ;

pair : ( NAME | STRING ) ':' param ;

NAME : [A-Za-z_] [A-Za-z0-9_]* ;
INT : SIGN? DIGIT+ ;
FLOAT : SIGN? DIGIT* '.' DIGIT+ EXPONENT? | SIGN? DIGIT+ EXPONENT ;
STRING : '"' ( ~["\\] | '\\' ["\\] )* '"' ;
SPACE : [ \t\r\n]+ -> skip ;
OTHER : . ; // every text has tokens, so that all errors come from the parser

fragment SIGN : [+-] ;
fragment DIGIT : [0-9] ;
fragment EXPONENT : [eE] SIGN? DIGIT+ ;
