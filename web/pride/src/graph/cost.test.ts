import { expect, test } from "vitest";

import type { Node } from "../wire";
import { costOf, mostCost, nanoseconds } from "./cost";
import { fold, plain } from "./fold";

const node = (path: string, parent: number, more: Partial<Node> = {}): Node => ({ path, name: path, parent, line: 1, column: 1, in: [{ name: "inValue", type: "bool" }], out: [], ...more });
const written = {
  net: "n", uri: "", cycle: "", links: [],
  types: { A: { uri: "", doc: "", count: 1, cost: 5 }, B: { uri: "", doc: "", count: 1, cost: 20 }, C: { uri: "", doc: "", count: 1 } },
  nodes: [
    node("", -1, { fragment: true }), node("f", 0, { fragment: true }), node("f.a", 1, { type: "A" }), node("f.b", 1, { type: "B", formula: { text: "", terms: [], parts: [2] } }),
    node("c", 0, { type: "C" }), node("k", 0, { type: "B", constant: true }), node("g", 0, { fragment: true }),
  ],
};

test("costs are those of types, formulas and fragments cost what is in them", () => {
  const graph = plain(written);
  expect([2, 3, 1, 4, 5, 6].map((id) => costOf(graph, id))).toEqual([5, 20, 25, null, 0, null]);
  const folded = fold(written, new Set());
  expect(costOf(folded, 3)).toBe(25);
  expect(costOf(folded, 1)).toBe(25);
  expect(mostCost(folded)).toBe(25);
});

test("costs are short", () => {
  expect([1.234, 0, 87.6, 1234.5].map(nanoseconds)).toEqual(["1.2 ns", "0 ns", "88 ns", "1.23 µs"]);
});
