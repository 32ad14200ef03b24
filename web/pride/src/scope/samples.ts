import { someGiven, someMissing, type Column } from "../stream/samples";

// How a sample is marked in a Ring.
const nothing = 0;
const follows = 1;
const begins = 2; // given, and not to be joined to the sample before

/** Ring keeps the newest samples of a channel, in memory that never grows. */
export class Ring {
  private ticks: Float64Array;
  private marks: Uint8Array;
  private lows: Float64Array;
  private highs: Float64Array;
  private begin = 0;
  private count = 0;
  private torn = false;

  constructor(
    readonly words: number,
    readonly capacity: number,
  ) {
    this.ticks = new Float64Array(capacity);
    this.marks = new Uint8Array(capacity);
    this.lows = new Float64Array(capacity * words);
    this.highs = new Float64Array(capacity * words);
  }

  get length(): number {
    return this.count;
  }

  /** tear says that samples are missing here: what comes next is not joined to what was. */
  tear(): void {
    this.torn = true;
  }

  clear(): void {
    this.begin = 0;
    this.count = 0;
    this.torn = false;
  }

  /** release gives the memory back, when another ring stands in for this one: drawings of before may know it for a while. */
  release(): void {
    this.clear();
    this.ticks = this.lows = this.highs = new Float64Array(0);
    this.marks = new Uint8Array(0);
  }

  /**
   * append takes samples that are newer than those it has, and one that is as new as the newest in its place; others are left
   * out, so that ticks always rise.
   */
  append(ticks: Float64Array, column: Column): void {
    const words = Math.min(this.words, column.words);
    let newest = this.count > 0 ? this.tick(this.count - 1) : -Infinity;
    for (let i = 0; i < ticks.length; i++) {
      const tick = ticks[i] ?? NaN;
      if (!(tick >= newest)) continue;
      const again = tick === newest;
      newest = tick;
      const at = again ? this.place(this.count - 1) : this.room();
      const had = column.given[i] ?? 0;
      const joined = !this.torn && (had & someMissing) === 0 && !(again && this.marks[at] === begins);
      this.ticks[at] = tick;
      this.marks[at] = (had & someGiven) === 0 ? nothing : joined ? follows : begins;
      if ((had & someGiven) !== 0) this.torn = (had & someMissing) !== 0; // a gap in a sample is on both sides of it
      for (let w = 0; w < words; w++) {
        this.lows[at * this.words + w] = column.low[i * column.words + w] ?? NaN;
        this.highs[at * this.words + w] = column.high[i * column.words + w] ?? NaN;
      }
    }
  }

  /** room is the place of one more sample, maybe that of the oldest one. */
  private room(): number {
    if (this.count < this.capacity) this.count++;
    else this.begin = this.begin + 1 === this.capacity ? 0 : this.begin + 1;
    return this.place(this.count - 1);
  }

  private place(i: number): number {
    const at = this.begin + i;
    return at >= this.capacity ? at - this.capacity : at;
  }

  tick(i: number): number {
    return this.ticks[this.place(i)] ?? NaN;
  }

  given(i: number): boolean {
    return this.marks[this.place(i)] !== nothing;
  }

  /** joined reports whether a sample continues the previous one. */
  joined(i: number): boolean {
    return this.marks[this.place(i)] === follows;
  }

  low(i: number, word: number): number {
    return this.lows[this.place(i) * this.words + word] ?? NaN;
  }

  high(i: number, word: number): number {
    return this.highs[this.place(i) * this.words + word] ?? NaN;
  }

  /** first is the first sample at or after a time; length when all are before. */
  first(time: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tick(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** nearest is the sample whose tick is nearest to a time; -1 without samples. */
  nearest(time: number): number {
    const after = this.first(time);
    if (after === this.count) return this.count - 1;
    if (after === 0) return 0;
    return time - this.tick(after - 1) <= this.tick(after) - time ? after - 1 : after;
  }
}

/** mostBytes is what all rings of the scope may take together. */
const mostBytes = 64 << 20;
const mostSamples = 1 << 16;
const fewestSamples = 1 << 9;

/** capacityFor returns how many samples are kept of each channel, given the words of all. */
export function capacityFor(words: number): number {
  const each = 9 + 16; // a tick and a mark, a low and a high
  return Math.max(fewestSamples, Math.min(mostSamples, Math.floor(mostBytes / (each * Math.max(1, words)))));
}
