import { expect, test } from "vitest";

import type { Graph, Node } from "../wire";
import { fold, holder, lines, plain } from "./fold";
import { shown } from "./model";

const port = (name: string, type = "bool") => ({ name, type });

const node = (name: string, ins: string[], more: Partial<Node> = {}): Node => ({
  path: name, name, parent: name === "" ? -1 : 0, line: 1, column: 1, type: "Core::BooleanAnd", in: ins.map((i) => port(i)), out: [port("outValue")], ...more,
});

const link = (from: number, to: number, at: string) => ({ from: { node: from, port: "outValue" }, to: { node: to, port: at }, type: "bool" });

/** A reads B && true || C, the constant is read by A, too. */
const graph: Graph = {
  net: "n", uri: "/nets/n/", cycle: "1ms", types: {},
  nodes: [
    node("", [], { fragment: true, out: [port("outA")] }),
    node("B", []),
    node("C", []),
    node("yes", []),
    node("and", ["inFirst", "inSecond"]),
    node("or", ["inFirst", "inSecond"], {
      formula: { text: "B.outValue && true || C.outValue", terms: [{ node: 1, port: "outValue" }, { node: 2, port: "outValue" }], parts: [3, 4] },
    }),
    node("A", ["inValue", "inOther"], { type: "Core::Action" }),
  ],
  links: [link(1, 4, "inFirst"), link(3, 4, "inSecond"), link(4, 5, "inFirst"), link(2, 5, "inSecond"), link(5, 6, "inValue"), link(5, 0, "outA")],
};

test("operators and constants stand in the formula of what they feed", () => {
  const made = fold(graph, new Set());
  expect([...made.hidden].sort()).toEqual([3, 4]);
  expect(made.nodes[5]).toMatchObject({ text: "B.outValue && true || C.outValue", in: [port("B.outValue"), port("C.outValue")] });
  expect(made.links.map((l) => [l.from.node, l.to.node, l.to.port])).toEqual([
    [1, 5, "B.outValue"], [2, 5, "C.outValue"], [5, 6, "inValue"], [5, 0, "outA"],
  ]);
  expect(made.original).toEqual([0, 3, 4, 5]);
  expect(shown(made, new Set()).nodes).toEqual([1, 2, 5, 6]);
  expect(holder(made, 4)).toBe(5);
  expect(holder(made, 6)).toBe(6);
});

test("a constant that others read keeps its box", () => {
  const read: Graph = { ...graph, links: [...graph.links, link(3, 6, "inOther")] };
  const made = fold(read, new Set());
  expect([...made.hidden]).toEqual([4]);
  expect(made.links.some((l) => l.from.node === 3 && l.to.node === 5)).toBe(false);
});

test("a formula that is taken apart is drawn as it is written", () => {
  const made = fold(graph, new Set([5]));
  expect(made.hidden.size).toBe(0);
  expect(made.links).toEqual(graph.links);
  expect(made.nodes).toEqual(graph.nodes);
  expect(shown(plain(graph), new Set()).nodes).toEqual([1, 2, 3, 4, 5, 6]);
});

test("what enters a formula twice has one port, and its guard has one of its own", () => {
  const twice: Graph = {
    ...graph,
    nodes: graph.nodes.map((n, i) => (i === 5 ? { ...n, guards: [{ node: 2, port: "outValue" }], formula: { text: "B.outValue && B.outValue", terms: [{ node: 1, port: "outValue" }] } } : n)),
    links: [link(1, 5, "inFirst"), link(1, 5, "inSecond"), link(2, 5, "inActive")],
  };
  expect(fold(twice, new Set()).links.map((l) => [l.from.node, l.to.port])).toEqual([[1, "B.outValue"], [2, "inActive"]]);
});

test("long formulas have several lines", () => {
  expect(lines("a + b", 40)).toEqual(["a + b"]);
  expect(lines("first.outValue + second.outValue * third.outValue", 34)).toEqual(["first.outValue + second.outValue *", "third.outValue"]);
  expect(lines("", 40)).toEqual([""]);
});
