import { expect, test } from "vitest";

import { bounds, runs, trace, Trace, type Value } from "./curve";
import { column } from "./recorded";
import { Ring } from "./samples";

let seed = 7;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;

function ringOf(values: readonly (number | null)[], period = 1): Ring {
  const ring = new Ring(1, Math.max(1, values.length));
  ring.append(Float64Array.from(values, (_, i) => i * period), column(values));
  return ring;
}

const scalar: Value = { word: 0 };

function traced(ring: Ring, from: number, to: number, width: number): { x: number; y: number; moves: boolean }[] {
  const out = new Trace();
  trace(ring, scalar, from, to, width, out);
  return Array.from({ length: out.length }, (_, i) => ({ x: out.x[i] ?? 0, y: out.y[i] ?? 0, moves: out.moves[i] === 1 }));
}

test("every extreme of a pixel is in the line, at most four points each", () => {
  for (let n = 0; n < 50; n++) {
    const values = Array.from({ length: 2000 }, () => (random() < 0.02 ? 100 * (random() - 0.5) : random()));
    const ring = ringOf(values);
    const width = 37;
    const from = 100 + Math.floor(random() * 100);
    const to = from + 1000;
    const points = traced(ring, from, to, width);
    const at = new Map<number, number[]>();
    for (const p of points) at.set(p.x, [...(at.get(p.x) ?? []), p.y]);
    const raw = new Map<number, number[]>();
    values.forEach((v, i) => {
      if (i < from || i >= to) return;
      const pixel = Math.floor(((i - from) * width) / (to - from));
      raw.set(pixel, [...(raw.get(pixel) ?? []), v]);
    });
    for (const [pixel, all] of raw) {
      const drawn = at.get(pixel) ?? [];
      expect(Math.min(...drawn)).toBe(Math.min(...all));
      expect(Math.max(...drawn)).toBe(Math.max(...all));
      expect(drawn[0]).toBe(all[0]);
      expect(drawn.at(-1)).toBe(all.at(-1));
      expect(drawn.length).toBeLessThanOrEqual(4);
    }
  }
});

test("the smallest and largest values of decimated samples are drawn", () => {
  const ring = new Ring(1, 10);
  ring.append(Float64Array.of(0, 1, 2), { given: Uint8Array.of(1, 1, 1), words: 1, low: Float64Array.of(0, -9, 0), high: Float64Array.of(0, 9, 0) });
  expect(traced(ring, 0, 2, 100).map((p) => [p.x, p.y])).toEqual([[0, 0], [50, -9], [50, 9], [100, 0]]);
});

test("a line has gaps where there is no value, and where samples were lost", () => {
  const ring = ringOf([1, 2, null, 3, NaN, 4, 5]);
  expect(traced(ring, 0, 6, 60)).toEqual([
    { x: 0, y: 1, moves: true }, { x: 10, y: 2, moves: false }, { x: 30, y: 3, moves: true }, { x: 50, y: 4, moves: true }, { x: 60, y: 5, moves: false },
  ]);
  const torn = new Ring(1, 10);
  torn.append(Float64Array.of(0, 1), column([1, 1]));
  torn.tear();
  torn.append(Float64Array.of(2, 3), column([1, 1]));
  expect(traced(torn, 0, 3, 60).map((p) => p.moves)).toEqual([true, false, true, false]);
});

test("lines reach the edges of what is seen", () => {
  const points = traced(ringOf([0, 10, 20, 30], 10), 12, 17, 50);
  expect(points.map((p) => p.x)).toEqual([-20, 80]);
});

test("the length of a vector is between those of all values that a sample stands for", () => {
  const ring = new Ring(3, 4);
  ring.append(Float64Array.of(0), { given: Uint8Array.of(1), words: 3, low: Float64Array.of(-3, 4, 0), high: Float64Array.of(1, 4, 0) });
  expect(bounds(ring, { norm: [0, 1, 2] }, 0, 1)).toEqual([4, 5]);
});

test("Booleans are runs, and a pixel that has both says so", () => {
  const values = Array.from({ length: 1000 }, (_, i) => (i >= 200 && i < 600 ? 1 : i === 800 ? 1 : 0));
  expect(runs(ringOf(values), 0, 0, 1000, 100)).toEqual([
    { begin: 0, end: 20, low: 0, high: 0 },
    { begin: 20, end: 60, low: 1, high: 1 },
    { begin: 60, end: 80, low: 0, high: 0 },
    { begin: 80, end: 81, low: 0, high: 1 }, // one sample in ten that share a pixel
    { begin: 81, end: 99.9, low: 0, high: 0 },
  ]);
});

test("the value of a state is that of every sample of its pixel, whatever the signal", () => {
  for (let n = 0; n < 100; n++) {
    let state = 0;
    const values = Array.from({ length: 500 }, () => (random() < 0.1 ? (state = Math.floor(random() * 4)) : random() < 0.03 ? null : state));
    const width = 60;
    const list = runs(ringOf(values), 0, 0, 500, width);
    values.forEach((v, i) => {
      if (v === null || i === 499) return;
      const x = (i * width) / 500;
      const there = list.filter((r) => Math.floor(r.begin) <= x && x <= Math.max(r.end, Math.floor(r.begin) + 1));
      expect(there.some((r) => r.low <= v && v <= r.high), `${v} at ${x}`).toBe(true);
    });
    for (const [i, r] of list.entries()) expect(r.begin).toBeGreaterThan(list[i - 1]?.begin ?? -1);
  }
});

test("a sparse Boolean that changes twice within a pixel is mixed there only", () => {
  const ring = new Ring(1, 10);
  ring.append(Float64Array.of(0, 5.1, 5.4, 105), column([0, 1, 0, 0]));
  expect(runs(ring, 0, 0, 100, 100).map((r) => [r.begin, r.end, r.low, r.high])).toEqual([[0, 5.1, 0, 0], [5.1, 6, 0, 1], [6, 105, 0, 0]]);
});
