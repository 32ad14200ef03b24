import assert from "node:assert/strict";
import { test } from "node:test";
import { Log } from "./debug.js";

const row = (cycle, ...values) => ({ time: cycle / 10, cycle, values });

test("rows follow each other, and the newest stay", () => {
  const log = new Log(3);
  assert.equal(log.newest, 0);
  assert.equal(log.add([row(1, "1"), row(2, "2")]), true);
  assert.equal(log.add([row(2, "2")]), false);
  assert.equal(log.add([row(2, "2"), row(5, "5"), row(6, "6")]), true);
  assert.deepEqual(log.rows.map(({ cycle }) => cycle), [2, 5, 6]);
  assert.equal(log.newest, 6);
});

test("lines have gaps where there is no value", () => {
  const log = new Log();
  log.add([row(1, "[1,2]", null), row(2, null, "true"), row(3, "[3,nan]", "false")]);
  assert.deepEqual([...log.lines(0)], [
    ["[0]", [[0.1, 1], [0.2, NaN], [0.3, 3]]],
    ["[1]", [[0.1, 2], [0.2, NaN], [0.3, NaN]]],
  ]);
  assert.deepEqual([...log.lines(1)], [["", [[0.2, 1], [0.3, 0]]]]);
});
