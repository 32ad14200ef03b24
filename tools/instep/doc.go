// Package instep repeats the experiment of §11.2.1: one net moves two robots of different controllers along a line, there and
// back, and the distance of their flanges is recorded. Here they are an LWR over FRI and a KR 16 over RSI, both simulated, with
// the drivers of real ones. All of it happens in a time of its own, so that every run is the same.
//
// Both robots are commanded for the same instants, but one of them arrives later: its controller takes values less often and
// smooths them. How much later is what the parameter ahead of its driver makes up for (equation 9.1).
package instep
