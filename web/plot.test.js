import assert from "node:assert/strict";
import { test } from "node:test";
import { Series, TickTime, bounded, components, range, tickText, ticks } from "./plot.js";

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

test("plots are drawn over the time of ticks, not of arrival", () => {
  const time = new TickTime(0.2);
  assert.equal(time.now(5), 0);
  // A clock of 10 ms that is heard of late, twice at once, and once more.
  const heard = [];
  for (const [cycle, at] of [[1, 100], [31, 100.9], [41, 100.9], [41, 101], [40, 101.1], [100, 101.2]]) {
    if (time.hear({ cycle, time: 1.7e18 + (cycle - 1) * 1e7 }, at)) heard.push([cycle, Number(time.tick.toFixed(6))]);
  }
  assert.deepEqual(heard, [[1, 0], [31, 0.3], [41, 0.4], [100, 0.99]]);
  assert.equal(time.now(101.3).toFixed(3), "1.090");
  assert.equal(time.now(109).toFixed(3), "1.190"); // of a clock that stands nobody knows more
});

test("ticks are written as the daemon writes them", () => {
  assert.equal(tickText(null), "");
  assert.equal(tickText({ cycle: 17, time: 1_000_000_000_012_999_999 }), "cycle 17, 2001-09-09T01:46:40.012Z");
});

test("zooming has bounds", () => {
  assert.equal(bounded(1, 2, 0.5, 4), 2);
  assert.equal(bounded(4, 2, 0.5, 4), 4);
  assert.equal(bounded(0.5, 0.1, 0.5, 4), 0.5);
});
