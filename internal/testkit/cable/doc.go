// Package cable has the links of package ethercat/link that only tests use. Memory is a cable in memory: time goes on only while somebody
// waits, and what happens to each frame can be told in advance (Fault). Replay answers out of a recording that ReadPcap has read, and says
// where a master no longer does what was recorded. UDP reaches slaves that are programs.
package cable
