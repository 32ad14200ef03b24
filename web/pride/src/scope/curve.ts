import type { Ring } from "./samples";

/** Value says how a number of a curve comes from the words of its channel: one of them, or the length of a vector. */
export type Value = { word: number } | { norm: readonly number[] };

/** lowOf is the smallest number that a curve can have had at a sample. */
export function lowOf(ring: Ring, i: number, value: Value): number {
  if ("word" in value) return ring.low(i, value.word);
  let sum = 0;
  for (const w of value.norm) {
    const low = ring.low(i, w);
    const high = ring.high(i, w);
    const least = low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high));
    sum += least * least;
  }
  return Math.sqrt(sum);
}

/** highOf is the largest number that a curve can have had at a sample. */
export function highOf(ring: Ring, i: number, value: Value): number {
  if ("word" in value) return ring.high(i, value.word);
  let sum = 0;
  for (const w of value.norm) {
    const most = Math.max(Math.abs(ring.low(i, w)), Math.abs(ring.high(i, w)));
    sum += most * most;
  }
  return Math.sqrt(sum);
}

/** Trace is a line to draw, x in pixels from the left, y in units of the signal. It is used again and again. */
export class Trace {
  x = new Float64Array(1024);
  y = new Float64Array(1024);
  moves = new Uint8Array(1024); // 1 where the line begins again
  length = 0;

  add(x: number, y: number, moves: boolean): void {
    if (this.length === this.x.length) this.grow();
    this.x[this.length] = x;
    this.y[this.length] = y;
    this.moves[this.length] = moves ? 1 : 0;
    this.length++;
  }

  private grow(): void {
    const size = this.x.length * 2;
    const x = new Float64Array(size);
    const y = new Float64Array(size);
    const moves = new Uint8Array(size);
    x.set(this.x);
    y.set(this.y);
    moves.set(this.moves);
    this.x = x;
    this.y = y;
    this.moves = moves;
  }
}

/**
 * trace makes the line of a curve between two times on a number of pixels. When several samples share a pixel it goes through the
 * first, the smallest, the largest and the last of them: at most four points for each pixel, and no spike is lost. It begins
 * again after a sample without a value, and after one that is not finite.
 */
export function trace(ring: Ring, value: Value, from: number, to: number, width: number, out: Trace): void {
  out.length = 0;
  if (ring.length === 0 || !(to > from)) return;
  const begin = Math.max(0, ring.first(from) - 1); // one more on each side, so that lines reach the edges
  const end = Math.min(ring.length, ring.first(to) + 1);
  const scale = width / (to - from);
  const single = end - begin <= 2 * width;
  let joined = false;
  let pixel = NaN;
  let first = 0;
  let low = 0;
  let high = 0;
  let last = 0;
  let moves = false;
  const flush = () => {
    if (Number.isNaN(pixel)) return;
    out.add(pixel, first, moves);
    if (low !== first) out.add(pixel, low, false);
    if (high !== low) out.add(pixel, high, false);
    if (last !== high) out.add(pixel, last, false);
    pixel = NaN;
  };
  for (let i = begin; i < end; i++) {
    const least = lowOf(ring, i, value);
    const most = highOf(ring, i, value);
    if (!ring.given(i) || !Number.isFinite(least) || !Number.isFinite(most)) {
      joined = false;
      continue;
    }
    if (!ring.joined(i)) joined = false;
    const exact = (ring.tick(i) - from) * scale;
    const x = single ? exact : Math.floor(exact);
    if (x !== pixel || !joined) {
      flush();
      pixel = x;
      moves = !joined;
      first = low = least;
      high = last = most;
    } else {
      if (least < low) low = least;
      if (most > high) high = most;
      last = most;
    }
    joined = true;
  }
  flush();
}

/** bounds are the smallest and the largest number of a curve between two times; null without any. */
export function bounds(ring: Ring, value: Value, from: number, to: number): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = ring.first(from); i < ring.length && ring.tick(i) <= to; i++) {
    if (!ring.given(i)) continue;
    const least = lowOf(ring, i, value);
    const most = highOf(ring, i, value);
    if (Number.isFinite(least) && least < low) low = least;
    if (Number.isFinite(most) && most > high) high = most;
  }
  return low <= high ? [low, high] : null;
}

/** Run is a part of the time in which a channel had one value, x in pixels. low and high differ where it had several within a pixel. */
export interface Run {
  begin: number;
  end: number;
  low: number;
  high: number;
}

/**
 * runs are those of a Boolean or a state between two times. A value holds until the next one; a pixel in which it changes back
 * is a run of its own.
 */
export function runs(ring: Ring, word: number, from: number, to: number, width: number): Run[] {
  const list: Run[] = [];
  if (ring.length === 0 || !(to > from)) return list;
  const scale = width / (to - from);
  const begin = Math.max(0, ring.first(from) - 1);
  const end = Math.min(ring.length, ring.first(to) + 1);
  let run: Run | null = null;
  let mixed: Run | null = null; // the pixel before run, while samples in it may follow
  for (let i = begin; i < end; i++) {
    const x = (ring.tick(i) - from) * scale;
    if (run) run.end = Math.max(run.begin, x);
    if (!ring.given(i) || !ring.joined(i)) {
      run = null;
      mixed = null;
    }
    if (!ring.given(i)) continue;
    const low = ring.low(i, word);
    const high = ring.high(i, word);
    if (run && mixed && x < run.begin) {
      mixed.low = Math.min(mixed.low, low);
      mixed.high = Math.max(mixed.high, high);
      run.low = low;
      run.high = high;
    } else if (run && run.low === low && run.high === high) {
      continue;
    } else if (run && Math.floor(run.begin) === Math.floor(x)) {
      mixed = run;
      mixed.low = Math.min(run.low, low);
      mixed.high = Math.max(run.high, high);
      mixed.end = Math.floor(x) + 1;
      list.push((run = { begin: mixed.end, end: mixed.end, low, high }));
    } else {
      mixed = null;
      list.push((run = { begin: x, end: x, low, high }));
    }
  }
  if (run && end === ring.length) run.end = Math.max(run.end, run.begin + 1); // the newest value holds, nobody knows how long
  return list.filter((r) => r.end > r.begin && r.end >= 0 && r.begin <= width);
}
