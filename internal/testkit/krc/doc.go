// Package krc models the controllers of KUKA robots as they are seen from the other end of their interfaces RSI and FRI, and a
// hostile network between: for tests of drivers, in virtual time, reproducible by seed.
//
//	Scenario ── draws ──> options, network, events
//	RSI, FRI ──telegram──> Net ──> driver ──answer──> Net ──> RSI, FRI ──> plant.Judge
//
// The network also has sockets and real time, for programs at both ends of it (Relay). There a seed says what happens and when, and
// the machine the rest.
//
// The models are written from the facts of docs/facts/kuka-rsi.md and docs/facts/kuka-fri.md, and share no code with the
// drivers. Where nothing is published, an option holds what may be, and Random draws from all of it.
//
// # The invariant
//
// A controller applies one whole answer in each of its cycles, or none. An answer changes what the controller commands by no
// more than each axis may move in one cycle, given its limits and the speed it had (plant.Judge). Silence is always safe.
package krc
