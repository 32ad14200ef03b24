import { expect, test } from "vitest";

import { neighbour, next } from "./keys";
import type { Placed } from "./placed";

const box = (node: number, x: number, y: number): Placed => ({ node, name: `n${node}`, x, y, width: 100, height: 50, open: false });
const list = [box(1, 0, 0), box(2, 200, 10), box(3, 200, 200), box(4, 0, 300), box(0, 400, 0)];

test("arrows lead to the nearest box in their direction", () => {
  expect(neighbour(list, null, "down")).toBe(1);
  expect(neighbour(list, 1, "right")).toBe(2);
  expect(neighbour(list, 2, "down")).toBe(3);
  expect(neighbour(list, 3, "left")).toBe(4);
  expect(neighbour(list, 4, "up")).toBe(1);
  expect(neighbour([...list, box(5, 700, 0)], 1, "right")).toBe(2); // near, though not quite straight ahead
  expect(neighbour(list, 1, "left")).toBe(null);
  expect(neighbour(list, 2, "right")).toBe(null); // ports of the net are no boxes
});

test("every box is reached in the order of the text", () => {
  let at: number | null = null;
  const seen = [0, 1, 2, 3].map(() => (at = next(list, at, false)));
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(next(list, 4, false)).toBe(1);
  expect(next(list, 1, true)).toBe(4);
  expect(next([], null, false)).toBe(null);
});
