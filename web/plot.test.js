import assert from "node:assert/strict";
import { test } from "node:test";
import { Series, components, range, ticks } from "./plot.js";

test("components of values", () => {
  assert.deepEqual(components("2.5"), [["", 2.5]]);
  assert.deepEqual(components("-2.5e-07"), [["", -2.5e-7]]);
  assert.deepEqual(components("true"), [["", 1]]);
  assert.deepEqual(components("nan"), [["", NaN]]);
  assert.deepEqual(components("+inf"), [["", NaN]]);
  assert.deepEqual(components("[1,nan,3]"), [["[0]", 1], ["[1]", NaN], ["[2]", 3]]);
  assert.deepEqual(components("[]"), []);
  assert.deepEqual(components("{pos:{x:1,y:2,z:3},rot:{a:0,b:0,c:4}}"), [
    [".pos.x", 1], [".pos.y", 2], [".pos.z", 3], [".rot.a", 0], [".rot.b", 0], [".rot.c", 4],
  ]);
  assert.deepEqual(components("a text"), []);
});

test("series keep the newest points", () => {
  const s = new Series(3);
  for (let i = 0; i < 5; i++) s.push(i, 10 * i);
  assert.deepEqual(s.since(-1), [[2, 20], [3, 30], [4, 40]]);
  assert.deepEqual(s.since(3.5), [[3, 30], [4, 40]]);
  assert.deepEqual(s.since(9), [[4, 40]]);
  assert.deepEqual(new Series(3).since(0), []);
});

test("ticks are round and inside", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(-0.35, 0.35, 5), [-0.2, 0, 0.2]);
  assert.deepEqual(ticks(1e6, 1.0004e6, 4), [1000000, 1000100, 1000200, 1000300, 1000400]);
});

test("range", () => {
  assert.deepEqual(range([]), [0, 1]);
  assert.deepEqual(range([NaN]), [0, 1]);
  assert.deepEqual(range([2, NaN, 2]), [1.5, 2.5]);
  assert.deepEqual(range([0, 100]), [-8, 108]);
});
