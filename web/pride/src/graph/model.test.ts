import { expect, test } from "vitest";

import type { Graph, Node } from "../wire";
import { ancestors, feeders, find, reach, shown } from "./model";
import { path } from "./path";

const node = (path: string, parent: number, fragment = false): Node => ({
  path, name: path.split(".").at(-1) ?? "", parent, line: 1, column: 1, ...(fragment ? { fragment } : { type: `Core::${path.at(-1)?.toUpperCase()}` }),
  in: fragment ? [{ name: "inX", type: "double" }] : [{ name: "inValue", type: "double" }],
  out: [{ name: fragment ? "outX" : "outValue", type: "double" }],
});

/** a -> [f: inX -> b -> outX] -> c -> the net */
const graph: Graph = {
  net: "n", uri: "/nets/n/", cycle: "1ms", types: {},
  nodes: [node("", -1, true), node("a", 0), node("f", 0, true), node("f.b", 2), node("c", 0)],
  links: [
    { from: { node: 1, port: "outValue" }, to: { node: 2, port: "inX" }, type: "double" },
    { from: { node: 2, port: "inX" }, to: { node: 3, port: "inValue" }, source: { node: 1, port: "outValue" }, type: "double" },
    { from: { node: 3, port: "outValue" }, to: { node: 2, port: "outX" }, type: "double" },
    { from: { node: 2, port: "outX" }, to: { node: 4, port: "inValue" }, source: { node: 3, port: "outValue" }, type: "double" },
    { from: { node: 4, port: "outValue" }, to: { node: 0, port: "outX" }, type: "double" },
  ],
};

test("a closed fragment is a box", () => {
  expect(shown(graph, new Set())).toEqual({ nodes: [1, 2, 4], links: [0, 3, 4] });
});

test("an open fragment shows what is in it", () => {
  expect(shown(graph, new Set([2]))).toEqual({ nodes: [1, 2, 4, 3], links: [0, 1, 2, 3, 4] });
});

test("what is in a closed fragment stays hidden however open it is itself", () => {
  const deep: Graph = { ...graph, nodes: [...graph.nodes, node("f.g", 2, true), node("f.g.d", 5)] };
  expect(shown(deep, new Set([5])).nodes).toEqual([1, 2, 4]);
  expect(ancestors(deep, 6)).toEqual([5, 2, 0]);
});

test("values are followed through the ports of fragments, so many steps far", () => {
  const of = feeders(graph);
  expect([...reach(of, 4, 1, true)].sort()).toEqual([3, 4]);
  expect([...reach(of, 4, 2, true)].sort()).toEqual([1, 3, 4]);
  expect([...reach(of, 1, 9, false)].sort()).toEqual([1, 3, 4]);
});

test("a node is found by all words of its path and type, names first", () => {
  expect(find(graph, "b")).toEqual([3]);
  expect(find(graph, "core")).toEqual([1, 3, 4]);
  expect(find(graph, "f core")).toEqual([3]);
  expect(find(graph, "nothing")).toEqual([]);
  expect(find(graph, " ")).toEqual([]);
});

test("a line has round corners that are never longer than its parts", () => {
  expect(path([{ x: 0, y: 0 }, { x: 20, y: 0 }])).toBe("M0,0L20,0");
  expect(path([{ x: 0, y: 0 }, { x: 4, y: 0 }, { x: 4, y: 20 }])).toBe("M0,0L2,0Q4,0 4,6L4,20");
  expect(path([])).toBe("");
});
