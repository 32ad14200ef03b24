import { expect, test } from "vitest";

import { Axis, padded, settled, timeText } from "./axis";
import { difference, millisecondsText, numberText, reading, rise, snapped, stepped } from "./cursors";
import { Trace, type Value } from "./curve";
import { commandOf, type Key } from "./keys";
import { column } from "./recorded";
import { Ring } from "./samples";
import { pair } from "./xy";

const scalar: Value = { word: 0 };

function ringAt(ticks: readonly number[], values: readonly (number | null)[]): Ring {
  const ring = new Ring(1, 1000);
  ring.append(Float64Array.from(ticks), column(values));
  return ring;
}

test("differences of cursors are milliseconds and ticks", () => {
  const at = 1_763_913_600;
  expect(difference(at, at + 0.0125, 0.001).ticks).toBe(13); // 12.5 rounded up
  expect(difference(at + 0.5, at, 0.002)).toEqual({ seconds: -0.5, ticks: -250 });
  expect(difference(0, 1, null).ticks).toBeNull();
  expect(millisecondsText(0.0015)).toBe("1.500 ms");
  expect(millisecondsText(-12.5)).toBe("−12500.0 ms");
});

test("a reading is the value that held", () => {
  const ring = ringAt([0, 1, 2, 3], [5, null, 7, 9]);
  expect(reading(ring, scalar, -0.1)).toBeNull();
  expect(reading(ring, scalar, 0.9)).toEqual({ low: 5, high: 5 });
  expect(reading(ring, scalar, 1)).toBeNull();
  expect(reading(ring, scalar, 99)).toEqual({ low: 9, high: 9 });
  expect(rise(reading(ring, scalar, 0), reading(ring, scalar, 3))).toBe(4);
  expect(rise(reading(ring, scalar, 0), reading(ring, scalar, 1))).toBeNull();
  expect(rise({ low: 1, high: 2 }, { low: 3, high: 3 })).toBeNull();
});

test("cursors go to ticks", () => {
  const slow = ringAt([0, 10, 20], [1, 1, 1]);
  const fast = ringAt([0, 1, 2, 3], [1, 1, 1, 1]);
  expect(snapped([slow, fast], 2.4)).toBe(2);
  expect(snapped([slow, fast], 8)).toBe(10);
  expect(snapped([], 8)).toBe(8);
  expect(stepped(fast, 2, 1)).toBe(3);
  expect(stepped(fast, 2, 10)).toBe(3);
  expect(stepped(fast, 2, -10)).toBe(0);
  expect(stepped(undefined, 2, 1)).toBe(2);
});

test("numbers are short and say enough", () => {
  expect([0, 1.5, -2, 1e-9, 123456789, NaN, -Infinity].map(numberText)).toEqual(["0", "1.5", "−2", "1.000e−9", "1.235e+8", "NaN", "−∞"]);
});

test("what is seen zooms around a place that stays", () => {
  const axis = new Axis();
  axis.show(100, 110);
  axis.zoom(0.5, 102);
  expect([axis.from, axis.to]).toEqual([101, 106]);
  axis.pan(1);
  expect([axis.from, axis.to]).toEqual([106, 111]);
  for (let i = 0; i < 100; i++) axis.zoom(0.1);
  expect(axis.span).toBeGreaterThan(1e-6);
  for (let i = 0; i < 100; i++) axis.zoom(10);
  expect(Number.isFinite(axis.span)).toBe(true);
  axis.fit({ from: 3, to: 3 });
  expect((axis.from + axis.to) / 2).toBeCloseTo(3);
  axis.show(NaN, 1);
  expect(Number.isFinite(axis.from)).toBe(true);
});

test("what is seen follows the newest tick until it is moved", () => {
  const axis = new Axis();
  axis.follow(50);
  expect([axis.from, axis.to]).toEqual([40, 50]);
  axis.zoom(0.5, 50);
  axis.follow(60);
  expect([axis.from, axis.to]).toEqual([55, 60]);
  axis.pan(-0.1);
  axis.follow(70);
  expect(axis.to).toBe(59.5);
});

test("an axis of values has room around a constant", () => {
  expect(padded(null)).toEqual([0, 1]);
  expect(padded([2, 2])).toEqual([1.5, 2.5]);
  expect(padded([0, 100])).toEqual([-6, 106]);
  expect(padded([-Number.MAX_VALUE, Number.MAX_VALUE]).every(Number.isFinite)).toBe(true);
});

test("a range of values does not tremble", () => {
  expect(settled(null, [0, 1])).toEqual([0, 1]);
  expect(settled([0, 1], [0.1, 0.95])).toEqual([0, 1]);
  expect(settled([0, 1], [0.1, 1.05])).toEqual([0.1, 1.05]);
  expect(settled([0, 1], [0.4, 0.6])).toEqual([0.4, 0.6]);
});

test("times have the unit that fits what is seen", () => {
  expect([timeText(-2.5, 10), timeText(-0.0125, 0.1), timeText(0.000012, 0.001)]).toEqual(["−2.5 s", "−12.5 ms", "12 µs"]);
});

test("curves are paired by their ticks, and by what held where those differ", () => {
  const points = (x: Ring, y: Ring, from = 0, to = 100) => {
    const out = new Trace();
    pair({ ring: x, value: scalar }, { ring: y, value: scalar }, from, to, out);
    return Array.from({ length: out.length }, (_, i) => [out.x[i], out.y[i], out.moves[i]]);
  };
  expect(points(ringAt([0, 1, 2], [1, 2, 3]), ringAt([0, 1, 2], [10, 20, 30]))).toEqual([[1, 10, 1], [2, 20, 0], [3, 30, 0]]);
  expect(points(ringAt([0, 2], [1, 3]), ringAt([0, 1, 2], [10, 20, 30]))).toEqual([[1, 10, 1], [1, 20, 0], [3, 30, 0]]);
  expect(points(ringAt([0, 1, 2, 3], [1, null, 3, 4]), ringAt([0, 1, 2, 3], [10, 20, 30, 40]))).toEqual([[1, 10, 1], [3, 30, 1], [4, 40, 0]]);
  expect(points(ringAt([0, 1, 2], [1, 2, 3]), ringAt([1], [7]), 2)).toEqual([[3, 7, 1]]); // y is as it was before
  expect(points(ringAt([1], [7]), ringAt([0, 1, 2], [1, 2, 3]), 2)).toEqual([[7, 3, 1]]); // and x
  expect(points(ringAt([0, 1, 2], [1, 2, 3]), ringAt([0, 1, 2], [1, 2, 3]), 0, 1)).toHaveLength(2);
  const torn = ringAt([0, 1], [1, 2]);
  torn.tear();
  torn.append(Float64Array.of(2), column([3]));
  const whole = ringAt([0, 1, 2], [1, 2, 3]);
  expect(points(torn, whole).map((p) => p[2])).toEqual([1, 0, 1]);
  expect(points(whole, torn).map((p) => p[2])).toEqual([1, 0, 1]);
});

test("keys move what is seen, or the cursor that was taken", () => {
  const key = (key: string, more: Partial<Key> = {}): Key => ({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });
  expect(commandOf(key("ArrowLeft"), null)).toEqual({ do: "pan", part: -0.1 });
  expect(commandOf(key("ArrowRight", { shiftKey: true }), null)).toEqual({ do: "pan", part: 0.5 });
  expect(commandOf(key("ArrowLeft"), "b")).toEqual({ do: "step", which: "b", ticks: -1 });
  expect(commandOf(key("ArrowRight", { shiftKey: true }), "a")).toEqual({ do: "step", which: "a", ticks: 10 });
  expect(commandOf(key("+"), null)).toEqual({ do: "zoom", factor: 0.5 });
  expect(commandOf(key("Home"), null)).toEqual({ do: "fit" });
  expect(commandOf(key(" "), null)).toEqual({ do: "run" });
  for (const left of [key("Tab"), key("+", { ctrlKey: true }), key("ArrowLeft", { altKey: true }), key("x")]) expect(commandOf(left, null)).toBeNull();
});
