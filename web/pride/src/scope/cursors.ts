import { highOf, lowOf, type Value } from "./curve";
import type { Ring } from "./samples";

/** Difference is what lies between the two cursors. */
export interface Difference {
  seconds: number;
  /** ticks of the channel with the given period; null where there is none. */
  ticks: number | null;
}

export function difference(a: number, b: number, period: number | null): Difference {
  const seconds = b - a;
  return { seconds, ticks: period && period > 0 ? Math.round(seconds / period) : null };
}

/** Reading is the value of a curve at a time: none in a gap, and two numbers when a sample stands for several. */
export interface Reading {
  low: number;
  high: number;
}

/** reading returns the value of a curve at a time: that of the newest sample at or before it. */
export function reading(ring: Ring, value: Value, time: number): Reading | null {
  let i = ring.first(time);
  if (i === ring.length || ring.tick(i) > time) i--;
  if (i < 0 || !ring.given(i)) return null;
  return { low: lowOf(ring, i, value), high: highOf(ring, i, value) };
}

/** rise returns how much a curve has changed between the cursors; null if either has no single value. */
export function rise(a: Reading | null, b: Reading | null): number | null {
  if (!a || !b || a.low !== a.high || b.low !== b.high) return null;
  return b.low - a.low;
}

/** snapped returns the tick nearest to a time in any of the rings, or the time itself without samples. */
export function snapped(rings: Iterable<Ring>, time: number): number {
  let best = time;
  let distance = Infinity;
  for (const ring of rings) {
    const i = ring.nearest(time);
    if (i < 0) continue;
    const away = Math.abs(ring.tick(i) - time);
    if (away < distance) {
      distance = away;
      best = ring.tick(i);
    }
  }
  return best;
}

/** stepped returns the tick a number of samples of a ring after the one nearest to a time. */
export function stepped(ring: Ring | undefined, time: number, by: number): number {
  if (!ring || ring.length === 0) return time;
  const i = Math.min(ring.length - 1, Math.max(0, ring.nearest(time) + by));
  return ring.tick(i);
}

/** millisecondsText writes a time with as many digits as microseconds need. */
export function millisecondsText(seconds: number): string {
  const ms = seconds * 1000;
  return `${ms.toFixed(Math.abs(ms) < 1000 ? 3 : 1).replace("-", "−")} ms`;
}

/** numberText writes a value with a constant width and enough digits. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size !== 0 && (size >= 1e6 || size < 1e-3) ? value.toExponential(3) : String(Number(value.toPrecision(6)));
  return text.replaceAll("-", "−");
}

export function readingText(r: Reading | null): string {
  if (!r) return "no value";
  return r.low === r.high || (Number.isNaN(r.low) && Number.isNaN(r.high)) ? numberText(r.low) : `${numberText(r.low)} … ${numberText(r.high)}`;
}
