import { expect, test } from "vitest";

import { someGiven, someMissing } from "../stream/samples";
import { capacityFor, Ring } from "./samples";

const block = (begin: number, count: number) => ({
  ticks: Float64Array.from({ length: count }, (_, i) => begin + i),
  column: { given: new Uint8Array(count).fill(1), words: 1, low: Float64Array.from({ length: count }, (_, i) => begin + i), high: Float64Array.from({ length: count }, (_, i) => begin + i) },
});

test("a ring keeps the newest samples, and not more memory for an hour than for a second", () => {
  const ring = new Ring(1, 1000);
  for (let tick = 0; tick < 100_000; tick += 37) {
    const b = block(tick, 37);
    ring.append(b.ticks, b.column);
  }
  expect(ring.length).toBe(1000);
  const newest = ring.tick(999);
  for (let i = 0; i < 1000; i++) {
    expect(ring.tick(i)).toBe(newest - 999 + i);
    expect(ring.low(i, 0)).toBe(ring.tick(i));
  }
  expect(ring.first(newest - 10)).toBe(989);
  expect(ring.first(newest + 1)).toBe(1000);
  expect(ring.nearest(newest - 3.4)).toBe(996);
});

test("a sample that is as new as the newest takes its place, and what is missing within one interrupts the line", () => {
  const ring = new Ring(1, 4);
  const one = (tick: number, given: number, low: number, high: number) => ring.append(Float64Array.of(tick), { given: Uint8Array.of(given), words: 1, low: Float64Array.of(low), high: Float64Array.of(high) });
  for (let tick = 0; tick < 6; tick++) one(tick, someGiven, tick, tick);
  one(5, someGiven, 3, 9);
  expect(ring.length).toBe(4);
  expect([ring.tick(3), ring.low(3, 0), ring.high(3, 0), ring.joined(3)]).toEqual([5, 3, 9, true]);
  one(6, someGiven | someMissing, 1, 1);
  one(7, someGiven, 1, 1);
  one(8, someGiven, 1, 1);
  expect([1, 2, 3].map((i) => ring.joined(i))).toEqual([false, false, true]);
  one(9, someMissing, NaN, NaN);
  expect(ring.given(3)).toBe(false);
});

test("samples that come twice, or too late, are left out", () => {
  const ring = new Ring(1, 100);
  for (const [begin, count] of [[0, 10], [5, 10], [3, 2]] as const) {
    const b = block(begin, count);
    ring.append(b.ticks, b.column);
  }
  expect(Array.from({ length: ring.length }, (_, i) => ring.tick(i))).toEqual(Array.from({ length: 15 }, (_, i) => i));
});

test("many channels take no more memory than few", () => {
  for (const words of [1, 10, 200, 2000]) expect(words * capacityFor(words) * 25).toBeLessThan(70 << 20);
});

test("a ring that was released has no samples and no memory", () => {
  const ring = new Ring(2, 100);
  ring.append(Float64Array.of(1, 2), { given: Uint8Array.of(someGiven, someGiven), words: 2, low: Float64Array.of(1, 2, 3, 4), high: Float64Array.of(1, 2, 3, 4) });
  expect(ring.length).toBe(2);
  ring.release();
  expect(ring.length).toBe(0);
  const held = Object.values(ring).filter((v) => ArrayBuffer.isView(v)) as ArrayBufferView[];
  expect(held.map((v) => v.byteLength)).toEqual([0, 0, 0, 0]);
});
