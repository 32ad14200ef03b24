import { heldMark, valueMark, type Captured, type CapturedChannel } from "../stream/capture";
import { someGiven, someMissing } from "../stream/samples";
import type { Form } from "../stream/wire";
import type { Capture, Described, Part } from "./source";

/** describedOf returns the daemon's description of a channel of a scope. */
export function describedOf(form: Form): Described {
  return {
    type: form.type, components: form.components, period: form.period ? form.period / 1e9 : null,
    ...(form.unit !== undefined && { unit: form.unit }), ...(form.states && { states: form.states }), ...(form.normed !== undefined && { normed: form.normed }),
  };
}

/** captureOf returns a capture in the form for plots. */
export function captureOf({ facts, ticks, channels }: Captured): Capture {
  const axis = Math.round(facts.trigger / 1e3) / 1e6; // the nearest tick is looked for: numbers of JSON are not exact to the nanosecond
  return { number: facts.number, trigger: nearest(ticks, axis), forced: facts.forced, lost: facts.lost ?? 0, late: facts.late ?? [], parts: channels.map((c) => partOf(ticks, c)) };
}

/** nearest is the tick next to a time, or the time where none is near. */
function nearest(ticks: Float64Array, time: number): number {
  let best = time;
  let distance = 2e-6;
  for (const tick of ticks) {
    if (Math.abs(tick - time) >= distance) continue;
    distance = Math.abs(tick - time);
    best = tick;
  }
  return best;
}

/** partOf leaves out the ticks of other channels; a value that is held from before the capture is its first sample. */
function partOf(axis: Float64Array, { components, marks }: CapturedChannel): Part {
  const words = components.length;
  let count = 0;
  for (let i = 0; i < marks.length; i++) if (marks[i] !== heldMark || i === 0) count++;
  const ticks = new Float64Array(count);
  const given = new Uint8Array(count);
  const values = new Float64Array(count * words);
  let n = 0;
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === heldMark && i > 0) continue;
    ticks[n] = axis[i] ?? NaN;
    given[n] = marks[i] === valueMark || marks[i] === heldMark ? someGiven : someMissing;
    for (let w = 0; w < words; w++) values[n * words + w] = components[w]?.[i] ?? NaN;
    n++;
  }
  return { ticks, column: { given, words, low: values, high: values } };
}
