// Package core holds the basic primitives (§7.3, §7.6.1): constants, null, history, comparison, arithmetic, time, shapes
// of motion, and messages.
//
// # Null and special values
//
// Double arithmetic and maths take null as NaN. Whatever works on int or time gives null when an operand is null, and
// when the result lies outside the type: overflow, division by zero, conversion of NaN. Boolean operators read their
// parameter instead of null. Comparisons with null or NaN are false. Primitives that choose or keep values (Conditional,
// Snapshot, AtTime, Pre …) hand null on (architecture: values and no value).
//
// # State
//
// inReset makes a cycle the first one for a primitive with state: it forgets, then works as usual. Time windows count the
// cycles in which the primitive is active. No input can leave NaN in the state of a primitive for longer than its window.
package core
