// Package scope is an oscilloscope for signals of the cell; it runs outside of the cycle. Its caller gives it samples; it
// knows neither nets nor devices.
//
// A [Setup] has the channels, the time before and after the trigger, and the trigger. A [Scope] gets the samples of every cycle,
// group by group: channels of one net share its ticks, those of another net have other ticks. It looks at every sample of the
// trigger's channel, so that no event is too short for it, and returns captures.
//
// A [Capture] has all channels on one axis of ticks, the union of those of its channels. Each channel has a [Mark] for each tick:
// whether it had a value there, none (null), or had no cycle there, in which case it repeats its previous value.
//
// [Measure] and [SpectrumOf] calculate figures of a signal; their comments define each figure. Captures are written as CSV and
// MCAP, and read again from MCAP. A [Store] keeps setups by their names.
package scope
