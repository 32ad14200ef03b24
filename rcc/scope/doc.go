// Package scope is an oscilloscope for what runs in the cell, outside of the cycle. It works on samples that somebody gives it
// and knows neither nets nor devices.
//
// A [Setup] says which channels are shown, for how long before and after a trigger, and what triggers. A [Scope] is fed with the
// samples of every cycle, group by group: channels of one net share its ticks, those of another net have other ones. It looks at
// every sample of the trigger's channel, so that nothing is too short for it, and returns captures.
//
// A [Capture] has all channels on one axis of ticks, the union of those of its channels. Each channel has a [Mark] for each tick:
// whether it had a value there, none (null), or had no cycle there, in which case it repeats its value of before.
//
// [Measure] and [SpectrumOf] say what engineers read from a signal; their comments define every figure. Captures are written as
// CSV and MCAP, and read again from MCAP. A [Store] keeps setups by their names.
package scope
