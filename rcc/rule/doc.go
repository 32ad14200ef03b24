// Package rule compiles the conditions of synchronization rules (§6.1) into small programs in three-valued logic that
// can be evaluated in the cycle.
package rule
