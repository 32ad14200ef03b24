// The conditions of synchronization rules (§6.1). An empty condition is true.
grammar Cond;

condition : disjunction? EOF ;

disjunction : conjunction ( '|' conjunction )* ;

conjunction : negation ( '&' negation )* ;

negation : '!' negation | atom ;

// t is the true condition, but also a name like any other
atom : net=NAME '.' key | TRUE ( '.' key )? | '(' disjunction ')' ;

key : NAME | TRUE ;

TRUE : 't' ;
NAME : [A-Za-z0-9:_]+ ;
SPACE : [ \t\r\n]+ -> skip ;
OTHER : . ; // every text has tokens, so that all errors come from the parser
