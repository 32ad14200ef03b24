import { numberText } from "./cursors";

/** Span is a part of the time, in seconds. */
export interface Span {
  from: number;
  to: number;
}

/** least is the shortest part of the time that can be looked at: less than the numbers of ticks can tell. */
const least = 2e-6;
const most = 1e7;

/** Axis is the part of the time that all plots show. While it follows, its end is the newest tick. */
export class Axis {
  from = 0;
  to = 10;
  follows = true;

  get span(): number {
    return this.to - this.from;
  }

  show(from: number, to: number): void {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return;
    const middle = (from + to) / 2;
    const half = Math.min(most, Math.max(least, Math.abs(to - from))) / 2;
    this.from = middle - half;
    this.to = middle + half;
    this.follows = false;
  }

  /** zoom makes what is seen so many times as long, around a time that stays where it is. */
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    const span = Math.min(most, Math.max(least, this.span * factor));
    const part = (around - this.from) / this.span;
    const follows = this.follows && part >= 1;
    this.from = around - part * span;
    this.to = this.from + span;
    this.follows = follows;
  }

  /** pan moves what is seen by a part of its length. */
  pan(part: number): void {
    const by = this.span * part;
    this.from += by;
    this.to += by;
    this.follows = false;
  }

  fit(of: Span | null): void {
    if (!of) return;
    if (of.to > of.from) this.show(of.from, of.to);
    else this.show(of.from - this.span / 2, of.from + this.span / 2);
  }

  /** follow moves the end to the newest tick, if it follows. */
  follow(newest: number): void {
    if (!this.follows || !Number.isFinite(newest)) return;
    const span = this.span;
    this.to = newest;
    this.from = newest - span;
  }
}

/** padded is a range of values with a margin, for the axis beside a plot. A constant gets room around it. */
export function padded(range: readonly [number, number] | null): [number, number] {
  if (!range) return [0, 1];
  const [low, high] = range;
  const margin = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.1, 0.5);
  const [from, to] = [low - margin, high + margin];
  return Number.isFinite(to - from) ? [from, to] : [-1e300, 1e300];
}

/** settled is the range to show: it grows at once, and shrinks when much of it is empty, so that it does not tremble. */
export function settled(shown: readonly [number, number] | null, wanted: readonly [number, number]): [number, number] {
  if (!shown) return [...wanted];
  const [low, high] = wanted;
  if (low < shown[0] || high > shown[1] || high - low < 0.6 * (shown[1] - shown[0])) return [low, high];
  return [...shown];
}

/** timeText writes a time on the axis, in the unit that fits what is seen. */
export function timeText(seconds: number, span: number): string {
  const [factor, digits, unit] = span < 2e-3 ? [1e6, 1, "µs"] : span < 2 ? [1e3, 1, "ms"] : [1, 2, "s"];
  return `${numberText(Number((seconds * factor).toFixed(digits)))} ${unit}`;
}
